// Illegal matrix operations (operations (arithmetic), 4.30 to 4.32 and 11).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// 4.30: f8E8M0FNU is no operand element
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E8M0FNU: 1.0> : tile<4x8xf8E8M0FNU>
    %b = constant <f8E8M0FNU: 1.0> : tile<8x2xf8E8M0FNU>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    // expected-error @+1 {{operand #0 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values}}
    %0 = mmaf %a, %b, %c : tile<4x8xf8E8M0FNU>, tile<8x2xf8E8M0FNU>, tile<4x2xf32>
  }
}

// -----

// 4.30, 9.4: nor is f4E2M1FN
cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<4x8xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<8x2xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    // expected-error @+1 {{operand #0 must be mmaf operand tile type of}}
    %0 = mmaf %a, %b, %c : tile<4x8xf4E2M1FN>, tile<8x2xf4E2M1FN>, tile<4x2xf32>
  }
}

// -----

// 4.30
cuda_tile.module @m {
  entry @k() {
    %a = constant <bf16: 1.0> : tile<4x8xbf16>
    %b = constant <bf16: 1.0> : tile<8x2xbf16>
    %c = constant <bf16: 0.0> : tile<4x2xbf16>
    // expected-error @+1 {{operand #2 must be mmaf acc/result tile type of f16 or f32 or f64 values}}
    %0 = mmaf %a, %b, %c : tile<4x8xbf16>, tile<8x2xbf16>, tile<4x2xbf16>
  }
}

// -----

// 4.30: no mixed inputs
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E4M3FN: 1.0> : tile<4x8xf8E4M3FN>
    %b = constant <f8E5M2: 1.0> : tile<8x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    // expected-error @+1 {{failed to verify that all of {lhs, rhs} have the same element type}}
    %0 = mmaf %a, %b, %c : tile<4x8xf8E4M3FN>, tile<8x2xf8E5M2>, tile<4x2xf32>
  }
}

// -----

// 4.30
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<1x4x8xf16>
    %b = constant <f16: 1.0> : tile<8x2xf16>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    // expected-error @+1 {{failed to verify that all of {lhs, rhs, acc} have same rank}}
    %0 = mmaf %a, %b, %c : tile<1x4x8xf16>, tile<8x2xf16>, tile<4x2xf32>
  }
}

// -----

// 4.30
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<8xf16>
    %c = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{operands must be 2D or 3D tiles}}
    %0 = mmaf %a, %a, %c : tile<8xf16>, tile<8xf16>, tile<8xf32>
  }
}

// -----

// 4.30
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<1x1x1x1xf16>
    %c = constant <f32: 0.0> : tile<1x1x1x1xf32>
    // expected-error @+1 {{operands must be 2D or 3D tiles}}
    %0 = mmaf %a, %a, %c : tile<1x1x1x1xf16>, tile<1x1x1x1xf16>, tile<1x1x1x1xf32>
  }
}

// -----

// 4.30: batches
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<2x4x8xf16>
    %b = constant <f16: 1.0> : tile<1x8x2xf16>
    %c = constant <f32: 0.0> : tile<2x4x2xf32>
    // expected-error @+1 {{shape error: dim 0 of lhs (2) and dim 0 of rhs (1) must match, but got lhs shape (2, 4, 8) and rhs shape (1, 8, 2)}}
    %0 = mmaf %a, %b, %c : tile<2x4x8xf16>, tile<1x8x2xf16>, tile<2x4x2xf32>
  }
}

// -----

// 4.30
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<2x4x8xf16>
    %b = constant <f16: 1.0> : tile<2x8x2xf16>
    %c = constant <f32: 0.0> : tile<1x4x2xf32>
    // expected-error @+1 {{shape error: dim 0 of lhs (2) and dim 0 of acc (1) must match}}
    %0 = mmaf %a, %b, %c : tile<2x4x8xf16>, tile<2x8x2xf16>, tile<1x4x2xf32>
  }
}

// -----

// 4.30: K
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<4x8xf16>
    %b = constant <f16: 1.0> : tile<4x2xf16>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    // expected-error @+1 {{shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match, but got lhs shape (4, 8) and rhs shape (4, 2)}}
    %0 = mmaf %a, %b, %c : tile<4x8xf16>, tile<4x2xf16>, tile<4x2xf32>
  }
}

// -----

// 4.30: M
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<4x8xf16>
    %b = constant <f16: 1.0> : tile<8x2xf16>
    %c = constant <f32: 0.0> : tile<8x2xf32>
    // expected-error @+1 {{shape error: dim 0 of lhs (4) and dim 0 of acc (8) must match, but got lhs shape (4, 8) and acc shape (8, 2)}}
    %0 = mmaf %a, %b, %c : tile<4x8xf16>, tile<8x2xf16>, tile<8x2xf32>
  }
}

// -----

// 4.30: N
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<4x8xf16>
    %b = constant <f16: 1.0> : tile<8x2xf16>
    %c = constant <f32: 0.0> : tile<4x4xf32>
    // expected-error @+1 {{shape error: dim 1 of rhs (2) and dim 1 of acc (4) must match, but got rhs shape (8, 2) and acc shape (4, 4)}}
    %0 = mmaf %a, %b, %c : tile<4x8xf16>, tile<8x2xf16>, tile<4x4xf32>
  }
}

// -----

// 4.30: the table of combinations
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<4x8xf16>
    %b = constant <f16: 1.0> : tile<8x2xf16>
    %c = constant <f64: 0.0> : tile<4x2xf64>
    // expected-error @+1 {{unsupported combination of element types. Input type 'f16' expects accumulator/result type to be one of {'f16', 'f32'}, but got 'f64'}}
    %0 = mmaf %a, %b, %c : tile<4x8xf16>, tile<8x2xf16>, tile<4x2xf64>
  }
}

// -----

// 4.30
cuda_tile.module @m {
  entry @k() {
    %a = constant <f32: 1.0> : tile<4x8xf32>
    %b = constant <f32: 1.0> : tile<8x2xf32>
    %c = constant <f16: 0.0> : tile<4x2xf16>
    // expected-error @+1 {{unsupported combination of element types. Input type 'f32' expects accumulator/result type to be one of {'f32'}, but got 'f16'}}
    %0 = mmaf %a, %b, %c : tile<4x8xf32>, tile<8x2xf32>, tile<4x2xf16>
  }
}

// -----

// 4.30: acc and result are one type
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<4x8xf16>
    %b = constant <f16: 1.0> : tile<8x2xf16>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    // expected-error @+1 {{failed to verify that all of {acc, result} have same type}}
    %0 = "cuda_tile.mmaf"(%a, %b, %c) : (!cuda_tile.tile<4x8xf16>, !cuda_tile.tile<8x2xf16>, !cuda_tile.tile<4x2xf32>) -> !cuda_tile.tile<4x2xf16>
  }
}

// -----

// 4.31
cuda_tile.module @m {
  entry @k() {
    %a = constant <i16: 1> : tile<4x8xi16>
    %b = constant <i16: 1> : tile<8x2xi16>
    %c = constant <i32: 0> : tile<4x2xi32>
    // expected-error @+1 {{operand #0 must be mmai operand tile type of i8 values}}
    %0 = mmai %a, %b, %c signed signed : tile<4x8xi16>, tile<8x2xi16>, tile<4x2xi32>
  }
}

// -----

// 4.31
cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<4x8xi8>
    %b = constant <i8: 1> : tile<8x2xi8>
    %c = constant <i64: 0> : tile<4x2xi64>
    // expected-error @+1 {{operand #2 must be}}
    %0 = mmai %a, %b, %c signed signed : tile<4x8xi8>, tile<8x2xi8>, tile<4x2xi64>
  }
}

// -----

// 4.31: two keywords
cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<4x8xi8>
    %b = constant <i8: 1> : tile<8x2xi8>
    %c = constant <i32: 0> : tile<4x2xi32>
    // expected-error @+1 {{expected signedness, one of: 'signed', 'unsigned'}}
    %0 = mmai %a, %b, %c signed : tile<4x8xi8>, tile<8x2xi8>, tile<4x2xi32>
  }
}

// -----

// 4.31
cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<8xi8>
    %c = constant <i32: 0> : tile<8xi32>
    // expected-error @+1 {{operands must be 2D or 3D tiles}}
    %0 = mmai %a, %a, %c signed signed : tile<8xi8>, tile<8xi8>, tile<8xi32>
  }
}

// -----

// 4.31
cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<4x8xi8>
    %b = constant <i8: 1> : tile<2x8x2xi8>
    %c = constant <i32: 0> : tile<4x2xi32>
    // expected-error @+1 {{failed to verify that all of {lhs, rhs, acc} have same rank}}
    %0 = mmai %a, %b, %c signed signed : tile<4x8xi8>, tile<2x8x2xi8>, tile<4x2xi32>
  }
}

// -----

// 4.31
cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<4x8xi8>
    %b = constant <i8: 1> : tile<4x2xi8>
    %c = constant <i32: 0> : tile<4x2xi32>
    // expected-error @+1 {{shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match}}
    %0 = mmai %a, %b, %c signed signed : tile<4x8xi8>, tile<4x2xi8>, tile<4x2xi32>
  }
}

// -----

// 4.32
cuda_tile.module @m {
  entry @k() {
    %a = constant <f16: 1.0> : tile<4x32xf16>
    %b = constant <f16: 1.0> : tile<32x2xf16>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<4x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x2xf8E8M0FNU>
    // expected-error @+1 {{operand #0 must be mmaf_scaled operand tile type of f8E4M3FN or f8E5M2 or f4E2M1FN values}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf16>, tile<32x2xf16>, tile<4x2xf32>, tile<4x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
  }
}

// -----

// 4.32
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<32x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E5M2: 1.0> : tile<4x1xf8E5M2>
    %r = constant <f8E5M2: 1.0> : tile<1x2xf8E5M2>
    // expected-error @+1 {{operand #3 must be mmaf_scaled scale tile type of f8E4M3FN or f8E8M0FNU or f8E5M3FNU values}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf8E5M2>, tile<32x2xf8E5M2>, tile<4x2xf32>, tile<4x1xf8E5M2>, tile<1x2xf8E5M2>
  }
}

// -----

// 4.32
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<32x2xf8E5M2>
    %c = constant <f16: 0.0> : tile<4x2xf16>
    %s = constant <f8E8M0FNU: 1.0> : tile<4x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x2xf8E8M0FNU>
    // expected-error @+1 {{operand #2 must be mmaf_scaled result tile type of f32 values}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf8E5M2>, tile<32x2xf8E5M2>, tile<4x2xf16>, tile<4x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
  }
}

// -----

// 4.32: one element type for both scales
cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<4x16xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<16x2xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<4x1xf8E8M0FNU>
    %r = constant <f8E4M3FN: 1.0> : tile<1x2xf8E4M3FN>
    // expected-error @+1 {{failed to verify that all of {lhs_scale, rhs_scale} have the same element type}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x16xf4E2M1FN>, tile<16x2xf4E2M1FN>, tile<4x2xf32>, tile<4x1xf8E8M0FNU>, tile<1x2xf8E4M3FN>
  }
}

// -----

// 4.32: one rank for all five
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<32x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<1x4x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x2xf8E8M0FNU>
    // expected-error @+1 {{have same rank}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf8E5M2>, tile<32x2xf8E5M2>, tile<4x2xf32>, tile<1x4x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
  }
}

// -----

// 4.32: M of the left scale
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<32x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<8x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x2xf8E8M0FNU>
    // expected-error @+1 {{shape error: dim 0 of lhs (4) and dim 0 of lhs_scale (8) must match}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf8E5M2>, tile<32x2xf8E5M2>, tile<4x2xf32>, tile<8x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
  }
}

// -----

// 4.32: N of the right scale
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<32x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<4x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x4xf8E8M0FNU>
    // expected-error @+1 {{shape error: dim 1 of rhs (2) and dim 1 of rhs_scale (4) must match}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf8E5M2>, tile<32x2xf8E5M2>, tile<4x2xf32>, tile<4x1xf8E8M0FNU>, tile<1x4xf8E8M0FNU>
  }
}

// -----

// 4.32: Ks of both scales
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x64xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<64x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<4x2xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x2xf8E8M0FNU>
    // expected-error @+1 {{shape error: dim 1 of lhs_scale (2) and dim 0 of rhs_scale (1) must match}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x64xf8E5M2>, tile<64x2xf8E5M2>, tile<4x2xf32>, tile<4x2xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
  }
}

// -----

// 4.32: f8E4M3FN scales want f4E2M1FN data
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<32x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E4M3FN: 1.0> : tile<4x1xf8E4M3FN>
    %r = constant <f8E4M3FN: 1.0> : tile<1x2xf8E4M3FN>
    // expected-error @+1 {{unsupported combination of element types. Scale type 'f8E4M3FN' expects lhs and rhs element types to be 'f4E2M1FN', but got 'f8E5M2'}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf8E5M2>, tile<32x2xf8E5M2>, tile<4x2xf32>, tile<4x1xf8E4M3FN>, tile<1x2xf8E4M3FN>
  }
}

// -----

// 4.32: block sizes
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x16xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<16x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<4x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x2xf8E8M0FNU>
    // expected-error @+1 {{shape error: f8 element type requires block scale factor of lhs_scale and rhs_scale to be 32, but got 16}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x16xf8E5M2>, tile<16x2xf8E5M2>, tile<4x2xf32>, tile<4x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
  }
}

// -----

// 4.32
cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<4x8xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<8x2xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<4x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x2xf8E8M0FNU>
    // expected-error @+1 {{f4E2M1FN element type with f8E8M0FNU scales requires block scale factor of lhs_scale and rhs_scale to be 16 or 32, but got 8}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x8xf4E2M1FN>, tile<8x2xf4E2M1FN>, tile<4x2xf32>, tile<4x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
  }
}

// -----

// 4.32
cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<4x32xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<32x2xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E4M3FN: 1.0> : tile<4x1xf8E4M3FN>
    %r = constant <f8E4M3FN: 1.0> : tile<1x2xf8E4M3FN>
    // expected-error @+1 {{f4E2M1FN element type with f8E4M3FN scales requires block scale factor of lhs_scale and rhs_scale to be 16, but got 32}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<4x2xf32>, tile<4x1xf8E4M3FN>, tile<1x2xf8E4M3FN>
  }
}

// -----

// 4.32: Ks divides K
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<32x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<4x64xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<64x2xf8E8M0FNU>
    // expected-error @+1 {{shape error}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf8E5M2>, tile<32x2xf8E5M2>, tile<4x2xf32>, tile<4x64xf8E8M0FNU>, tile<64x2xf8E8M0FNU>
  }
}

// -----

// 4.32: batches of the scales
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<2x4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<2x32x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<2x4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<1x4x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<2x1x2xf8E8M0FNU>
    // expected-error @+1 {{shape error: dim 0 of lhs (2) and dim 0 of lhs_scale (1) must match}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<2x4x32xf8E5M2>, tile<2x32x2xf8E5M2>, tile<2x4x2xf32>, tile<1x4x1xf8E8M0FNU>, tile<2x1x2xf8E8M0FNU>
  }
}

// -----

// 4.32
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M2: 1.0> : tile<2x4x32xf8E5M2>
    %b = constant <f8E5M2: 1.0> : tile<2x32x2xf8E5M2>
    %c = constant <f32: 0.0> : tile<2x4x2xf32>
    %s = constant <f8E8M0FNU: 1.0> : tile<2x4x1xf8E8M0FNU>
    %r = constant <f8E8M0FNU: 1.0> : tile<1x1x2xf8E8M0FNU>
    // expected-error @+1 {{shape error: dim 0 of rhs (2) and dim 0 of rhs_scale (1) must match}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<2x4x32xf8E5M2>, tile<2x32x2xf8E5M2>, tile<2x4x2xf32>, tile<2x4x1xf8E8M0FNU>, tile<1x1x2xf8E8M0FNU>
  }
}

// -----

// 4.30
cuda_tile.module @m {
  entry @k() {
    %a = constant <f64: 1.0> : tile<4x8xf64>
    %b = constant <f64: 1.0> : tile<8x2xf64>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    // expected-error @+1 {{unsupported combination of element types. Input type 'f64' expects accumulator/result type to be one of {'f64'}, but got 'f32'}}
    %0 = mmaf %a, %b, %c : tile<4x8xf64>, tile<8x2xf64>, tile<4x2xf32>
  }
}

// -----

// 4.31
cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<4x8xi8>
    %b = constant <i8: 1> : tile<8x2xi8>
    %c = constant <i32: 0> : tile<4x2xi32>
    // expected-error @+1 {{requires attribute 'signedness_lhs'}}
    %0 = "cuda_tile.mmai"(%a, %b, %c) <{signedness_rhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4x8xi8>, !cuda_tile.tile<8x2xi8>, !cuda_tile.tile<4x2xi32>) -> !cuda_tile.tile<4x2xi32>
  }
}

// -----

// 4.31
cuda_tile.module @m {
  entry @k() {
    %a = constant <i8: 1> : tile<4x8xi8>
    %b = constant <i8: 1> : tile<8x2xi8>
    %c = constant <i32: 0> : tile<4x2xi32>
    // expected-error @+1 {{requires attribute 'signedness_rhs'}}
    %0 = "cuda_tile.mmai"(%a, %b, %c) <{signedness_lhs = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<4x8xi8>, !cuda_tile.tile<8x2xi8>, !cuda_tile.tile<4x2xi32>) -> !cuda_tile.tile<4x2xi32>
  }
}

// -----

// 13.4, section 8.2: f8E5M3FNU is no operand element
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E5M3FNU: 1.0> : tile<4x8xf8E5M3FNU>
    %b = constant <f8E5M3FNU: 1.0> : tile<8x2xf8E5M3FNU>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    // expected-error @+1 {{operand #0 must be mmaf operand tile type of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 values}}
    %0 = mmaf %a, %b, %c : tile<4x8xf8E5M3FNU>, tile<8x2xf8E5M3FNU>, tile<4x2xf32>
  }
}

// -----

// 13.4, section 8.3
cuda_tile.module @m {
  entry @k() {
    %a = constant <f8E4M3FN: 1.0> : tile<4x32xf8E4M3FN>
    %b = constant <f8E4M3FN: 1.0> : tile<32x2xf8E4M3FN>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E5M3FNU: 1.0> : tile<4x1xf8E5M3FNU>
    %r = constant <f8E5M3FNU: 1.0> : tile<1x2xf8E5M3FNU>
    // expected-error @+1 {{unsupported combination of element types. Scale type 'f8E5M3FNU' expects lhs and rhs element types to be 'f4E2M1FN', but got 'f8E4M3FN'}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x32xf8E4M3FN>, tile<32x2xf8E4M3FN>, tile<4x2xf32>, tile<4x1xf8E5M3FNU>, tile<1x2xf8E5M3FNU>
  }
}

// -----

// 13.4, section 8.3
cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<4x8xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<8x2xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E5M3FNU: 1.0> : tile<4x1xf8E5M3FNU>
    %r = constant <f8E5M3FNU: 1.0> : tile<1x2xf8E5M3FNU>
    // expected-error @+1 {{f4E2M1FN element type with f8E5M3FNU scales requires block scale factor of lhs_scale and rhs_scale to be 16 or 32, but got 8}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x8xf4E2M1FN>, tile<8x2xf4E2M1FN>, tile<4x2xf32>, tile<4x1xf8E5M3FNU>, tile<1x2xf8E5M3FNU>
  }
}

// -----

// 13.4, section 8.3
cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<4x64xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<64x2xf4E2M1FN>
    %c = constant <f32: 0.0> : tile<4x2xf32>
    %s = constant <f8E5M3FNU: 1.0> : tile<4x1xf8E5M3FNU>
    %r = constant <f8E5M3FNU: 1.0> : tile<1x2xf8E5M3FNU>
    // expected-error @+1 {{to be 16 or 32, but got 64}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x64xf4E2M1FN>, tile<64x2xf4E2M1FN>, tile<4x2xf32>, tile<4x1xf8E5M3FNU>, tile<1x2xf8E5M3FNU>
  }
}

// -----

// 13.4, section 8.3
cuda_tile.module @m {
  entry @k() {
    %a = constant <f4E2M1FN: 1.0> : tile<4x16xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<16x2xf4E2M1FN>
    %c = constant <f16: 0.0> : tile<4x2xf16>
    %s = constant <f8E5M3FNU: 1.0> : tile<4x1xf8E5M3FNU>
    %r = constant <f8E5M3FNU: 1.0> : tile<1x2xf8E5M3FNU>
    // expected-error @+1 {{operand #2 must be mmaf_scaled result tile type of f32 values}}
    %0 = mmaf_scaled %a, %b, %c, %s, %r : tile<4x16xf4E2M1FN>, tile<16x2xf4E2M1FN>, tile<4x2xf16>, tile<4x1xf8E5M3FNU>, tile<1x2xf8E5M3FNU>
  }
}
