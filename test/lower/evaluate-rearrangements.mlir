// RUN: tilewright-opt --evaluate-constants --split-input-file %s 2>&1 | FileCheck %s
// Moving elements: of constants, and of unknown tiles in several steps (operations, 4).

cuda_tile.module @constants {
  // Rows 0 1 2 3 and 4 5 6 7; transposed; the middle of it; twice; two of them.
  // CHECK-LABEL: entry @rearranged()
  // CHECK-NEXT: %[[ROWS:.*]] = constant <i32: {{\[}}[0, 1, 2, 3], [4, 5, 6, 7]]> : tile<2x4xi32>
  // CHECK-NEXT: %[[COLUMNS:.*]] = constant <i32: {{\[}}[0, 4], [1, 5], [2, 6], [3, 7]]> : tile<4x2xi32>
  // CHECK-NEXT: %[[SLICE:.*]] = constant <i32: {{\[}}[2], [3]]> : tile<2x1xi32>
  // CHECK-NEXT: %[[WIDE:.*]] = constant <i32: {{\[}}[2, 2], [3, 3]]> : tile<2x2xi32>
  // CHECK-NEXT: %[[CAT:.*]] = constant <i32: {{\[}}[2, 2, 2, 2], [3, 3, 3, 3]]> : tile<2x4xi32>
  // CHECK-NEXT: print_tko "%d %d %d %d %d", %[[ROWS]], %[[COLUMNS]], %[[SLICE]], %[[WIDE]], %[[CAT]]
  entry @rearranged() {
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %i = iota : tile<8xi32>
    %rows = reshape %i : tile<8xi32> -> tile<2x4xi32>
    %columns = permute %rows [1, 0] : tile<2x4xi32> -> tile<4x2xi32>
    %slice = extract %columns[%one, %zero] : tile<4x2xi32> -> tile<2x1xi32>
    %wide = broadcast %slice : tile<2x1xi32> -> tile<2x2xi32>
    %cat = cat %wide, %wide dim = 1 : tile<2x2xi32>, tile<2x2xi32> -> tile<2x4xi32>
    %t = print_tko "%d %d %d %d %d", %rows, %columns, %slice, %wide, %cat : tile<2x4xi32>, tile<4x2xi32>, tile<2x1xi32>, tile<2x2xi32>, tile<2x4xi32> -> token
  }

  // R[i, j, k] = S[c] with c[2] = i, c[0] = j, c[1] = k (operations, 4.5). The source
  // counts up, so element (i, j, k) is 4 j + 2 k + i.
  // CHECK-LABEL: entry @permuted()
  // CHECK-NEXT: constant <i8: {{\[\[}}[0, 2], [4, 6]], {{\[}}[1, 3], [5, 7]]]> : tile<2x2x2xi8>
  entry @permuted() {
    %i = iota : tile<8xi8>
    %s = reshape %i : tile<8xi8> -> tile<2x2x2xi8>
    %r = permute %s [2, 0, 1] : tile<2x2x2xi8> -> tile<2x2x2xi8>
    %t = print_tko "%d", %r : tile<2x2x2xi8> -> token
  }

  // Along dimension 0 the halves follow each other, along dimension 1 row by row.
  // CHECK-LABEL: entry @cat()
  // CHECK-NEXT: constant <i8: {{\[}}[0, 1], [2, 3], [7, 7], [7, 7]]> : tile<4x2xi8>
  // CHECK-NEXT: constant <i8: {{\[}}[0, 1, 7, 7], [2, 3, 7, 7]]> : tile<2x4xi8>
  entry @cat() {
    %i = iota : tile<4xi8>
    %s = reshape %i : tile<4xi8> -> tile<2x2xi8>
    %c = constant <i8: 7> : tile<2x2xi8>
    %a = cat %s, %c dim = 0 : tile<2x2xi8>, tile<2x2xi8> -> tile<4x2xi8>
    %b = cat %s, %c dim = 1 : tile<2x2xi8>, tile<2x2xi8> -> tile<2x4xi8>
    %t = print_tko "%d %d", %a, %b : tile<4x2xi8>, tile<2x4xi8> -> token
  }

  // 0x04030201 is 1, 2, 3, 4; the f4 numbers 0.5 and 1.5 are the byte 0x31.
  // CHECK-LABEL: entry @bytes()
  // CHECK-NEXT: constant <i8: [1, 2, 3, 4]> : tile<4xi8>
  // CHECK-NEXT: constant <i8: 49> : tile<1xi8>
  // CHECK-NEXT: constant <f4E2M1FN: [5.000000e-01, 1.500000e+00]> : tile<2xf4E2M1FN>
  // CHECK-NEXT: constant <i16: 257> : tile<2xi16>
  entry @bytes() {
    %w = constant <i32: [0x04030201]> : tile<1xi32>
    %b = pack %w : tile<1xi32> -> tile<4xi8>
    %f = constant <f4E2M1FN: [0.5, 1.5]> : tile<2xf4E2M1FN>
    %n = pack %f : tile<2xf4E2M1FN> -> tile<1xi8>
    %g = unpack %n : tile<1xi8> -> tile<2xf4E2M1FN>
    %ones = constant <i8: 1> : tile<4xi8>
    %h = unpack %ones : tile<4xi8> -> tile<2xi16>
    %t = print_tko "%d %d %f %d", %b, %n, %g, %h : tile<4xi8>, tile<1xi8>, tile<2xf4E2M1FN>, tile<2xi16> -> token
  }

  // An iota is smaller than its elements; one of one element is not.
  // CHECK-LABEL: entry @iota()
  // CHECK-NEXT: %[[I:.*]] = iota : tile<4xi32>
  // CHECK-NEXT: %[[J:.*]] = constant <i32: 0> : tile<1xi32>
  // CHECK-NEXT: print_tko "%d %d", %[[I]], %[[J]]
  entry @iota() {
    %i = iota : tile<4xi32>
    %j = iota : tile<1xi32>
    %t = print_tko "%d %d", %i, %j : tile<4xi32>, tile<1xi32> -> token
  }

  // A slice that does not exist is undefined: it stays.
  // CHECK-LABEL: entry @no_such_slice()
  // CHECK: extract
  entry @no_such_slice() {
    %two = constant <i32: 2> : tile<i32>
    %i = iota : tile<4xi32>
    %s = extract %i[%two] : tile<4xi32> -> tile<2xi32>
    %t = print_tko "%d", %s : tile<2xi32> -> token
  }
}

// -----

cuda_tile.module @chains {
  // CHECK-LABEL: entry @shapes(
  // CHECK: %[[V:.*]], %{{.*}} = load_ptr_tko
  // CHECK-NEXT: %[[R:.*]] = reshape %[[V]] : tile<8xf32> -> tile<4x1x2xf32>
  // CHECK-NEXT: %[[B:.*]] = broadcast %[[R]] : tile<4x1x2xf32> -> tile<4x8x2xf32>
  // CHECK-NEXT: print_tko "%f %f", %[[V]], %[[B]]
  entry @shapes(%p: tile<ptr<f32>>) {
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p8 = broadcast %p1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %i = iota : tile<8xi32>
    %q = offset %p8, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %v, %t0 = load_ptr_tko weak %q : tile<8xptr<f32>> -> tile<8xf32>, token
    %a = reshape %v : tile<8xf32> -> tile<2x4xf32>
    %b = reshape %a : tile<2x4xf32> -> tile<4x2xf32>
    %back = reshape %b : tile<4x2xf32> -> tile<8xf32>
    %c = reshape %b : tile<4x2xf32> -> tile<4x1x2xf32>
    %d = broadcast %c : tile<4x1x2xf32> -> tile<4x4x2xf32>
    %same = broadcast %d : tile<4x4x2xf32> -> tile<4x4x2xf32>
    %e = reshape %c : tile<4x1x2xf32> -> tile<4x1x2xf32>
    %f = broadcast %e : tile<4x1x2xf32> -> tile<4x8x2xf32>
    %t = print_tko "%f %f", %back, %f : tile<8xf32>, tile<4x8x2xf32> -> token
  }

  // [1, 2, 0] after [1, 2, 0] takes dimension k from dimension k + 2 mod 3; three times
  // is nothing.
  // CHECK-LABEL: entry @permutations(
  // CHECK: %[[V:.*]], %{{.*}} = load_ptr_tko
  // CHECK-NEXT: %[[P:.*]] = permute %[[V]] [2, 0, 1] : tile<2x4x8xf32> -> tile<8x2x4xf32>
  // CHECK-NEXT: print_tko "%f %f", %[[P]], %[[V]]
  entry @permutations(%p: tile<ptr<f32>>) {
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1x1x1xptr<f32>>
    %p8 = broadcast %p1 : tile<1x1x1xptr<f32>> -> tile<2x4x8xptr<f32>>
    %v, %t0 = load_ptr_tko weak %p8 : tile<2x4x8xptr<f32>> -> tile<2x4x8xf32>, token
    %a = permute %v [1, 2, 0] : tile<2x4x8xf32> -> tile<4x8x2xf32>
    %b = permute %a [1, 2, 0] : tile<4x8x2xf32> -> tile<8x2x4xf32>
    %c = permute %b [1, 2, 0] : tile<8x2x4xf32> -> tile<2x4x8xf32>
    %t = print_tko "%f %f", %b, %c : tile<8x2x4xf32>, tile<2x4x8xf32> -> token
  }

  // Of 8 elements cut in slices of 4, slice 1; of that, cut in pairs, pair 1: pair 3.
  // Of two such tiles in a row, pair 5 is pair 1 of the second.
  // CHECK-LABEL: entry @slices(
  // CHECK: %[[V:.*]], %{{.*}} = load_ptr_tko
  // CHECK: %[[W:.*]] = addf
  // CHECK-NEXT: %[[THREE:.*]] = constant <i32: 3> : tile<i32>
  // CHECK-NEXT: %[[A:.*]] = extract %[[V]][%[[THREE]]] : tile<8xf32> -> tile<2xf32>
  // CHECK-NEXT: %[[ONE:.*]] = constant <i32: 1> : tile<i32>
  // CHECK-NEXT: %[[B:.*]] = extract %[[W]][%[[ONE]]] : tile<8xf32> -> tile<2xf32>
  // CHECK-NEXT: print_tko "%f %f %f", %[[A]], %[[B]], %[[V]]
  entry @slices(%p: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p8 = broadcast %p1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %v, %t0 = load_ptr_tko weak %p8 : tile<8xptr<f32>> -> tile<8xf32>, token
    %w = addf %v, %v : tile<8xf32>
    %half = extract %v[%one] : tile<8xf32> -> tile<4xf32>
    %a = extract %half[%one] : tile<4xf32> -> tile<2xf32>
    %both = cat %v, %w dim = 0 : tile<8xf32>, tile<8xf32> -> tile<16xf32>
    %b = extract %both[%five] : tile<16xf32> -> tile<2xf32>
    %all = extract %both[%zero] : tile<16xf32> -> tile<8xf32>
    %t = print_tko "%f %f %f", %a, %b, %all : tile<2xf32>, tile<2xf32>, tile<8xf32> -> token
  }

  // A slice across both halves, and one that only the kernel knows.
  // CHECK-LABEL: entry @slices_stay(
  // CHECK: cat
  // CHECK: extract
  // CHECK: extract
  entry @slices_stay(%n: tile<i32>, %x: tile<f32>, %y: tile<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    %x1 = reshape %x : tile<f32> -> tile<1x1xf32>
    %y1 = reshape %y : tile<f32> -> tile<1x1xf32>
    %xs = broadcast %x1 : tile<1x1xf32> -> tile<2x2xf32>
    %ys = broadcast %y1 : tile<1x1xf32> -> tile<2x2xf32>
    %both = cat %xs, %ys dim = 0 : tile<2x2xf32>, tile<2x2xf32> -> tile<4x2xf32>
    %a = extract %both[%zero, %zero] : tile<4x2xf32> -> tile<4x1xf32>
    %b = extract %xs[%n, %zero] : tile<2x2xf32> -> tile<1x2xf32>
    %t = print_tko "%f %f", %a, %b : tile<4x1xf32>, tile<1x2xf32> -> token
  }

  // One element everywhere stays that wherever it moves.
  // CHECK-LABEL: entry @repeated(
  // CHECK-SAME: %[[X:.*]]: tile<f32>)
  // CHECK-NEXT: %[[ONE:.*]] = reshape %[[X]] : tile<f32> -> tile<1xf32>
  // CHECK-NEXT: %[[ALL:.*]] = broadcast %[[ONE]] : tile<1xf32> -> tile<16xf32>
  // CHECK-NEXT: print_tko "%f %f", %[[ALL]], %[[X]]
  entry @repeated(%x: tile<f32>) {
    %zero = constant <i32: 0> : tile<i32>
    %x1 = reshape %x : tile<f32> -> tile<1x1xf32>
    %xs = broadcast %x1 : tile<1x1xf32> -> tile<2x8xf32>
    %turned = permute %xs [1, 0] : tile<2x8xf32> -> tile<8x2xf32>
    %part = extract %turned[%zero, %zero] : tile<8x2xf32> -> tile<4x2xf32>
    %twice = cat %part, %part dim = 0 : tile<4x2xf32>, tile<4x2xf32> -> tile<8x2xf32>
    %flat = reshape %twice : tile<8x2xf32> -> tile<16xf32>
    %one = extract %part[%zero, %zero] : tile<4x2xf32> -> tile<1x1xf32>
    %scalar = reshape %one : tile<1x1xf32> -> tile<f32>
    %t = print_tko "%f %f", %flat, %scalar : tile<16xf32>, tile<f32> -> token
  }
}
