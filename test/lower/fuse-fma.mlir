// RUN: tilewright-opt --fuse-fma %s | FileCheck %s
// Products and sums that become one operation (arithmetic, 6), and near misses.

cuda_tile.module @fma {
  // CHECK-LABEL: entry @fused(
  // CHECK-SAME: %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>, %[[C:.*]]: tile<f32>)
  // CHECK-NEXT: %[[R:.*]] = fma %[[A]], %[[B]], %[[C]] : tile<f32>
  // CHECK-NEXT: %[[S:.*]] = fma %[[A]], %[[B]], %[[C]] rounding<zero> flush_to_zero : tile<f32>
  // CHECK-NEXT: %[[N:.*]] = negf %[[C]] : tile<f32>
  // CHECK-NEXT: %[[D:.*]] = fma %[[A]], %[[B]], %[[N]] rounding<positive_inf> : tile<f32>
  // CHECK-NEXT: print_tko "%f %f %f", %[[R]], %[[S]], %[[D]]
  entry @fused(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = addf %p, %c : tile<f32>
    %q = mulf %a, %b rounding<zero> flush_to_zero : tile<f32>
    %s = addf %c, %q rounding<zero> flush_to_zero : tile<f32>
    %o = mulf %a, %b rounding<positive_inf> : tile<f32>
    %d = subf %o, %c rounding<positive_inf> : tile<f32>
    %t = print_tko "%f %f %f", %r, %s, %d : tile<f32>, tile<f32>, tile<f32> -> token
  }

  // Of two products the left one.
  // CHECK-LABEL: entry @two_products(
  // CHECK-SAME: %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>)
  // CHECK-NEXT: %[[Q:.*]] = mulf %[[B]], %[[B]] : tile<f32>
  // CHECK-NEXT: %[[R:.*]] = fma %[[A]], %[[A]], %[[Q]] : tile<f32>
  entry @two_products(%a: tile<f32>, %b: tile<f32>) {
    %p = mulf %a, %a : tile<f32>
    %q = mulf %b, %b : tile<f32>
    %r = addf %p, %q : tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // A second user (the same sum counts twice); another rounding mode; another flushing;
  // c - a * b; a product behind something else.
  // CHECK-LABEL: entry @not_fused(
  // CHECK-NOT: fma
  // CHECK: return
  entry @not_fused(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = addf %p, %p : tile<f32>
    %q = mulf %a, %b rounding<zero> : tile<f32>
    %s = addf %q, %c : tile<f32>
    %o = mulf %a, %b : tile<f32>
    %d = addf %o, %c flush_to_zero : tile<f32>
    %m = mulf %a, %b : tile<f32>
    %e = subf %c, %m : tile<f32>
    %n = mulf %a, %b : tile<f32>
    %nn = negf %n : tile<f32>
    %f = addf %nn, %c : tile<f32>
    %t = print_tko "%f %f %f %f %f", %r, %s, %d, %e, %f : tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32> -> token
  }

  // Nothing else happens on the way: equal constants stay two, a known choice stays.
  // CHECK-LABEL: entry @only_that(
  // CHECK-NEXT: constant <f32: 1.000000e+00>
  // CHECK-NEXT: constant <f32: 1.000000e+00>
  // CHECK-NEXT: constant <i1: true>
  // CHECK-NEXT: select
  entry @only_that(%a: tile<f32>) {
    %x = constant <f32: 1.0> : tile<f32>
    %y = constant <f32: 1.0> : tile<f32>
    %true = constant <i1: true> : tile<i1>
    %s = select %true, %x, %y : tile<i1>, tile<f32>
    %t = print_tko "%f", %s : tile<f32> -> token
  }
}
