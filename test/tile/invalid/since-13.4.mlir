// What is refused of the operations, fields and types that 13.4 and 13.5 added. The sections are
// those of the document on these versions.
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// 13.4, section 2: index count
cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    %s = iota : tile<4xi16>
    %d = iota : tile<8xi16>
    // expected-error @+1 {{expected 1 indices, but got 2}}
    %r = insert %s, %d[%i, %i] : tile<4xi16>, tile<8xi16>
  }
}

// -----

// 13.4, section 2: the source is larger
cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    %s = iota : tile<8xi16>
    %d = iota : tile<4xi16>
    // expected-error @+1 {{destination dimension 0 size (4) must be evenly divisible by source dimension 0 size (8)}}
    %r = insert %s, %d[%i] : tile<8xi16>, tile<4xi16>
  }
}

// -----

// 13.4, section 2: ranks
cuda_tile.module @m {
  entry @k(%i: tile<i32>, %s: tile<i16>) {
    %d = iota : tile<4xi16>
    // expected-error @+1 {{failed to verify that all of {source, destination} have same rank}}
    %r = insert %s, %d[%i] : tile<i16>, tile<4xi16>
  }
}

// -----

// 13.4, section 2: element types
cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    %s = iota : tile<4xi32>
    %d = iota : tile<8xi16>
    // expected-error @+1 {{all of {source, destination} have the same element type}}
    %r = insert %s, %d[%i] : tile<4xi32>, tile<8xi16>
  }
}

// -----

// 13.4, section 2: index type
cuda_tile.module @m {
  entry @k(%i: tile<i64>) {
    %s = iota : tile<4xi16>
    %d = iota : tile<8xi16>
    // expected-error @+1 {{operand #2 must be variadic of 0D tile of i32 values}}
    %r = "cuda_tile.insert"(%s, %d, %i) : (!cuda_tile.tile<4xi16>, !cuda_tile.tile<8xi16>, !cuda_tile.tile<i64>) -> !cuda_tile.tile<8xi16>
  }
}

// -----

// 13.4, section 2: result type
cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    %s = iota : tile<4xi16>
    %d = iota : tile<8xi16>
    // expected-error @+1 {{failed to verify that all of {destination, result} have same type}}
    %r = "cuda_tile.insert"(%s, %d, %i) : (!cuda_tile.tile<4xi16>, !cuda_tile.tile<8xi16>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<4xi16>
  }
}

// -----

// 13.4, section 3: exponent i64
cuda_tile.module @m {
  entry @k(%x: tile<f32>, %n: tile<i64>) {
    // expected-error @+1 {{operand #1 must be tile of i1 or i8 or i16 or i32 values, but got}}
    %r = fpowi %x, %n : tile<f32>, tile<i64>
  }
}

// -----

// 13.4, section 3: exponent i4
cuda_tile.module @m {
  entry @k(%x: tile<f32>, %n: tile<i4>) {
    // expected-error @+1 {{operand #1 must be tile of i1 or i8 or i16 or i32 values, but got}}
    %r = fpowi %x, %n : tile<f32>, tile<i4>
  }
}

// -----

// 13.4, section 3: exponent f32
cuda_tile.module @m {
  entry @k(%x: tile<f32>, %n: tile<f32>) {
    // expected-error @+1 {{operand #1 must be tile of i1 or i8 or i16 or i32 values, but got}}
    %r = fpowi %x, %n : tile<f32>, tile<f32>
  }
}

// -----

// 13.4, section 3: source
cuda_tile.module @m {
  entry @k(%x: tile<tf32>, %n: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got}}
    %r = fpowi %x, %n : tile<tf32>, tile<i32>
  }
}

// -----

// 13.4, section 3: shapes
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %x = constant <f32: 1.0> : tile<4xf32>
    // expected-error @+1 {{failed to verify that all of {source, exponent} have same shape}}
    %r = fpowi %x, %n : tile<4xf32>, tile<i32>
  }
}

// -----

// 13.4, section 3: result type
cuda_tile.module @m {
  entry @k(%x: tile<f32>, %n: tile<i32>) {
    // expected-error @+1 {{expected the result type to be that of the source, '!cuda_tile.tile<f32>', but got '!cuda_tile.tile<f64>'}}
    %r = fpowi %x, %n : tile<f32>, tile<i32> -> tile<f64>
  }
}

// -----

// 13.4, section 3: result type
cuda_tile.module @m {
  entry @k(%x: tile<f32>, %n: tile<i32>) {
    // expected-error @+1 {{failed to verify that all of {source, result} have same type}}
    %r = "cuda_tile.fpowi"(%x, %n) : (!cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<f64>
  }
}

// -----

// 13.4, section 4: two tokens
cuda_tile.module @m {
  entry @k() {
    %a = make_token : token
    // expected-error @+1 {{operand group starting at #0 requires 0 or 1 element, but found 2}}
    %b = "cuda_tile.gdc_wait_tko"(%a, %a) : (!cuda_tile.token, !cuda_tile.token) -> !cuda_tile.token
  }
}

// -----

// 13.4, section 4: a tile
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be cuda tile token type, but got}}
    %b = "cuda_tile.gdc_launch_dependents_tko"(%x) : (!cuda_tile.tile<i32>) -> !cuda_tile.token
  }
}

// -----

// 13.4, section 5: no token
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{requires a single operand}}
    %b = "cuda_tile.memory_fence_alias_tko"() : () -> !cuda_tile.token
  }
}

// -----

// 13.4, section 6: one entry per index
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    // expected-error @+1 {{expected 'inbounds' to have one entry for each of the 2 indices, got 1}}
    %t, %k = load_view_tko weak %w[%i, %i] inbounds = [true] : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x8xf32>, token
  }
}

// -----

// 13.4, section 6
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    // expected-error @+1 {{expected 'true' or 'false' in 'inbounds'}}
    %t, %k = load_view_tko weak %w[%i, %i] inbounds = [true, maybe] : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x8xf32>, token
  }
}

// -----

// 13.4, section 6: of a store
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    %x = constant <f32: 1.0> : tile<8x8xf32>
    // expected-error @+1 {{expected 'inbounds' to have one entry for each of the 2 indices, got 3}}
    %k = store_view_tko weak %x, %w[%i, %i] inbounds = [true, false, true] : tile<8x8xf32>, partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// 13.4, section 6: of a reduction
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    %x = constant <f32: 1.0> : tile<8x8xf32>
    // expected-error @+1 {{expected 'inbounds' to have one entry for each of the 2 indices, got 1}}
    %k = atomic_red_view_tko relaxed device %w[%i, %i], addf, %x inbounds = [true] : tile<8x8xf32>, partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}

// -----

// 13.4, section 7.1
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'nearest_int_to_zero', got: 'nearest_away'}}
    %r = ftoi %x signed rounding<nearest_away> : tile<f32> -> tile<i32>
  }
}

// -----

// 13.4, section 7.2
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+2 {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'nearest_away'}}
    // expected-note @+1 {{did you mean 'nearest_even'?}}
    %r = addf %x, %x rounding<nearest_away> : tile<f32>
  }
}

// -----

// 13.4, section 7.2
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
    %r = "cuda_tile.addf"(%x, %x) <{rounding_mode = #cuda_tile.rounding<nearest_away>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}

// -----

// 13.4, section 8.1
cuda_tile.module @m {
  // expected-error @+1 {{expected a pointer attribute, one of: none, unicast, multicast, but got 'anycast'}}
  entry @k(%p: tile<ptr<f32, anycast>>) {}
}

// -----

// 13.4, section 8.1: absent is not default
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected the base to have the attribute of the tensor_view, attribute 'none', got no attribute}}
    %v = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>
  }
}

// -----

// 13.4, section 8.1: nor default absent
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <none>>>) {
    // expected-error @+1 {{expected the base to have the attribute of the tensor_view, no attribute, got attribute 'none'}}
    %v = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32, <none>>>) -> !cuda_tile.tensor_view<8xf32, strides=[1]>
  }
}

// -----

// 13.4, section 8.1: offset
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    // expected-error @+1 {{failed to verify that all of {result, ptr} have same type}}
    %q = offset %p, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32, <none>>>
  }
}

// -----

// 13.4, section 8.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{cannot access memory through a multicast address: only the multimem operations can}}
    %r, %k = load_ptr_tko weak %p : tile<ptr<f32, <multicast>>> -> tile<f32>, token
  }
}

// -----

// 13.4, section 8.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{cannot access memory through a multicast address: only the multimem operations can}}
    %k = store_ptr_tko weak %p, %x : tile<ptr<f32, <multicast>>>, tile<f32> -> token
  }
}

// -----

// 13.4, section 8.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{cannot access memory through a multicast address: only the multimem operations can}}
    %r, %k = atomic_rmw_tko relaxed device %p, addf, %x : tile<ptr<f32, <multicast>>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// 13.4, section 8.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{cannot access memory through a multicast address: only the multimem operations can}}
    %r, %k = atomic_cas_tko relaxed device %p, %x, %x : tile<ptr<f32, <multicast>>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// 13.4, section 8.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>, %x: tile<f32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    // expected-error @+1 {{cannot access memory through a multicast address: only the multimem operations can}}
    %t, %k = load_view_tko weak %w[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xf32>, token
  }
}

// -----

// 13.4, section 8.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>, %x: tile<f32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %x8 = constant <f32: 1.0> : tile<8x8xf32>
    // expected-error @+1 {{cannot access memory through a multicast address: only the multimem operations can}}
    %k = store_view_tko weak %x8, %w[%i, %i] : tile<8x8xf32>, partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token
  }
}

// -----

// 13.4, section 8.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>, %x: tile<f32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %x8 = constant <f32: 1.0> : tile<8x8xf32>
    // expected-error @+1 {{cannot access memory through a multicast address: only the multimem operations can}}
    %k = atomic_red_view_tko relaxed device %w[%i, %i], addf, %x8 : tile<8x8xf32>, partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <unicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <unicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<unicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<unicast>>>
    // expected-error @+1 {{expected a view of a tensor_view with attribute 'multicast', got attribute 'unicast'}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<unicast>>>, tile<i32> -> tile<8x8xf32>, token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>
    // expected-error @+1 {{expected a view of a tensor_view with attribute 'multicast', got no attribute}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x8xf32>, token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <f32: 0.0> : tile<8x8xf32>
    // expected-error @+1 {{reduction 'max' does not work on 'f32'; supported: add}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xf32>, token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<i8, <multicast>>> -> tensor_view<64x64xi8, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xi8, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <i8: 0> : tile<8x8xi8>
    // expected-error @+1 {{works only on i32, i64, f16, bf16, f32 and f64, but not on 'i8'}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xi8, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xi8>, token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<bf16, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<bf16, <multicast>>> -> tensor_view<64x64xbf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xbf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <bf16: 0.0> : tile<8x8xbf16>
    // expected-error @+1 {{reduction 'and' does not work on 'bf16'; supported: add, min, max}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(8x8), tensor_view<64x64xbf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xbf16>, token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<f16, <multicast>>> -> tensor_view<64x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <f16: 0.0> : tile<8x8xf16>
    // expected-error @+1 {{reduction 'max' does not work on 'f16'; supported: add}}
    %k = multimem_reduce_view_tko relaxed device %w, %y[%i, %i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8x8), tensor_view<64x64xf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x8xf16>, tile<i32> -> token
  }
}

// -----

// 13.4, section 9.2: never weak
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<i32, <multicast>>> -> tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <i32: 0> : tile<8x8xi32>
    // expected-error @+1 {{expect one of: relaxed, or release, but got: weak}}
    %k = multimem_reduce_view_tko weak device %w, %y[%i, %i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x8xi32>, tile<i32> -> token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<i32, <multicast>>> -> tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <i32: 0> : tile<8x8xi32>
    // expected-error @+1 {{invalid reduction attribute specification. Got "xchg" but expect one of: add, min, max, and, or, xor, umin, umax}}
    %k = multimem_reduce_view_tko relaxed device %w[%i, %i], xchg, %y : tile<8x8xi32>, partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<i32, <multicast>>> -> tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <i32: 0> : tile<8x8xi32>
    // expected-error @+1 {{expect one of: weak, relaxed, or release, but got: acquire}}
    %k = multimem_store_view_tko acquire sys %w, %y[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x8xi32>, tile<i32> -> token
  }
}

// -----

// 13.4, section 9.2: tile type
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<i32, <multicast>>> -> tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <i32: 0> : tile<8x8xi32>
    // expected-error @+1 {{expected tile type to be '!cuda_tile.tile<8x8xi32>' (based on view type), got '!cuda_tile.tile<4x4xi32>'}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4x4xi32>, token
  }
}

// -----

// 13.4, section 9.2: other views
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<i32, <multicast>>> -> tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_strided_view %v : strided_view<tile=(8x8), traversal_strides=[4, 4], tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    // expected-error @+1 {{operand #0 must be partition_view, but got}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] : strided_view<tile=(8x8), traversal_strides=[4, 4], tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xi32>, token
  }
}

// -----

// 13.4, section 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    // expected-error @+1 {{requires attribute 'reduction'}}
    %t, %k = "cuda_tile.multimem_load_reduce_view_tko"(%w, %i) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!cuda_tile.partition_view<tile=(8), tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<8xi32>, !cuda_tile.token)
  }
}

// -----

// 13.5, section 14: one stride of 16-bit elements is 1, in each of the three operations.
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 2] : tile<ptr<f16, <multicast>>> -> tensor_view<64x64xf16, strides=[64,2], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf16, strides=[64,2], #cuda_tile.ptr_attr<multicast>>>
    // expected-error @+1 {{expected exactly one stride that is statically 1, as 'f16' needs, but got strides [64, 2]}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xf16, strides=[64,2], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xf16>, token
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<bf16, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [1, 1] : tile<ptr<bf16, <multicast>>> -> tensor_view<64x64xbf16, strides=[1,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xbf16, strides=[1,1], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <bf16: 0.0> : tile<8x8xbf16>
    // expected-error @+1 {{expected exactly one stride that is statically 1, as 'bf16' needs, but got strides [1, 1]}}
    %k = multimem_reduce_view_tko relaxed device %w, %y[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xbf16, strides=[1,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x8xbf16>, tile<i32> -> token
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<bf16, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [%i, %i] : tile<ptr<bf16, <multicast>>>, tile<i32> -> tensor_view<64x64xbf16, strides=[?,?], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xbf16, strides=[?,?], #cuda_tile.ptr_attr<multicast>>>
    %y = constant <bf16: 0.0> : tile<8x8xbf16>
    // expected-error @+1 {{expected exactly one stride that is statically 1, as 'bf16' needs, but got strides [?, ?]}}
    %k = multimem_store_view_tko weak %w, %y[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xbf16, strides=[?,?], #cuda_tile.ptr_attr<multicast>>>, tile<8x8xbf16>, tile<i32> -> token
  }
}

// -----

// One of the strides is 1; elements of 32 bits need none.
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16, <multicast>>>, %q: tile<ptr<f32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [1, %i] : tile<ptr<f16, <multicast>>>, tile<i32> -> tensor_view<64x64xf16, strides=[1,?], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xf16, strides=[1,?], #cuda_tile.ptr_attr<multicast>>>
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xf16, strides=[1,?], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xf16>, token
    %v2 = make_tensor_view %q, shape = [64, 64], strides = [64, 2] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,2], #cuda_tile.ptr_attr<multicast>>
    %w2 = make_partition_view %v2 : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,2], #cuda_tile.ptr_attr<multicast>>>
    %t2, %k2 = multimem_load_reduce_view_tko weak %w2[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[64,2], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x8xf32>, token
  }
}

// -----

// 13.5, section 14: the types of the operands
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<i32, <multicast>>> -> tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
    // expected-error @+1 {{expected the types of 1 operand and 2 indices, got 1 type}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i, %i] : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>> -> tile<8x8xi32>, token
  }
}

// -----

// The attribute has the same members.
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    // expected-error @+2 {{to be one of: add, min, max, and, or, xor, umin, umax}}
    // expected-error @+1 {{failed to parse}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<xchg>} : partition_view<tile=(8), tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xi32>, token
  }
}

// -----

// The reduction, once
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    // expected-error @+1 {{the reduction is given twice}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i], max attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8), tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xi32>, token
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32, <multicast>>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<i32, <multicast>>> -> tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    // expected-error @+1 {{expected 'reduction' to be #cuda_tile.multimem_reduction_kind<...>, but got 2 : i32}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i] attributes {reduction = 2 : i32} : partition_view<tile=(8), tensor_view<8xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xi32>, token
  }
}

// -----

// 13.4, section 14: the base type, if it is written
cuda_tile.module @m {
  // expected-note @+1 {{prior use here}}
  entry @k(%p: tile<ptr<f32, <unicast>>>) {
    // expected-error @+1 {{use of value '%p' expects different type than prior uses}}
    %v = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<f32>> -> tensor_view<8xf32, strides=[1]>
  }
}
