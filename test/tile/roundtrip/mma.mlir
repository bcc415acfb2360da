// Matrix multiply-accumulate: every legal combination of element types, both ranks. The
// file is written as it prints; combinations in operations (arithmetic), 4.30 to 4.32.
// RUN: %canonical %s

module {
  cuda_tile.module @mma {
    entry @mmaf() {
      %cst_1_f16 = constant <f16: 1.000000e+00> : tile<4x8xf16>
      %cst_1_f16_0 = constant <f16: 1.000000e+00> : tile<8x2xf16>
      %cst_0_f16 = constant <f16: 0.000000e+00> : tile<4x2xf16>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<4x2xf32>
      %0 = mmaf %cst_1_f16, %cst_1_f16_0, %cst_0_f16 : tile<4x8xf16>, tile<8x2xf16>, tile<4x2xf16>
      %1 = mmaf %cst_1_f16, %cst_1_f16_0, %cst_0_f32 : tile<4x8xf16>, tile<8x2xf16>, tile<4x2xf32>
      %cst_1_bf16 = constant <bf16: 1.000000e+00> : tile<4x8xbf16>
      %cst_1_bf16_1 = constant <bf16: 1.000000e+00> : tile<8x2xbf16>
      %2 = mmaf %cst_1_bf16, %cst_1_bf16_1, %cst_0_f32 {note} : tile<4x8xbf16>, tile<8x2xbf16>, tile<4x2xf32>
      %cst_1_tf32 = constant <tf32: 1.000000e+00> : tile<4x8xtf32>
      %cst_1_tf32_2 = constant <tf32: 1.000000e+00> : tile<8x2xtf32>
      %3 = mmaf %cst_1_tf32, %cst_1_tf32_2, %cst_0_f32 : tile<4x8xtf32>, tile<8x2xtf32>, tile<4x2xf32>
      %cst_1_f32 = constant <f32: 1.000000e+00> : tile<4x8xf32>
      %cst_1_f32_3 = constant <f32: 1.000000e+00> : tile<8x2xf32>
      %4 = mmaf %cst_1_f32, %cst_1_f32_3, %cst_0_f32 : tile<4x8xf32>, tile<8x2xf32>, tile<4x2xf32>
      return
    }
    entry @mmaf_double() {
      %cst_1_f64 = constant <f64: 1.000000e+00> : tile<4x8xf64>
      %cst_1_f64_0 = constant <f64: 1.000000e+00> : tile<8x2xf64>
      %cst_0_f64 = constant <f64: 0.000000e+00> : tile<4x2xf64>
      %0 = mmaf %cst_1_f64, %cst_1_f64_0, %cst_0_f64 : tile<4x8xf64>, tile<8x2xf64>, tile<4x2xf64>
      return
    }
    // fast_acc may stand on any element type (4.30); three ranks mean a batch.
    entry @mmaf_batched() {
      %cst_1_f8E4M3FN = constant <f8E4M3FN: 1.000000e+00> : tile<2x4x8xf8E4M3FN>
      %cst_1_f8E4M3FN_0 = constant <f8E4M3FN: 1.000000e+00> : tile<2x8x2xf8E4M3FN>
      %cst_0_f16 = constant <f16: 0.000000e+00> : tile<2x4x2xf16>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<2x4x2xf32>
      %0 = mmaf %cst_1_f8E4M3FN, %cst_1_f8E4M3FN_0, %cst_0_f16 fast_acc : tile<2x4x8xf8E4M3FN>, tile<2x8x2xf8E4M3FN>, tile<2x4x2xf16>
      %1 = mmaf %cst_1_f8E4M3FN, %cst_1_f8E4M3FN_0, %cst_0_f32 : tile<2x4x8xf8E4M3FN>, tile<2x8x2xf8E4M3FN>, tile<2x4x2xf32>
      %cst_1_f8E5M2 = constant <f8E5M2: 1.000000e+00> : tile<2x4x8xf8E5M2>
      %cst_1_f8E5M2_1 = constant <f8E5M2: 1.000000e+00> : tile<2x8x2xf8E5M2>
      %2 = mmaf %cst_1_f8E5M2, %cst_1_f8E5M2_1, %cst_0_f16 : tile<2x4x8xf8E5M2>, tile<2x8x2xf8E5M2>, tile<2x4x2xf16>
      %3 = mmaf %cst_1_f8E5M2, %cst_1_f8E5M2_1, %cst_0_f32 fast_acc {note} : tile<2x4x8xf8E5M2>, tile<2x8x2xf8E5M2>, tile<2x4x2xf32>
      %cst_1_f16 = constant <f16: 1.000000e+00> : tile<2x4x8xf16>
      %cst_1_f16_2 = constant <f16: 1.000000e+00> : tile<2x8x2xf16>
      %4 = mmaf %cst_1_f16, %cst_1_f16_2, %cst_0_f32 fast_acc : tile<2x4x8xf16>, tile<2x8x2xf16>, tile<2x4x2xf32>
      return
    }
    entry @mmai() {
      %cst_1_i8 = constant <i8: 1> : tile<4x8xi8>
      %cst_1_i8_0 = constant <i8: 1> : tile<8x2xi8>
      %cst_0_i32 = constant <i32: 0> : tile<4x2xi32>
      %0 = mmai %cst_1_i8, %cst_1_i8_0, %cst_0_i32 signed signed : tile<4x8xi8>, tile<8x2xi8>, tile<4x2xi32>
      %1 = mmai %cst_1_i8, %cst_1_i8_0, %cst_0_i32 signed unsigned : tile<4x8xi8>, tile<8x2xi8>, tile<4x2xi32>
      %2 = mmai %cst_1_i8, %cst_1_i8_0, %cst_0_i32 unsigned signed : tile<4x8xi8>, tile<8x2xi8>, tile<4x2xi32>
      %3 = mmai %cst_1_i8, %cst_1_i8_0, %cst_0_i32 unsigned unsigned {note} : tile<4x8xi8>, tile<8x2xi8>, tile<4x2xi32>
      %cst_1_i8_1 = constant <i8: 1> : tile<2x4x8xi8>
      %cst_1_i8_2 = constant <i8: 1> : tile<2x8x2xi8>
      %cst_0_i32_3 = constant <i32: 0> : tile<2x4x2xi32>
      %4 = mmai %cst_1_i8_1, %cst_1_i8_2, %cst_0_i32_3 signed signed : tile<2x4x8xi8>, tile<2x8x2xi8>, tile<2x4x2xi32>
      return
    }
    // Blocks of 32 for the 8-bit formats (4.32).
    entry @mmaf_scaled_f8() {
      %cst_1_f8E4M3FN = constant <f8E4M3FN: 1.000000e+00> : tile<4x64xf8E4M3FN>
      %cst_1_f8E4M3FN_0 = constant <f8E4M3FN: 1.000000e+00> : tile<64x2xf8E4M3FN>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<4x2xf32>
      %cst_1_f8E8M0FNU = constant <f8E8M0FNU: 1.000000e+00> : tile<4x2xf8E8M0FNU>
      %cst_1_f8E8M0FNU_1 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x2xf8E8M0FNU>
      %0 = mmaf_scaled %cst_1_f8E4M3FN, %cst_1_f8E4M3FN_0, %cst_0_f32, %cst_1_f8E8M0FNU, %cst_1_f8E8M0FNU_1 : tile<4x64xf8E4M3FN>, tile<64x2xf8E4M3FN>, tile<4x2xf32>, tile<4x2xf8E8M0FNU>, tile<2x2xf8E8M0FNU>
      %cst_1_f8E5M2 = constant <f8E5M2: 1.000000e+00> : tile<2x4x32xf8E5M2>
      %cst_1_f8E5M2_2 = constant <f8E5M2: 1.000000e+00> : tile<2x32x2xf8E5M2>
      %cst_0_f32_3 = constant <f32: 0.000000e+00> : tile<2x4x2xf32>
      %cst_1_f8E8M0FNU_4 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x4x1xf8E8M0FNU>
      %cst_1_f8E8M0FNU_5 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x1x2xf8E8M0FNU>
      %1 = mmaf_scaled %cst_1_f8E5M2, %cst_1_f8E5M2_2, %cst_0_f32_3, %cst_1_f8E8M0FNU_4, %cst_1_f8E8M0FNU_5 {note} : tile<2x4x32xf8E5M2>, tile<2x32x2xf8E5M2>, tile<2x4x2xf32>, tile<2x4x1xf8E8M0FNU>, tile<2x1x2xf8E8M0FNU>
      return
    }
    // Blocks of 16 or 32 for f4E2M1FN with f8E8M0FNU or f8E5M3FNU scales, of 16 with f8E4M3FN scales.
    entry @mmaf_scaled_f4() {
      %cst_1_f4E2M1FN = constant <f4E2M1FN: 1.000000e+00> : tile<4x32xf4E2M1FN>
      %cst_1_f4E2M1FN_0 = constant <f4E2M1FN: 1.000000e+00> : tile<32x2xf4E2M1FN>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<4x2xf32>
      %cst_1_f8E8M0FNU = constant <f8E8M0FNU: 1.000000e+00> : tile<4x1xf8E8M0FNU>
      %cst_1_f8E8M0FNU_1 = constant <f8E8M0FNU: 1.000000e+00> : tile<1x2xf8E8M0FNU>
      %0 = mmaf_scaled %cst_1_f4E2M1FN, %cst_1_f4E2M1FN_0, %cst_0_f32, %cst_1_f8E8M0FNU, %cst_1_f8E8M0FNU_1 : tile<4x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<4x2xf32>, tile<4x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
      %cst_1_f8E8M0FNU_2 = constant <f8E8M0FNU: 1.000000e+00> : tile<4x2xf8E8M0FNU>
      %cst_1_f8E8M0FNU_3 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x2xf8E8M0FNU>
      %1 = mmaf_scaled %cst_1_f4E2M1FN, %cst_1_f4E2M1FN_0, %cst_0_f32, %cst_1_f8E8M0FNU_2, %cst_1_f8E8M0FNU_3 : tile<4x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<4x2xf32>, tile<4x2xf8E8M0FNU>, tile<2x2xf8E8M0FNU>
      %cst_1_f8E4M3FN = constant <f8E4M3FN: 1.000000e+00> : tile<4x2xf8E4M3FN>
      %cst_1_f8E4M3FN_4 = constant <f8E4M3FN: 1.000000e+00> : tile<2x2xf8E4M3FN>
      %2 = mmaf_scaled %cst_1_f4E2M1FN, %cst_1_f4E2M1FN_0, %cst_0_f32, %cst_1_f8E4M3FN, %cst_1_f8E4M3FN_4 : tile<4x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<4x2xf32>, tile<4x2xf8E4M3FN>, tile<2x2xf8E4M3FN>
      %cst_1_f8E5M3FNU = constant <f8E5M3FNU: 1.000000e+00> : tile<4x2xf8E5M3FNU>
      %cst_2_f8E5M3FNU = constant <f8E5M3FNU: 2.000000e+00> : tile<2x2xf8E5M3FNU>
      %3 = mmaf_scaled %cst_1_f4E2M1FN, %cst_1_f4E2M1FN_0, %cst_0_f32, %cst_1_f8E5M3FNU, %cst_2_f8E5M3FNU : tile<4x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<4x2xf32>, tile<4x2xf8E5M3FNU>, tile<2x2xf8E5M3FNU>
      return
    }
  }
}
