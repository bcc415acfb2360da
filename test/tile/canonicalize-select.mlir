// RUN: tilewright-opt --canonicalize --split-input-file %s | FileCheck %s
// Folds and rewrites of `select`: one kernel per row of the two tables in arithmetic, 6.

// Values leave a kernel through assert (i1) and print_tko.

cuda_tile.module @folds {
  // CHECK-LABEL: entry @same_values
  // CHECK: print_tko "%d", %[[A:arg[0-9]+]] : tile<i32>
  entry @same_values(%c: tile<i1>, %a: tile<i32>) {
    %r = select %c, %a, %a : tile<i1>, tile<i32>
    %t = print_tko "%d", %r : tile<i32> -> token
  }

  // CHECK-LABEL: entry @known_condition(
  // CHECK-SAME: %[[A:.*]]: tile<i32>, %[[B:.*]]: tile<i32>)
  // CHECK-NEXT: print_tko "%d %d", %[[A]], %[[B]] :
  entry @known_condition(%a: tile<i32>, %b: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %r = select %true, %a, %b : tile<i1>, tile<i32>
    %s = select %false, %a, %b : tile<i1>, tile<i32>
    %t = print_tko "%d %d", %r, %s : tile<i32>, tile<i32> -> token
  }

  // A splat and a tile of one element count; a mixed condition does not.
  // CHECK-LABEL: entry @known_tile_condition
  // CHECK: %[[MIXED:.*]] = constant <i1: [true, false]> : tile<2xi1>
  // CHECK: %[[A:.*]] = reshape
  // CHECK: %[[B:.*]] = broadcast %[[A]]
  // CHECK: %[[I:.*]] = iota : tile<2xi32>
  // CHECK-NEXT: %[[S:.*]] = select %[[MIXED]], %[[B]], %[[I]] : tile<2xi1>, tile<2xi32>
  // CHECK-NEXT: print_tko "%d %d %d", %[[A]], %[[B]], %[[S]] :
  entry @known_tile_condition(%a: tile<i32>, %b: tile<i32>) {
    %one = constant <i1: [true]> : tile<1xi1>
    %splat = constant <i1: true> : tile<2xi1>
    %mixed = constant <i1: [true, false]> : tile<2xi1>
    %a1 = reshape %a : tile<i32> -> tile<1xi32>
    %b1 = reshape %b : tile<i32> -> tile<1xi32>
    %a2 = broadcast %a1 : tile<1xi32> -> tile<2xi32>
    %i = iota : tile<2xi32>
    %r = select %one, %a1, %b1 : tile<1xi1>, tile<1xi32>
    %s = select %splat, %a2, %i : tile<2xi1>, tile<2xi32>
    %u = select %mixed, %a2, %i : tile<2xi1>, tile<2xi32>
    %t = print_tko "%d %d %d", %r, %s, %u : tile<1xi32>, tile<2xi32>, tile<2xi32> -> token
  }

  // CHECK-LABEL: entry @condition_itself(
  // CHECK-SAME: %[[C:.*]]: tile<i1>)
  // CHECK-NEXT: assert %[[C]], "c"
  entry @condition_itself(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %r = select %c, %true, %false : tile<i1>, tile<i1>
    assert %r, "c" : tile<i1>
  }

  // CHECK-LABEL: entry @compare_equal(
  // CHECK-SAME: %[[A:.*]]: tile<i32>, %[[B:.*]]: tile<i32>)
  // CHECK-NEXT: print_tko "%d %d %d %d", %[[B]], %[[A]], %[[A]], %[[B]] :
  entry @compare_equal(%a: tile<i32>, %b: tile<i32>) {
    %eq = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    %ne = cmpi not_equal %a, %b, unsigned : tile<i32> -> tile<i1>
    %r = select %eq, %a, %b : tile<i1>, tile<i32>
    %s = select %eq, %b, %a : tile<i1>, tile<i32>
    %u = select %ne, %a, %b : tile<i1>, tile<i32>
    %v = select %ne, %b, %a : tile<i1>, tile<i32>
    %t = print_tko "%d %d %d %d", %r, %s, %u, %v : tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
  }

  // Other predicates and other values say nothing.
  // CHECK-LABEL: entry @compare_other(
  // CHECK-COUNT-2: = select
  entry @compare_other(%a: tile<i32>, %b: tile<i32>, %c: tile<i32>) {
    %lt = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    %eq = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
    %r = select %lt, %a, %b : tile<i1>, tile<i32>
    %s = select %eq, %a, %c : tile<i1>, tile<i32>
    %t = print_tko "%d %d", %r, %s : tile<i32>, tile<i32> -> token
  }

  // CHECK-LABEL: entry @negated(
  // CHECK-SAME: %[[C:.*]]: tile<i1>, %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>)
  // CHECK-NEXT: %[[R:.*]] = select %[[C]], %[[B]], %[[A]] : tile<i1>, tile<f32>
  // CHECK-NEXT: print_tko "%f", %[[R]]
  entry @negated(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    %r = select %n, %a, %b : tile<i1>, tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // The constant counts on the right only (arithmetic, 4.8).
  // CHECK-LABEL: entry @negated_left(
  // CHECK: %[[N:.*]] = xori %{{.*}}, %{{.*}} : tile<i1>
  // CHECK: select %[[N]]
  entry @negated_left(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %true, %c : tile<i1>
    %r = select %n, %a, %b : tile<i1>, tile<f32>
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // CHECK-LABEL: entry @nested(
  // CHECK-SAME: %[[C:.*]]: tile<i1>, %[[A:.*]]: tile<i32>, %[[B:.*]]: tile<i32>, %[[D:.*]]: tile<i32>)
  // CHECK-NEXT: %[[R:.*]] = select %[[C]], %[[A]], %[[D]] :
  // CHECK-NEXT: %[[S:.*]] = select %[[C]], %[[D]], %[[B]] :
  // CHECK-NEXT: print_tko "%d %d", %[[R]], %[[S]] :
  entry @nested(%c: tile<i1>, %a: tile<i32>, %b: tile<i32>, %d: tile<i32>) {
    %inner = select %c, %a, %b : tile<i1>, tile<i32>
    %r = select %c, %inner, %d : tile<i1>, tile<i32>
    %s = select %c, %d, %inner : tile<i1>, tile<i32>
    %t = print_tko "%d %d", %r, %s : tile<i32>, tile<i32> -> token
  }

  // Another condition, even one with the same value, is another SSA value.
  // CHECK-LABEL: entry @nested_other_condition(
  // CHECK-COUNT-2: = select
  entry @nested_other_condition(%c: tile<i1>, %e: tile<i1>, %a: tile<i32>, %b: tile<i32>) {
    %inner = select %e, %a, %b : tile<i1>, tile<i32>
    %r = select %c, %inner, %b : tile<i1>, tile<i32>
    %t = print_tko "%d", %r : tile<i32> -> token
  }
}

// -----

cuda_tile.module @rewrites {
  // CHECK-LABEL: entry @negation(
  // CHECK-SAME: %[[C:.*]]: tile<i1>)
  // CHECK-NEXT: %[[TRUE:.*]] = constant <i1: true> : tile<i1>
  // CHECK-NEXT: %[[N:.*]] = xori %[[C]], %[[TRUE]] : tile<i1>
  // CHECK-NEXT: assert %[[N]], "not c"
  entry @negation(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %r = select %c, %false, %true : tile<i1>, tile<i1>
    assert %r, "not c" : tile<i1>
  }

  // Element by element, floats with their bits: 0x7F800001 is a NaN with a payload.
  // CHECK-LABEL: entry @constants(
  // CHECK-NEXT: constant <i32: [1, 20, 3, 40]> : tile<4xi32>
  // CHECK-NEXT: constant <f32: [0x7F800001, -0.000000e+00]> : tile<2xf32>
  // CHECK-NEXT: print_tko
  entry @constants() {
    %c = constant <i1: [true, false, true, false]> : tile<4xi1>
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %b = constant <i32: [10, 20, 30, 40]> : tile<4xi32>
    %r = select %c, %a, %b : tile<4xi1>, tile<4xi32>
    %d = constant <i1: [true, false]> : tile<2xi1>
    %x = constant <f32: 0x7F800001> : tile<2xf32>
    %y = constant <f32: -0.0> : tile<2xf32>
    %s = select %d, %x, %y : tile<2xi1>, tile<2xf32>
    %t = print_tko "%d %f", %r, %s : tile<4xi32>, tile<2xf32> -> token
  }

  // CHECK-LABEL: entry @extension(
  // CHECK: %[[TRUE:.*]] = constant <i1: true> : tile<4xi1>
  // CHECK: %[[C:.*]], %{{.*}} = load_ptr_tko
  // CHECK: %[[R:.*]] = exti %[[C]] unsigned : tile<4xi1> -> tile<4xi8>
  // CHECK: %[[N:.*]] = xori %[[C]], %[[TRUE]] : tile<4xi1>
  // CHECK: %[[S:.*]] = exti %[[N]] unsigned : tile<4xi1> -> tile<4xi8>
  // CHECK: print_tko "%d %d", %[[R]], %[[S]]
  entry @extension(%p: tile<ptr<i1>>) {
    %p1 = reshape %p : tile<ptr<i1>> -> tile<1xptr<i1>>
    %p4 = broadcast %p1 : tile<1xptr<i1>> -> tile<4xptr<i1>>
    %c, %t0 = load_ptr_tko weak %p4 : tile<4xptr<i1>> -> tile<4xi1>, token
    %one = constant <i8: 1> : tile<4xi8>
    %zero = constant <i8: 0> : tile<4xi8>
    %r = select %c, %one, %zero : tile<4xi1>, tile<4xi8>
    %s = select %c, %zero, %one : tile<4xi1>, tile<4xi8>
    %t = print_tko "%d %d", %r, %s : tile<4xi8>, tile<4xi8> -> token
  }

  // Not floats, not other numbers, not lists.
  // CHECK-LABEL: entry @no_extension(
  // CHECK-COUNT-3: = select
  entry @no_extension(%c: tile<i1>, %i: tile<i32>) {
    %f1 = constant <f32: 1.0> : tile<f32>
    %f0 = constant <f32: 0.0> : tile<f32>
    %two = constant <i32: 2> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %c1 = reshape %c : tile<i1> -> tile<1xi1>
    %c2 = broadcast %c1 : tile<1xi1> -> tile<2xi1>
    %list = constant <i32: [1, 2]> : tile<2xi32>
    %zeros = constant <i32: 0> : tile<2xi32>
    %r = select %c, %f1, %f0 : tile<i1>, tile<f32>
    %s = select %c, %two, %zero : tile<i1>, tile<i32>
    %u = select %c2, %list, %zeros : tile<2xi1>, tile<2xi32>
    %t = print_tko "%f %d %d", %r, %s, %u : tile<f32>, tile<i32>, tile<2xi32> -> token
  }
}
