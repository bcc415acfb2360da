// Which literals are read, as which value, and how is that printed? The ranges are those of
// types, 11.2 and 11.3, the conversions those of 2.7 and the bit patterns those of 2.2; all
// expected values were computed by hand from these tables.
// RUN: %tilewright print %s | FileCheck %s
// RUN: %fixpoint %s

// CHECK-LABEL: cuda_tile.module @constants
cuda_tile.module @constants {
  // CHECK: entry @integers
  entry @integers() {
    // -1 is the all-ones pattern, and that is `true`.
    // CHECK-NEXT: %true = constant <i1: true> : tile<i1>
    %0 = constant <i1: -1> : tile<i1>
    // CHECK-NEXT: constant <i1: [false, true]> : tile<2xi1>
    %1 = constant <i1: [0, 1]> : tile<2xi1>
    // CHECK-NEXT: constant <i1: [true, false]> : tile<2xi1>
    %2 = constant <i1: [true, 0x0]> : tile<2xi1>
    // CHECK-NEXT: %cst_i8 = constant <i8: [-128, -1, 127, -128]> : tile<4xi8>
    %3 = constant <i8: [-128, 255, 0x7F, 128]> : tile<4xi8>
    // CHECK-NEXT: %cst_-1_i8 = constant <i8: -1> : tile<i8>
    %4 = constant <i8: 255> : tile<i8>
    // CHECK-NEXT: constant <i16: [-32768, -1, 127, -16]> : tile<4xi16>
    %5 = constant <i16: [-32768, 65535, 0x7f, -0x10]> : tile<4xi16>
    // CHECK-NEXT: constant <i32: [-2147483648, -1]> : tile<2xi32>
    %6 = constant <i32: [-2147483648, 4294967295]> : tile<2xi32>
    // CHECK-NEXT: constant <i64: [-9223372036854775808, 9223372036854775807]> : tile<2xi64>
    %7 = constant <i64: [-9223372036854775808, 0x7FFFFFFFFFFFFFFF]> : tile<2xi64>
    return
  }
  // Nearest even, and without the saturation that conversions have (2.7).
  // CHECK: entry @rounding
  entry @rounding() {
    // CHECK-NEXT: constant <f8E4M3FN: [4.480000e+02, 0x7F, 0x7F, 3.125000e-01]> : tile<4xf8E4M3FN>
    %0 = constant <f8E4M3FN: [464.0, 465.0, 1.0e9, 0.3]> : tile<4xf8E4M3FN>
    // CHECK-NEXT: %cst_f8E5M2 = constant <f8E5M2: 0x7C> : tile<f8E5M2>
    %1 = constant <f8E5M2: 1.0e9> : tile<f8E5M2>
    // CHECK-NEXT: %cst_f16 = constant <f16: 0x7C00> : tile<f16>
    %2 = constant <f16: 70000.0> : tile<f16>
    // CHECK-NEXT: constant <f4E2M1FN: [0.000000e+00, 1.000000e+00, 4.000000e+00, 6.000000e+00, -6.000000e+00, 6.000000e+00, -0.000000e+00, -6.000000e+00]> : tile<8xf4E2M1FN>
    %3 = constant <f4E2M1FN: [0.25, 0.75, 5.0, 100.0, -7.0, 1.8e308, -0.0, -1.8e308]> : tile<8xf4E2M1FN>
    // 2^-127 is the least value of f8E8M0FNU; it has no zero and no sign.
    // CHECK-NEXT: constant <f8E8M0FNU: [4.000000e+00, 5.877470e-39, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 5.877470e-39]> : tile<8xf8E8M0FNU>
    %4 = constant <f8E8M0FNU: [3.0, 0.0, -1.0, 1.0e39, -0.3, -100.0, 1.8e308, 1.0e-50]> : tile<8xf8E8M0FNU>
    // CHECK-NEXT: %cst_f32 = constant <f32: 0x7F800000> : tile<f32>
    %5 = constant <f32: 1.0e39> : tile<f32>
    // 118784 is a tie, and goes to the largest; 2^-18 one between nothing and the least (13.4,
    // section 8.2).
    // CHECK-NEXT: constant <f8E5M3FNU: [1.146880e+05, 0xFF, 0xFF, 0xFF, 0.000000e+00, 7.629390e-06, 3.125000e-01, 0.000000e+00]> : tile<8xf8E5M3FNU>
    %6 = constant <f8E5M3FNU: [118784.0, 122880.0, 1.0e39, 1.8e308, 3.814697265625e-06, 5.7220458984375e-06, 0.3, 1.0e-50]> : tile<8xf8E5M3FNU>
    return
  }
  // The table of bit patterns (11.3): 1.0, -2.0, the largest, infinity, NaN.
  // CHECK: entry @patterns
  entry @patterns() {
    // CHECK-NEXT: constant <f16: [1.000000e+00, -2.000000e+00, 6.550400e+04, 0x7C00]> : tile<4xf16>
    %0 = constant <f16: [0x3C00, 0xC000, 0x7BFF, 0x7C00]> : tile<4xf16>
    // CHECK-NEXT: constant <bf16: [1.000000e+00, -2.000000e+00, 3.389530e+38, 0x7F80]> : tile<4xbf16>
    %1 = constant <bf16: [0x3F80, 0xC000, 0x7F7F, 0x7F80]> : tile<4xbf16>
    // CHECK-NEXT: constant <f32: [1.000000e+00, -2.000000e+00, 3.40282347E+38, 0x7F800000]> : tile<4xf32>
    %2 = constant <f32: [0x3F800000, 0xC0000000, 0x7F7FFFFF, 0x7F800000]> : tile<4xf32>
    // CHECK-NEXT: constant <tf32: [1.000000e+00, -2.000000e+00, 0x3FC00, 0x3FE00]> : tile<4xtf32>
    %3 = constant <tf32: [0x1FC00, 0x60000, 0x3FC00, 0x3FE00]> : tile<4xtf32>
    // CHECK-NEXT: constant <f8E4M3FN: [1.000000e+00, -2.000000e+00, 4.480000e+02, 0x7F]> : tile<4xf8E4M3FN>
    %4 = constant <f8E4M3FN: [0x38, 0xC0, 0x7E, 0x7F]> : tile<4xf8E4M3FN>
    // CHECK-NEXT: constant <f8E5M2: [1.000000e+00, -2.000000e+00, 5.734400e+04, 0x7C]> : tile<4xf8E5M2>
    %5 = constant <f8E5M2: [0x3C, 0xC0, 0x7B, 0x7C]> : tile<4xf8E5M2>
    // CHECK-NEXT: constant <f8E8M0FNU: [1.000000e+00, 5.000000e-01, 1.701410e+38, 0xFF]> : tile<4xf8E8M0FNU>
    %6 = constant <f8E8M0FNU: [0x7F, 0x7E, 0xFE, 0xFF]> : tile<4xf8E8M0FNU>
    // CHECK-NEXT: constant <f4E2M1FN: [1.000000e+00, -2.000000e+00, 6.000000e+00, -0.000000e+00]> : tile<4xf4E2M1FN>
    %7 = constant <f4E2M1FN: [0x2, 0xC, 0x7, 0x8]> : tile<4xf4E2M1FN>
    // CHECK-NEXT: constant <f8E5M3FNU: [1.000000e+00, 1.125000e+00, 1.146880e+05, 0xFF, 0.000000e+00, 7.629390e-06, 5.340580e-05, 6.103520e-05]> : tile<8xf8E5M3FNU>
    %e5m3 = constant <f8E5M3FNU: [0x78, 0x79, 0xFE, 0xFF, 0x00, 0x01, 0x07, 0x08]> : tile<8xf8E5M3FNU>
    // The name that the text of the 13.4 specification has.
    // CHECK-NEXT: %cst_2_f8E5M3FNU = constant <f8E5M3FNU: 2.000000e+00> : tile<4xf8E5M3FNU>
    %fnv = constant <fnv8E5M3FNU: 2.0> : !cuda_tile.tile<4x!cuda_tile.fnv8E5M3FNU>
    // CHECK-NEXT: %cst_NaN_f8E5M3FNU = constant <f8E5M3FNU: 0xFF> : tile<f8E5M3FNU>
    %nan = constant <f8E5M3FNU: 0xFF> : tile<f8E5M3FNU>
    // CHECK-NEXT: %cst_f8E5M3FNU_0 = constant <f8E5M3FNU: 5.000000e-01> : tile<f8E5M3FNU>
    %half = constant <f8E5M3FNU: "0x70"> : tile<f8E5M3FNU>
    // CHECK-NEXT: constant <f64: [1.000000e+00, -2.000000e+00, 0x7FF0000000000000, 0x7FF8000000000000]> : tile<4xf64>
    %8 = constant <f64: [0x3FF0000000000000, 0xC000000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tile<4xf64>
    return
  }
  // Six digits if they are exact, else LLVM's natural form, else bits (textual format, 12.3).
  // CHECK: entry @printing
  entry @printing() {
    // CHECK-NEXT: constant <f32: [1.000000e-01, 3.14159274, 123456.703, 9.99999974E-6]> : tile<4xf32>
    %0 = constant <f32: [0.1, 3.14159274, 123456.703, 9.99999974E-6]> : tile<4xf32>
    // CHECK-NEXT: constant <f32: [0x4B800000, 0x4996B438]> : tile<2xf32>
    %1 = constant <f32: [16777216.0, 1234567.0]> : tile<2xf32>
    // CHECK-NEXT: constant <f64: [2.7182818284590451, 0x4340000000000000]> : tile<2xf64>
    %2 = constant <f64: [2.718281828459045, 9007199254740992.0]> : tile<2xf64>
    // CHECK-NEXT: constant <f16: [9.997550e-02, 5.960460e-08]> : tile<2xf16>
    %3 = constant <f16: [0.1, 0x0001]> : tile<2xf16>
    // A decimal point is enough; digits after it are not needed.
    // CHECK-NEXT: %cst_1_f64 = constant <f64: 1.000000e+00> : tile<f64>
    %4 = constant <f64: 1.> : tile<f64>
    // CHECK-NEXT: constant <f32: -2.500000e-03> : tile<f32>
    %5 = constant <f32: -2.5e-3> : tile<f32>
    return
  }
  // Equal elements make a splat however they were written, but -0.0 is not 0.0 (11.5).
  // CHECK: entry @splats
  entry @splats() {
    // CHECK-NEXT: constant <i32: 7> : tile<2xi32>
    %0 = constant <i32: [7, 7]> : tile<2xi32>
    // CHECK-NEXT: constant <i32: 5> : tile<1x1xi32>
    %1 = constant <i32: [[5]]> : tile<1x1xi32>
    // CHECK-NEXT: constant <f32: [0.000000e+00, -0.000000e+00]> : tile<2xf32>
    %2 = constant <f32: [0.0, -0.0]> : tile<2xf32>
    // CHECK-NEXT: constant <f16: {{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 0x7E00]]> : tile<2x2xf16>
    %3 = constant <f16: [[1.0, 2.0], [3.0, 0x7e00]]> : tile<2x2xf16>
    // CHECK-NEXT: constant <i8: 3> : tile<i8> {a = 1 : i64, b}
    %4 = constant <i8: 3> : tile<i8> {b, a = 1 : i64}
    return
  }
  // More than a hundred elements stay a list that can be read again (11.5).
  // CHECK: entry @long
  entry @long() {
    // CHECK-NEXT: constant <i8: [1, {{((0, ){126})}}0]> : tile<128xi8>
    %0 = constant <i8: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tile<128xi8>
    return
  }
  // The same rules hold for globals, whose dictionary comes first.
  // CHECK: global  @lut alignment = 16 {note} <i16: [-1, -1, 127, 12]> : tile<4xi16>
  global @lut alignment = 16 {note} <i16: [-1, 65535, 0x7f, 12]> : tile<4xi16>
  // CHECK: global  @one <f32: 5.000000e-01> : tile<1xf32>
  global public @one alignment = 0 <f32: [0.5]> : tile<1xf32>
}
