// RUN: tilewright-opt --evaluate-constants --split-input-file %s | FileCheck %s
// Operations that return an operand or a constant although one operand is not known.

cuda_tile.module @integers {
  // CHECK-LABEL: entry @operand(
  // CHECK-SAME: %[[X:.*]]: tile<i8>)
  // CHECK-NOT: = {{addi|subi|muli|divi|shli|shri|andi|ori|xori|negi|maxi|mini|select}}
  // CHECK: print_tko "%d", %[[X]] : tile<i8> -> token
  // CHECK-COUNT-19: print_tko "%d", %[[X]] : tile<i8> -> token
  // CHECK-NEXT: return
  entry @operand(%x: tile<i8>) {
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %ones = constant <i8: -1> : tile<i8>
    %mask = constant <i8: 0x55> : tile<i8>
    %smallest = constant <i8: -128> : tile<i8>
    %largest = constant <i8: 127> : tile<i8>
    %a0 = addi %x, %zero : tile<i8>
    %t0 = print_tko "%d", %a0 : tile<i8> -> token
    %a1 = addi %zero, %x overflow<no_wrap> : tile<i8>
    %t1 = print_tko "%d", %a1 : tile<i8> -> token
    %a2 = subi %x, %zero : tile<i8>
    %t2 = print_tko "%d", %a2 : tile<i8> -> token
    %a3 = muli %x, %one : tile<i8>
    %t3 = print_tko "%d", %a3 : tile<i8> -> token
    %a4 = muli %one, %x : tile<i8>
    %t4 = print_tko "%d", %a4 : tile<i8> -> token
    %a5 = divi %x, %one signed : tile<i8>
    %t5 = print_tko "%d", %a5 : tile<i8> -> token
    %a6 = shli %x, %zero : tile<i8>
    %t6 = print_tko "%d", %a6 : tile<i8> -> token
    %a7 = shri %x, %zero signed : tile<i8>
    %t7 = print_tko "%d", %a7 : tile<i8> -> token
    %a8 = andi %x, %ones : tile<i8>
    %t8 = print_tko "%d", %a8 : tile<i8> -> token
    %a9 = andi %x, %x : tile<i8>
    %t9 = print_tko "%d", %a9 : tile<i8> -> token
    %b0 = ori %zero, %x : tile<i8>
    %u0 = print_tko "%d", %b0 : tile<i8> -> token
    %b1 = ori %x, %x : tile<i8>
    %u1 = print_tko "%d", %b1 : tile<i8> -> token
    %b2 = xori %x, %zero : tile<i8>
    %u2 = print_tko "%d", %b2 : tile<i8> -> token
    %m = xori %x, %mask : tile<i8>
    %b3 = xori %m, %mask : tile<i8>
    %u3 = print_tko "%d", %b3 : tile<i8> -> token
    %n = negi %x : tile<i8>
    %b4 = negi %n : tile<i8>
    %u4 = print_tko "%d", %b4 : tile<i8> -> token
    %b5 = maxi %x, %smallest signed : tile<i8>
    %u5 = print_tko "%d", %b5 : tile<i8> -> token
    %b6 = maxi %zero, %x unsigned : tile<i8>
    %u6 = print_tko "%d", %b6 : tile<i8> -> token
    %b7 = mini %x, %largest signed : tile<i8>
    %u7 = print_tko "%d", %b7 : tile<i8> -> token
    %b8 = mini %x, %ones unsigned : tile<i8>
    %u8 = print_tko "%d", %b8 : tile<i8> -> token
    %b9 = mini %x, %x signed : tile<i8>
    %u9 = print_tko "%d", %b9 : tile<i8> -> token
  }

  // CHECK-LABEL: entry @zero(
  // CHECK-COUNT-11: constant <i8: 0> : tile<i8>
  // CHECK-NOT: = {{subi|muli|mulhii|remi|shli|shri|andi|xori|mini}}
  // CHECK: return
  entry @zero(%x: tile<i8>) {
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %a0 = subi %x, %x : tile<i8>
    %a1 = muli %x, %zero : tile<i8>
    %a2 = muli %zero, %x : tile<i8>
    %a3 = mulhii %x, %one : tile<i8>
    %a4 = mulhii %zero, %x : tile<i8>
    %a5 = remi %x, %one signed : tile<i8>
    %a6 = shli %zero, %x : tile<i8>
    %a7 = shri %zero, %x signed : tile<i8>
    %a8 = andi %zero, %x : tile<i8>
    %a9 = xori %x, %x : tile<i8>
    %b0 = mini %x, %zero unsigned : tile<i8>
    %t = print_tko "%d%d%d%d%d%d%d%d%d%d%d", %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %b0 : tile<i8>, tile<i8>, tile<i8>, tile<i8>, tile<i8>, tile<i8>, tile<i8>, tile<i8>, tile<i8>, tile<i8>, tile<i8> -> token
  }

  // All bits; the largest; a tile of them.
  // CHECK-LABEL: entry @absorbed(
  // CHECK-DAG: constant <i8: -1> : tile<i8>
  // CHECK-DAG: constant <i8: 127> : tile<i8>
  // CHECK-DAG: constant <i8: -128> : tile<i8>
  // CHECK-NOT: = {{ori|maxi|mini}}
  // CHECK: print_tko
  entry @absorbed(%x: tile<i8>) {
    %ones = constant <i8: -1> : tile<i8>
    %largest = constant <i8: 127> : tile<i8>
    %smallest = constant <i8: 128> : tile<i8>
    %a = ori %x, %ones : tile<i8>
    %b = maxi %x, %largest signed : tile<i8>
    %c = mini %smallest, %x signed : tile<i8>
    %t = print_tko "%d %d %d", %a, %b, %c : tile<i8>, tile<i8>, tile<i8> -> token
  }

  // x ? x for the six predicates, and x against the ends of its range.
  // CHECK-LABEL: entry @compared(
  // CHECK-NEXT: constant <i1: true> : tile<i1>
  // CHECK-NEXT: constant <i1: false> : tile<i1>
  // CHECK-NEXT: constant <i1: false> : tile<i1>
  // CHECK-NEXT: constant <i1: true> : tile<i1>
  // CHECK-NEXT: constant <i1: false> : tile<i1>
  // CHECK-NEXT: constant <i1: true> : tile<i1>
  // CHECK-NEXT: constant <i1: false> : tile<i1>
  // CHECK-NEXT: constant <i1: true> : tile<i1>
  // CHECK-NEXT: constant <i1: true> : tile<i1>
  // CHECK-NEXT: constant <i1: false> : tile<i1>
  // CHECK-NEXT: print_tko
  entry @compared(%x: tile<i8>) {
    %zero = constant <i8: 0> : tile<i8>
    %largest = constant <i8: 127> : tile<i8>
    %a0 = cmpi equal %x, %x, signed : tile<i8> -> tile<i1>
    %a1 = cmpi not_equal %x, %x, signed : tile<i8> -> tile<i1>
    %a2 = cmpi less_than %x, %x, signed : tile<i8> -> tile<i1>
    %a3 = cmpi less_than_or_equal %x, %x, signed : tile<i8> -> tile<i1>
    %a4 = cmpi greater_than %x, %x, signed : tile<i8> -> tile<i1>
    %a5 = cmpi greater_than_or_equal %x, %x, signed : tile<i8> -> tile<i1>
    %a6 = cmpi less_than %x, %zero, unsigned : tile<i8> -> tile<i1>
    %a7 = cmpi greater_than_or_equal %x, %zero, unsigned : tile<i8> -> tile<i1>
    %a8 = cmpi less_than_or_equal %x, %largest, signed : tile<i8> -> tile<i1>
    %a9 = cmpi greater_than %x, %largest, signed : tile<i8> -> tile<i1>
    %t = print_tko "%d%d%d%d%d%d%d%d%d%d", %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9 : tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1>, tile<i1> -> token
  }

  // The wrong reading, the wrong side, and quotients that may be undefined.
  // CHECK-LABEL: entry @stays(
  // CHECK: cmpi less_than {{.*}} signed
  // CHECK: maxi
  // CHECK: subi
  // CHECK: divi
  // CHECK: divi
  // CHECK: shli
  // CHECK: print_tko
  entry @stays(%x: tile<i8>) {
    %zero = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %a = cmpi less_than %x, %zero, signed : tile<i8> -> tile<i1>
    %b = maxi %x, %zero signed : tile<i8>
    %c = subi %zero, %x : tile<i8>
    %d = divi %x, %x signed : tile<i8>
    %e = divi %zero, %x signed : tile<i8>
    %f = shli %one, %x : tile<i8>
    %t = print_tko "%d %d %d %d %d %d", %a, %b, %c, %d, %e, %f : tile<i1>, tile<i8>, tile<i8>, tile<i8>, tile<i8>, tile<i8> -> token
  }

  // CHECK-LABEL: entry @pointer(
  // CHECK-SAME: %[[P:.*]]: tile<ptr<f32>>, %[[I:.*]]: tile<i64>)
  // CHECK-NEXT: print_tko "%p %lld", %[[P]], %[[I]]
  entry @pointer(%p: tile<ptr<f32>>, %i: tile<i64>) {
    %zero = constant <i32: 0> : tile<i32>
    %q = offset %p, %zero : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %b = ptr_to_ptr %q : tile<ptr<f32>> -> tile<ptr<i8>>
    %c = ptr_to_ptr %b : tile<ptr<i8>> -> tile<ptr<f32>>
    %r = int_to_ptr %i : tile<i64> -> tile<ptr<f16>>
    %j = ptr_to_int %r : tile<ptr<f16>> -> tile<i64>
    %t = print_tko "%p %lld", %c, %j : tile<ptr<f32>>, tile<i64> -> token
  }
}

// -----

cuda_tile.module @floats {
  // %s is a sum, so its NaNs are canonical and it may stand for the result.
  // CHECK-LABEL: entry @canonical(
  // CHECK: %[[S:.*]] = addf
  // CHECK-NOT: = {{addf|subf|mulf|divf|maxf|minf|negf|ftof}}
  // CHECK: print_tko "%d", %[[S]] : tile<f32> -> token
  // CHECK-COUNT-10: print_tko "%d", %[[S]] : tile<f32> -> token
  // CHECK-NEXT: return
  entry @canonical(%x: tile<f32>, %y: tile<f32>) {
    %plus = constant <f32: 0.0> : tile<f32>
    %minus = constant <f32: -0.0> : tile<f32>
    %one = constant <f32: 1.0> : tile<f32>
    %s = addf %x, %y : tile<f32>
    %a0 = addf %s, %minus : tile<f32>
    %t0 = print_tko "%d", %a0 : tile<f32> -> token
    %a1 = addf %minus, %s rounding<positive_inf> : tile<f32>
    %t1 = print_tko "%d", %a1 : tile<f32> -> token
    %a2 = addf %s, %plus rounding<negative_inf> : tile<f32>
    %t2 = print_tko "%d", %a2 : tile<f32> -> token
    %a3 = subf %s, %plus rounding<zero> : tile<f32>
    %t3 = print_tko "%d", %a3 : tile<f32> -> token
    %a4 = subf %s, %minus rounding<negative_inf> : tile<f32>
    %t4 = print_tko "%d", %a4 : tile<f32> -> token
    %a5 = mulf %s, %one : tile<f32>
    %t5 = print_tko "%d", %a5 : tile<f32> -> token
    %a6 = mulf %one, %s : tile<f32>
    %t6 = print_tko "%d", %a6 : tile<f32> -> token
    %a7 = divf %s, %one : tile<f32>
    %t7 = print_tko "%d", %a7 : tile<f32> -> token
    %a8 = maxf %s, %s propagate_nan : tile<f32>
    %t8 = print_tko "%d", %a8 : tile<f32> -> token
    %a9 = minf %s, %s : tile<f32>
    %t9 = print_tko "%d", %a9 : tile<f32> -> token
    %w = ftof %s : tile<f32> -> tile<f64>
    %b0 = ftof %w : tile<f64> -> tile<f32>
    %u0 = print_tko "%d", %b0 : tile<f32> -> token
  }

  // The other zero turns -0 into +0 (or the reverse); flushing changes subnormals; the
  // approximate quotient promises no bits; x - x is NaN for an infinity.
  // CHECK-LABEL: entry @other_zero(
  // CHECK: %[[S:.*]] = addf
  // CHECK-COUNT-4: addf %[[S]]
  // CHECK-COUNT-3: subf %[[S]]
  // CHECK: mulf %[[S]]
  // CHECK: mulf %[[S]]
  // CHECK: divf %[[S]]
  // CHECK: maxf %[[S]]
  entry @other_zero(%x: tile<f32>, %y: tile<f32>) {
    %plus = constant <f32: 0.0> : tile<f32>
    %minus = constant <f32: -0.0> : tile<f32>
    %one = constant <f32: 1.0> : tile<f32>
    %s = addf %x, %y : tile<f32>
    %a0 = addf %s, %plus : tile<f32>
    %a1 = addf %s, %plus rounding<zero> : tile<f32>
    %a2 = addf %s, %minus rounding<negative_inf> : tile<f32>
    %a3 = addf %s, %minus flush_to_zero : tile<f32>
    %a4 = subf %s, %minus : tile<f32>
    %a5 = subf %s, %plus rounding<negative_inf> : tile<f32>
    %a6 = subf %s, %s : tile<f32>
    %a7 = mulf %s, %plus : tile<f32>
    %a8 = mulf %s, %one flush_to_zero : tile<f32>
    %a9 = divf %s, %one rounding<approx> : tile<f32>
    %b0 = maxf %s, %s flush_to_zero : tile<f32>
    %t = print_tko "%f%f%f%f%f%f%f%f%f%f%f", %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %b0 : tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32> -> token
  }

  // A parameter may be any NaN, and so may what only moves its bits.
  // CHECK-LABEL: entry @any_nan(
  // CHECK: mulf
  // CHECK: addf
  // CHECK: maxf
  // CHECK: ftof
  // CHECK: ftof
  // CHECK: print_tko
  entry @any_nan(%x: tile<f32>) {
    %minus = constant <f32: -0.0> : tile<f32>
    %one = constant <f32: 1.0> : tile<f32>
    %n = negf %x : tile<f32>
    %a = mulf %x, %one : tile<f32>
    %b = addf %n, %minus : tile<f32>
    %c = maxf %x, %x : tile<f32>
    %w = ftof %x : tile<f32> -> tile<f64>
    %d = ftof %w : tile<f64> -> tile<f32>
    %t = print_tko "%f %f %f %f", %a, %b, %c, %d : tile<f32>, tile<f32>, tile<f32>, tile<f32> -> token
  }

  // What concerns the sign bit alone holds for every NaN, and so does a comparison with
  // one. pow(x, 0) and pow(1, y) are 1 for NaNs too.
  // CHECK-LABEL: entry @every_nan(
  // CHECK-SAME: %[[X:.*]]: tile<f32>)
  // CHECK-NEXT: %[[A:.*]] = absf %[[X]]
  // CHECK-NEXT: %[[F:.*]] = constant <i1: false>
  // CHECK-NEXT: %[[T:.*]] = constant <i1: true>
  // CHECK-NEXT: %[[P:.*]] = constant <f32: 1.000000e+00>
  // CHECK-NEXT: %[[Q:.*]] = constant <f32: 1.000000e+00>
  // CHECK-NEXT: print_tko "%f %f %d %d %f %f", %[[X]], %[[A]], %[[F]], %[[T]], %[[P]], %[[Q]]
  entry @every_nan(%x: tile<f32>) {
    %nan = constant <f32: 0xFFC12345> : tile<f32>
    %minus = constant <f32: -0.0> : tile<f32>
    %one = constant <f32: 1.0> : tile<f32>
    %n = negf %x : tile<f32>
    %nn = negf %n : tile<f32>
    %a = absf %x : tile<f32>
    %aa = absf %a : tile<f32>
    %o = cmpf not_equal ordered %x, %nan : tile<f32> -> tile<i1>
    %u = cmpf equal unordered %nan, %x : tile<f32> -> tile<i1>
    %p = pow %x, %minus : tile<f32>
    %q = pow %one, %x : tile<f32>
    %t = print_tko "%f %f %d %d %f %f", %nn, %aa, %o, %u, %p, %q : tile<f32>, tile<f32>, tile<i1>, tile<i1>, tile<f32>, tile<f32> -> token
  }

  // There and back: not through a format that cannot hold the number (bf16 has fewer
  // digits than f16, f16 a smaller range than bf16), and not where the way back saturates
  // an infinity (f8E5M2).
  // CHECK-LABEL: entry @round_trips(
  // CHECK-COUNT-10: ftof
  // CHECK-NOT: ftof
  // CHECK: return
  entry @round_trips(%x: tile<f32>) {
    %h = ftof %x : tile<f32> -> tile<f16>
    %hb = ftof %h : tile<f16> -> tile<bf16>
    %h2 = ftof %hb : tile<bf16> -> tile<f16>
    %b = ftof %x : tile<f32> -> tile<bf16>
    %bh = ftof %b : tile<bf16> -> tile<f16>
    %b2 = ftof %bh : tile<f16> -> tile<bf16>
    %e5 = ftof %x : tile<f32> -> tile<f8E5M2>
    %w = ftof %e5 : tile<f8E5M2> -> tile<f16>
    %e52 = ftof %w : tile<f16> -> tile<f8E5M2>
    %e4 = ftof %x : tile<f32> -> tile<f8E4M3FN>
    %e4w = ftof %e4 : tile<f8E4M3FN> -> tile<f16>
    %e42 = ftof %e4w : tile<f16> -> tile<f8E4M3FN>
    %t = print_tko "%f %f %f %f", %h2, %b2, %e52, %e42 : tile<f16>, tile<bf16>, tile<f8E5M2>, tile<f8E4M3FN> -> token
  }
}

// -----

cuda_tile.module @conversions {
  // CHECK-LABEL: entry @widths(
  // CHECK-SAME: %[[X:.*]]: tile<i16>, %[[L:.*]]: tile<i64>)
  // CHECK-NEXT: %[[A:.*]] = trunci %[[X]] : tile<i16> -> tile<i8>
  // CHECK-NEXT: %[[B:.*]] = exti %[[X]] signed : tile<i16> -> tile<i32>
  // CHECK-NEXT: %[[C:.*]] = exti %[[X]] unsigned : tile<i16> -> tile<i64>
  // CHECK-NEXT: %[[D:.*]] = trunci %[[L]] : tile<i64> -> tile<i8>
  // CHECK-NEXT: print_tko "%d %d %d %lld %d", %[[X]], %[[A]], %[[B]], %[[C]], %[[D]]
  entry @widths(%x: tile<i16>, %l: tile<i64>) {
    %w = exti %x signed : tile<i16> -> tile<i64>
    %same = trunci %w : tile<i64> -> tile<i16>
    %a = trunci %w : tile<i64> -> tile<i8>
    %b = trunci %w : tile<i64> -> tile<i32>
    %u = exti %x unsigned : tile<i16> -> tile<i32>
    %c = exti %u unsigned : tile<i32> -> tile<i64>
    %m = trunci %l : tile<i64> -> tile<i32>
    %d = trunci %m : tile<i32> -> tile<i8>
    %t = print_tko "%d %d %d %lld %d", %same, %a, %b, %c, %d : tile<i16>, tile<i8>, tile<i32>, tile<i64>, tile<i8> -> token
  }

  // Signs that differ, and promises.
  // CHECK-LABEL: entry @widths_stay(
  // CHECK-COUNT-2: exti
  // CHECK-COUNT-2: trunci
  entry @widths_stay(%x: tile<i16>, %l: tile<i64>) {
    %s = exti %x signed : tile<i16> -> tile<i32>
    %a = exti %s unsigned : tile<i32> -> tile<i64>
    %m = trunci %l overflow<no_signed_wrap> : tile<i64> -> tile<i32>
    %b = trunci %m overflow<no_unsigned_wrap> : tile<i32> -> tile<i16>
    %t = print_tko "%lld %d", %a, %b : tile<i64>, tile<i16> -> token
  }

  // CHECK-LABEL: entry @bits(
  // CHECK: %[[V:.*]] = iota : tile<4xi32>
  // CHECK: %[[W:.*]] = broadcast
  // CHECK-NEXT: %[[H:.*]] = bitcast %[[X:.*]] : tile<f32> -> tile<i32>
  // CHECK: print_tko "%f %d %f", %{{.*}}, %[[H]], %[[W]]
  entry @bits(%x: tile<f32>) {
    %v = iota : tile<4xi32>
    %x1 = reshape %x : tile<f32> -> tile<1xf32>
    %w = broadcast %x1 : tile<1xf32> -> tile<4xf32>
    %i = bitcast %x : tile<f32> -> tile<i32>
    %f = bitcast %i : tile<i32> -> tile<f32>
    %h = bitcast %f : tile<f32> -> tile<i32>
    %b = pack %w : tile<4xf32> -> tile<16xi8>
    %u = unpack %b : tile<16xi8> -> tile<4xf32>
    %t = print_tko "%f %d %f", %f, %h, %u : tile<f32>, tile<i32>, tile<4xf32> -> token
    %k = print_tko "%d", %v : tile<4xi32> -> token
  }

  // tf32 loses the low bits of the bytes; other formats do not.
  // CHECK-LABEL: entry @bytes(
  // CHECK: %[[V:.*]], %{{.*}} = load_ptr_tko
  // CHECK: unpack
  // CHECK: %[[T:.*]] = pack
  // CHECK-NEXT: print_tko "%d %d", %[[V]], %[[T]]
  entry @bytes(%p: tile<ptr<i8>>) {
    %p1 = reshape %p : tile<ptr<i8>> -> tile<1xptr<i8>>
    %p8 = broadcast %p1 : tile<1xptr<i8>> -> tile<8xptr<i8>>
    %v, %t0 = load_ptr_tko weak %p8 : tile<8xptr<i8>> -> tile<8xi8>, token
    %f = unpack %v : tile<8xi8> -> tile<2xf32>
    %a = pack %f : tile<2xf32> -> tile<8xi8>
    %g = unpack %v : tile<8xi8> -> tile<2xtf32>
    %b = pack %g : tile<2xtf32> -> tile<8xi8>
    %t = print_tko "%d %d", %a, %b : tile<8xi8>, tile<8xi8> -> token
  }
}
