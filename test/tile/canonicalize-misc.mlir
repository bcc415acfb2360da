// RUN: tilewright-opt --canonicalize %s | FileCheck %s
// Everything else that is canonical (operations, 13; arithmetic, 6), and that it is all:
// arithmetic on constants stays.

cuda_tile.module @misc {
  // A product comes first, where the fusion to fma looks for it.
  // CHECK-LABEL: entry @addf(
  // CHECK-SAME: %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>)
  // CHECK-NEXT: %[[P:.*]] = mulf %[[A]], %[[B]] : tile<f32>
  // CHECK-NEXT: %[[R:.*]] = addf %[[P]], %[[A]] rounding<zero> flush_to_zero : tile<f32>
  // CHECK-NEXT: %[[S:.*]] = addf %[[P]], %[[P]] : tile<f32>
  // CHECK-NEXT: %[[T:.*]] = subf %[[A]], %[[P]] : tile<f32>
  // CHECK-NEXT: %[[U:.*]] = addf %[[A]], %[[B]] : tile<f32>
  entry @addf(%a: tile<f32>, %b: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = addf %a, %p rounding<zero> flush_to_zero : tile<f32>
    %s = addf %p, %p : tile<f32>
    %t = subf %a, %p : tile<f32>
    %u = addf %a, %b : tile<f32>
    %k = print_tko "%f %f %f %f", %r, %s, %t, %u : tile<f32>, tile<f32>, tile<f32>, tile<f32> -> token
  }

  // The same assumption twice is made once; another one is another assumption.
  // CHECK-LABEL: entry @assume(
  // CHECK-SAME: %[[N:.*]]: tile<i32>)
  // CHECK-NEXT: %[[A:.*]] = assume div_by<16>, %[[N]] : tile<i32>
  // CHECK-NEXT: %[[B:.*]] = assume div_by<8>, %[[A]] : tile<i32>
  // CHECK-NEXT: %[[C:.*]] = assume div_by<16>, %[[B]] : tile<i32>
  // CHECK-NEXT: print_tko "%d %d", %[[A]], %[[C]]
  entry @assume(%n: tile<i32>) {
    %a = assume div_by<16>, %n : tile<i32>
    %a2 = assume div_by<16>, %a : tile<i32>
    %b = assume div_by<8>, %a2 : tile<i32>
    %c = assume div_by<16>, %b : tile<i32>
    %t = print_tko "%d %d", %a2, %c : tile<i32>, tile<i32> -> token
  }

  // Equal constants are one.
  // CHECK-LABEL: entry @constant(
  // CHECK-NEXT: %[[C:.*]] = constant <i32: 7> : tile<i32>
  // CHECK-NEXT: print_tko "%d %d", %[[C]], %[[C]]
  entry @constant() {
    %a = constant <i32: 7> : tile<i32>
    %b = constant <i32: 0x7> : tile<i32>
    %t = print_tko "%d %d", %a, %b : tile<i32>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @arithmetic_stays(
  // CHECK: addi
  // CHECK: xori
  // CHECK: cmpi
  // CHECK: addf
  // CHECK: exti
  // CHECK: itof
  // CHECK: reshape
  // CHECK: broadcast
  // CHECK: extract
  // CHECK: iota
  entry @arithmetic_stays(%n: tile<i32>) {
    %a = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %x = constant <f32: 1.0> : tile<f32>
    %i = addi %a, %a : tile<i32>
    %j = xori %i, %i : tile<i32>
    %k = cmpi equal %n, %n, signed : tile<i32> -> tile<i1>
    %y = addf %x, %x : tile<f32>
    %l = exti %a signed : tile<i32> -> tile<i64>
    %z = itof %a signed : tile<i32> -> tile<f32>
    %r = reshape %a : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<2xi32>
    %e = extract %b[%zero] : tile<2xi32> -> tile<1xi32>
    %o = iota : tile<1xi32>
    %t = print_tko "%d %d %d %f %lld %f %d %d", %i, %j, %k, %y, %l, %z, %e, %o : tile<i32>, tile<i32>, tile<i1>, tile<f32>, tile<i64>, tile<f32>, tile<1xi32>, tile<1xi32> -> token
  }
}
