// RUN: tilewright-opt --evaluate-constants --split-input-file %s | FileCheck %s
// Elementwise operations on constants. The expected numbers are those of the check
// vectors of the specification (arithmetic, 10), or computed by hand.

cuda_tile.module @integers {
  // 100 + 100 = 200 = -56 mod 256; 300 = 44 mod 256; 200 * 3 = 600 = 2 * 256 + 88.
  // CHECK-LABEL: entry @wrap()
  // CHECK-NEXT: constant <i8: [-56, 44, 2, -128]> : tile<4xi8>
  // CHECK-NEXT: print_tko
  entry @wrap() {
    %a = constant <i8: 100> : tile<1xi8>
    %b = constant <i8: 3> : tile<1xi8>
    %c = constant <i8: 200> : tile<1xi8>
    %d = constant <i8: -128> : tile<1xi8>
    %sum = addi %a, %a : tile<1xi8>
    %product = muli %a, %b : tile<1xi8>
    %high = mulhii %c, %b : tile<1xi8>
    %abs = absi %d : tile<1xi8>
    %l = cat %sum, %product dim = 0 : tile<1xi8>, tile<1xi8> -> tile<2xi8>
    %r = cat %high, %abs dim = 0 : tile<1xi8>, tile<1xi8> -> tile<2xi8>
    %all = cat %l, %r dim = 0 : tile<2xi8>, tile<2xi8> -> tile<4xi8>
    %t = print_tko "%d", %all : tile<4xi8> -> token
  }

  // -7 / 2 rounded to zero, down and up; 7 / 2 up; -7 rem 2; 7 rem -2.
  // CHECK-LABEL: entry @division()
  // CHECK-DAG: %[[ZERO:.*]] = constant <i32: -3> : tile<i32>
  // CHECK-DAG: %[[DOWN:.*]] = constant <i32: -4> : tile<i32>
  // CHECK-DAG: %[[UP:.*]] = constant <i32: -3> : tile<i32>
  // CHECK-DAG: %[[UNSIGNED:.*]] = constant <i32: 4> : tile<i32>
  // CHECK-DAG: %[[REM:.*]] = constant <i32: -1> : tile<i32>
  // CHECK-NOT: divi
  // CHECK: print_tko
  entry @division() {
    %m7 = constant <i32: -7> : tile<i32>
    %p7 = constant <i32: 7> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %zero = divi %m7, %two signed : tile<i32>
    %down = divi %m7, %two signed rounding<negative_inf> : tile<i32>
    %up = divi %m7, %two signed rounding<positive_inf> : tile<i32>
    %unsigned = divi %p7, %two unsigned rounding<positive_inf> : tile<i32>
    %rem = remi %m7, %two signed : tile<i32>
    %t = print_tko "%d %d %d %d %d", %zero, %down, %up, %unsigned, %rem : tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
  }

  // 0x80 shifted by 3 is 0xF0 or 0x10; i1 true is -1 < 0 when read as signed.
  // CHECK-LABEL: entry @readings()
  // CHECK-DAG: constant <i8: -16> : tile<i8>
  // CHECK-DAG: constant <i8: 16> : tile<i8>
  // CHECK-DAG: constant <i1: true> : tile<i1>
  // CHECK-DAG: constant <i1: false> : tile<i1>
  // CHECK-DAG: constant <i1: [false, true]> : tile<2xi1>
  // CHECK-NOT: shri
  // CHECK: print_tko
  entry @readings() {
    %a = constant <i8: 0x80> : tile<i8>
    %three = constant <i8: 3> : tile<i8>
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %pair = constant <i8: [2, 3]> : tile<2xi8>
    %s = shri %a, %three signed : tile<i8>
    %u = shri %a, %three unsigned : tile<i8>
    %ls = cmpi less_than %true, %false, signed : tile<i1> -> tile<i1>
    %lu = cmpi less_than %true, %false, unsigned : tile<i1> -> tile<i1>
    %low = trunci %pair : tile<2xi8> -> tile<2xi1>
    %t = print_tko "%d %d %d %d %d", %s, %u, %ls, %lu, %low : tile<i8>, tile<i8>, tile<i1>, tile<i1>, tile<2xi1> -> token
  }

  // A float is true if it is not 0: NaN is, -0.0 is not (docs/decisions/float-to-i1.md).
  // CHECK-LABEL: entry @float_to_bool()
  // CHECK-NEXT: constant <i1: [true, true, false, true]> : tile<4xi1>
  // CHECK-NEXT: constant <i1: [true, true, false, false]> : tile<4xi1>
  // CHECK-NEXT: print_tko
  entry @float_to_bool() {
    %a = constant <f32: [0.5, 2.0, 0x80000000, 0x7FC00000]> : tile<4xf32>
    %b = constant <f8E5M2: [-0.25, -2.0, 0.0, 0x80]> : tile<4xf8E5M2>
    %u = ftoi %a unsigned : tile<4xf32> -> tile<4xi1>
    %s = ftoi %b signed : tile<4xf8E5M2> -> tile<4xi1>
    %t = print_tko "%d %d", %u, %s : tile<4xi1>, tile<4xi1> -> token
  }

  // i4 cannot be written, but what comes out of it can: 0x9 is -7 or 9.
  // CHECK-LABEL: entry @through_i4()
  // CHECK-NEXT: constant <i8: -7> : tile<i8>
  // CHECK-NEXT: constant <i8: 9> : tile<i8>
  // CHECK-NEXT: print_tko
  entry @through_i4() {
    %a = constant <i8: 0x19> : tile<i8>
    %n = trunci %a : tile<i8> -> tile<i4>
    %s = exti %n signed : tile<i4> -> tile<i8>
    %u = exti %n unsigned : tile<i4> -> tile<i8>
    %t = print_tko "%d %d", %s, %u : tile<i8>, tile<i8> -> token
  }

  // The i4 tile itself stays, and what it is made of.
  // CHECK-LABEL: entry @i4_stays()
  // CHECK: trunci
  // CHECK-NEXT: print_tko
  entry @i4_stays() {
    %a = constant <i8: 0x19> : tile<i8>
    %n = trunci %a : tile<i8> -> tile<i4>
    %t = print_tko "%d", %n : tile<i4> -> token
  }

  // 16 bytes on from 0x1000 in f32, and back to a number.
  // CHECK-LABEL: entry @through_pointers()
  // CHECK-NEXT: constant <i64: 4112> : tile<i64>
  // CHECK-NEXT: print_tko
  entry @through_pointers() {
    %a = constant <i64: 0x1000> : tile<i64>
    %four = constant <i32: 4> : tile<i32>
    %p = int_to_ptr %a : tile<i64> -> tile<ptr<f32>>
    %q = offset %p, %four : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %b = ptr_to_int %q : tile<ptr<f32>> -> tile<i64>
    %t = print_tko "%lld", %b : tile<i64> -> token
  }
}

// -----

cuda_tile.module @floats {
  // 1 + 2^-25 to nearest and up; (1+2^-12)^2 - (1+2^-11) = 2^-24 with one rounding.
  // CHECK-LABEL: entry @rounding()
  // CHECK-DAG: constant <f32: 1.000000e+00> : tile<f32>
  // CHECK-DAG: constant <f32: 1.00000012> : tile<f32>
  // CHECK-DAG: constant <f32: 5.96046448E-8> : tile<f32>
  // CHECK-NOT: addf
  // CHECK-NOT: fma
  // CHECK: print_tko
  entry @rounding() {
    %one = constant <f32: 1.0> : tile<f32>
    %tiny = constant <f32: 0x33000000> : tile<f32>
    %x = constant <f32: 0x3F800800> : tile<f32>
    %y = constant <f32: 0xBF801000> : tile<f32>
    %near = addf %one, %tiny : tile<f32>
    %up = addf %one, %tiny rounding<positive_inf> : tile<f32>
    %f = fma %x, %x, %y : tile<f32>
    %t = print_tko "%f %f %f", %near, %up, %f : tile<f32>, tile<f32>, tile<f32> -> token
  }

  // 2^-126 * -0.5 flushed is -0; 0x3F7FFFFF * 0x00800000 rounds up to the smallest normal
  // number and stays, or truncates below it and is flushed.
  // CHECK-LABEL: entry @flush()
  // CHECK-NEXT: constant <f32: [-0.000000e+00, 1.17549435E-38]> : tile<2xf32>
  // CHECK-NEXT: constant <f32: [-0.000000e+00, 0.000000e+00]> : tile<2xf32>
  // CHECK-NEXT: print_tko
  entry @flush() {
    %a = constant <f32: [0x00800000, 0x3F7FFFFF]> : tile<2xf32>
    %b = constant <f32: [-0.5, 0x00800000]> : tile<2xf32>
    %near = mulf %a, %b flush_to_zero : tile<2xf32>
    %zero = mulf %a, %b rounding<zero> flush_to_zero : tile<2xf32>
    %t = print_tko "%f %f", %near, %zero : tile<2xf32>, tile<2xf32> -> token
  }

  // Without propagate_nan a NaN loses; with it, the canonical NaN wins, whatever came in.
  // +0 is larger than -0.
  // CHECK-LABEL: entry @nan()
  // CHECK-NEXT: constant <f32: [1.000000e+00, 0.000000e+00]> : tile<2xf32>
  // CHECK-NEXT: constant <f32: [0x7FFFFFFF, 0.000000e+00]> : tile<2xf32>
  // CHECK-NEXT: constant <f32: [0x7FFFFFFF, 0.000000e+00]> : tile<2xf32>
  // CHECK-NEXT: constant <i1: [false, true]> : tile<2xi1>
  // CHECK-NEXT: constant <i1: true> : tile<2xi1>
  // CHECK-NEXT: print_tko
  entry @nan() {
    %a = constant <f32: [0xFFC00001, -0.0]> : tile<2xf32>
    %b = constant <f32: [1.0, 0.0]> : tile<2xf32>
    %max = maxf %a, %b : tile<2xf32>
    %maxnan = maxf %a, %b propagate_nan : tile<2xf32>
    %sum = addf %a, %b : tile<2xf32>
    %le = cmpf less_than_or_equal ordered %a, %b : tile<2xf32> -> tile<2xi1>
    %ule = cmpf less_than_or_equal unordered %a, %b : tile<2xf32> -> tile<2xi1>
    %t = print_tko "%f %f %f %d %d", %max, %maxnan, %sum, %le, %ule : tile<2xf32>, tile<2xf32>, tile<2xf32>, tile<2xi1>, tile<2xi1> -> token
  }

  // Bits move as they are: a NaN keeps its payload, and changes its sign.
  // CHECK-LABEL: entry @moved_bits()
  // CHECK-NEXT: constant <f32: 0x7F800001> : tile<f32>
  // CHECK-NEXT: constant <i32: -8388607> : tile<i32>
  // CHECK-NEXT: print_tko
  entry @moved_bits() {
    %a = constant <f32: 0xFF800001> : tile<f32>
    %n = negf %a : tile<f32>
    %b = bitcast %a : tile<f32> -> tile<i32>
    %t = print_tko "%f %d", %n, %b : tile<f32>, tile<i32> -> token
  }

  // 0.3, 464, -1000 and a tie among subnormals in the 8-bit formats; 2.5 and -0.25 in f4;
  // 3.0 down and up to a power of two; 65519 and 65520 in f16.
  // CHECK-LABEL: entry @conversions()
  // CHECK-NEXT: constant <f8E4M3FN: [3.125000e-01, 4.480000e+02, -4.480000e+02, 3.906250e-03]>
  // CHECK-NEXT: constant <f8E5M2: [3.125000e-01, 4.480000e+02, -1.024000e+03, 0.000000e+00]>
  // CHECK-NEXT: constant <f4E2M1FN: [2.000000e+00, -0.000000e+00]>
  // CHECK-NEXT: constant <f8E8M0FNU: 2.000000e+00>
  // CHECK-NEXT: constant <f8E8M0FNU: 4.000000e+00>
  // CHECK-NEXT: constant <f16: [6.550400e+04, 0x7C00]>
  // CHECK-NEXT: print_tko
  entry @conversions() {
    %a = constant <f32: [0.3, 464.0, -1000.0, 0x3B400000]> : tile<4xf32>
    %e4 = ftof %a : tile<4xf32> -> tile<4xf8E4M3FN>
    %a5 = constant <f32: [0.3, 464.0, -1000.0, 0x37000000]> : tile<4xf32>
    %e5 = ftof %a5 : tile<4xf32> -> tile<4xf8E5M2>
    %b = constant <f32: [2.5, -0.25]> : tile<2xf32>
    %f4 = ftof %b : tile<2xf32> -> tile<2xf4E2M1FN>
    %c = constant <f32: 3.0> : tile<f32>
    %down = ftof %c rounding<zero> : tile<f32> -> tile<f8E8M0FNU>
    %up = ftof %c rounding<positive_inf> : tile<f32> -> tile<f8E8M0FNU>
    %i = constant <i32: [65519, 65520]> : tile<2xi32>
    %h = itof %i signed : tile<2xi32> -> tile<2xf16>
    %t = print_tko "%f %f %f %f %f %f", %e4, %e5, %f4, %down, %up, %h : tile<4xf8E4M3FN>, tile<4xf8E5M2>, tile<2xf4E2M1FN>, tile<f8E8M0FNU>, tile<f8E8M0FNU>, tile<2xf16> -> token
  }

  // (NaN, 0) and (1, NaN) are 1; atan2(+0, -0) is pi, the f32 nearest to it.
  // CHECK-LABEL: entry @functions()
  // CHECK-NEXT: constant <f32: 1.000000e+00> : tile<2xf32>
  // CHECK-NEXT: constant <f32: 3.14159274> : tile<f32>
  // CHECK-NEXT: print_tko
  entry @functions() {
    %x = constant <f32: [0x7FC00000, 1.0]> : tile<2xf32>
    %y = constant <f32: [0.0, 0x7FC00000]> : tile<2xf32>
    %p = pow %x, %y : tile<2xf32>
    %zero = constant <f32: 0.0> : tile<f32>
    %minus = constant <f32: -0.0> : tile<f32>
    %pi = atan2 %zero, %minus : tile<f32>
    %t = print_tko "%f %f", %p, %pi : tile<2xf32>, tile<f32> -> token
  }

  // A list by a list, a list by a splat; a mixed condition chooses element by element.
  // CHECK-LABEL: entry @choice()
  // CHECK-NEXT: constant <i32: [1, 20, 3, 40]> : tile<4xi32>
  // CHECK-NEXT: print_tko
  entry @choice() {
    %c = constant <i1: [true, false, true, false]> : tile<4xi1>
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %ten = constant <i32: 10> : tile<4xi32>
    %b = muli %a, %ten : tile<4xi32>
    %r = select %c, %a, %b : tile<4xi1>, tile<4xi32>
    %t = print_tko "%d", %r : tile<4xi32> -> token
  }
}

// -----

// What is undefined stays, so that it is reported where it happens.
cuda_tile.module @undefined {
  // CHECK-LABEL: entry @operations()
  // CHECK: divi
  // CHECK: divi
  // CHECK: remi
  // CHECK: addi {{.*}} overflow<no_signed_wrap>
  // CHECK: ftoi
  // CHECK: trunci {{.*}} overflow<no_unsigned_wrap>
  // CHECK: print_tko
  entry @operations() {
    %a = constant <i8: [4, -128]> : tile<2xi8>
    %zero = constant <i8: [2, 0]> : tile<2xi8>
    %m1 = constant <i8: -1> : tile<2xi8>
    %max = constant <i8: 127> : tile<2xi8>
    %nan = constant <f32: 0x7FC00000> : tile<2xf32>
    %q = divi %a, %zero signed : tile<2xi8>
    %o = divi %a, %m1 signed : tile<2xi8>
    %r = remi %a, %zero unsigned : tile<2xi8>
    %s = addi %max, %max overflow<no_signed_wrap> : tile<2xi8>
    %i = ftoi %nan signed : tile<2xf32> -> tile<2xi8>
    %b = trunci %a overflow<no_unsigned_wrap> : tile<2xi8> -> tile<2xi1>
    %t = print_tko "%d %d %d %d %d %d", %q, %o, %r, %s, %i, %b : tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi8>, tile<2xi1> -> token
  }
}
