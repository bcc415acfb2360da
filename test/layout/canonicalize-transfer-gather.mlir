// When a gather becomes simpler, and when it must not (layouts, 2.5.7).
// RUN: tilewright-opt --canonicalize --split-input-file %s | FileCheck %s

// The slice has 16 x 8 positions; the vector of 16 is repeated 8 times.
// CHECK: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @broadcast(
// CHECK-SAME: %[[SRC:.*]]: memref<?x?xf32>, %[[X:.*]]: vector<16xindex>,
// CHECK-NEXT: %[[V:.*]] = iree_vector_ext.transfer_gather %[[SRC]][%{{.*}}, %{{.*}}][%[[X]] : vector<16xindex>, None], %{{.*}} {indexed_maps = [#[[$MAP]]]} : memref<?x?xf32>, vector<16x8xf32>
// CHECK-NEXT: return %[[V]]
func.func @broadcast(%src: memref<?x?xf32>, %x: vector<16xindex>, %i: index, %pad: f32) -> vector<16x8xf32> {
  %y = vector.broadcast %x : vector<16xindex> to vector<8x16xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%y : vector<8x16xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d1, d0)>]} : memref<?x?xf32>, vector<16x8xf32>
  return %0 : vector<16x8xf32>
}

// -----

// CHECK: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @transpose(
// CHECK-SAME: %[[SRC:.*]]: memref<?x?xf32>, %[[X:.*]]: vector<16x8xindex>,
// CHECK-NEXT: %[[V:.*]] = iree_vector_ext.transfer_gather %[[SRC]][%{{.*}}, %{{.*}}][%[[X]] : vector<16x8xindex>, None], %{{.*}} {indexed_maps = [#[[$MAP]]]} : memref<?x?xf32>, vector<16x8xf32>
// CHECK-NEXT: return %[[V]]
func.func @transpose(%src: memref<?x?xf32>, %x: vector<16x8xindex>, %i: index, %pad: f32) -> vector<16x8xf32> {
  %y = vector.transpose %x, [1, 0] : vector<16x8xindex> to vector<8x16xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%y : vector<8x16xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d1, d0)>]} : memref<?x?xf32>, vector<16x8xf32>
  return %0 : vector<16x8xf32>
}

// -----

// A cycle of three is not its own inverse. Dimension i of %y is dimension [2, 0, 1][i] of %x:
// y[a, b, c] = x[b, c, a], and (a, b, c) = (d0, d1, d2), so x is read at (d1, d2, d0).
// CHECK: #[[$MAP:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-LABEL: func @cycle(
// CHECK-SAME: %[[SRC:.*]]: memref<?x?x?xf32>, %[[X:.*]]: vector<3x4x2xindex>,
// CHECK-NEXT: transfer_gather %[[SRC]]{{.*}}[None, None, %[[X]] : vector<3x4x2xindex>], %{{.*}} {indexed_maps = [#[[$MAP]]]}
func.func @cycle(%src: memref<?x?x?xf32>, %x: vector<3x4x2xindex>, %i: index, %pad: f32) -> vector<2x3x4xf32> {
  %y = vector.transpose %x, [2, 0, 1] : vector<3x4x2xindex> to vector<2x3x4xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i, %i][None, None, %y : vector<2x3x4xindex>], %pad
         {indexed_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>]} : memref<?x?x?xf32>, vector<2x3x4xf32>
  return %0 : vector<2x3x4xf32>
}

// -----

// A step along its own dimension is contiguous; then nothing is gathered.
// CHECK-LABEL: func @step(
// CHECK-SAME: %[[SRC:.*]]: memref<?x?xf32>, %[[I:.*]]: index, %[[J:.*]]: index, %[[PAD:.*]]: f32, %[[MASK:.*]]: vector<16x8xi1>)
// CHECK-NEXT: %[[V:.*]] = vector.transfer_read %[[SRC]][%[[I]], %[[J]]], %[[PAD]], %[[MASK]] {in_bounds = [true, false], permutation_map = #{{.*}}} : memref<?x?xf32>, vector<8x16xf32>
// CHECK-NEXT: return %[[V]]
func.func @step(%src: memref<?x?xf32>, %i: index, %j: index, %pad: f32, %mask: vector<16x8xi1>) -> vector<8x16xf32> {
  %x = vector.step : vector<8xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i, %j][None, %x : vector<8xindex>], %pad, %mask
         {indexed_maps = [affine_map<(d0, d1) -> (d1)>], permutation_map = affine_map<(d0, d1) -> (d1, d0)>,
          in_bounds = [true, false]} : memref<?x?xf32>, vector<8x16xf32>
  return %0 : vector<8x16xf32>
}

// -----

// One of two gathered dimensions becomes contiguous; the other keeps its vector and its map.
// CHECK: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @first_of_two(
// CHECK-SAME: %[[SRC:.*]]: memref<?x?xf32>, %[[X:.*]]: vector<8xindex>,
// CHECK-NEXT: transfer_gather %[[SRC]]{{.*}}[None, %[[X]] : vector<8xindex>], %{{.*}} {indexed_maps = [#[[$MAP]]]} : memref<?x?xf32>, vector<16x8xf32>
func.func @first_of_two(%src: memref<?x?xf32>, %x: vector<8xindex>, %i: index, %pad: f32) -> vector<16x8xf32> {
  %s = vector.step : vector<16xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%s : vector<16xindex>, %x : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>]}
         : memref<?x?xf32>, vector<16x8xf32>
  return %0 : vector<16x8xf32>
}

// -----

// A step that is repeated and transposed is found under both.
// CHECK-LABEL: func @all_together(
// CHECK-NEXT: vector.transfer_read %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : memref<?x?xf32>, vector<16x8xf32>
// CHECK-NEXT: return
func.func @all_together(%src: memref<?x?xf32>, %i: index, %pad: f32) -> vector<16x8xf32> {
  %s = vector.step : vector<16xindex>
  %b = vector.broadcast %s : vector<16xindex> to vector<8x16xindex>
  %t = vector.transpose %b, [1, 0] : vector<8x16xindex> to vector<16x8xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%t : vector<16x8xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d0, d1)>]} : memref<?x?xf32>, vector<16x8xf32>
  return %0 : vector<16x8xf32>
}

// -----

// A step along another dimension reads a diagonal.
// CHECK-LABEL: func @diagonal(
// CHECK-NEXT: %[[S:.*]] = vector.step : vector<8xindex>
// CHECK-NEXT: transfer_gather %{{.*}}[%[[S]] : vector<8xindex>, None]
func.func @diagonal(%src: memref<?x?xf32>, %i: index, %pad: f32) -> vector<8x8xf32> {
  %s = vector.step : vector<8xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%s : vector<8xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d1)>]} : memref<?x?xf32>, vector<8x8xf32>
  return %0 : vector<8x8xf32>
}

// -----

// A single index where the slice has a single position is a base.
// CHECK: #[[$SUM:.*]] = affine_map<()[s0, s1] -> (s0 + s1)>
// CHECK-LABEL: func @single(
// CHECK-SAME: %[[SRC:.*]]: memref<?x?xf32>, %[[X:.*]]: vector<1xindex>, %[[I:.*]]: index, %[[J:.*]]: index,
// CHECK-NEXT: %[[E:.*]] = vector.extract %[[X]][0] : index from vector<1xindex>
// CHECK-NEXT: %[[A:.*]] = affine.apply #[[$SUM]]()[%[[I]], %[[E]]]
// CHECK-NEXT: %[[V:.*]] = vector.transfer_read %[[SRC]][%[[A]], %[[J]]], %{{.*}} : memref<?x?xf32>, vector<1x8xf32>
// CHECK-NEXT: return %[[V]]
func.func @single(%src: memref<?x?xf32>, %x: vector<1xindex>, %i: index, %j: index, %pad: f32) -> vector<1x8xf32> {
  %0 = iree_vector_ext.transfer_gather %src[%i, %j][%x : vector<1xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d0)>]} : memref<?x?xf32>, vector<1x8xf32>
  return %0 : vector<1x8xf32>
}

// -----

// Rank 0 holds a single index too, and a dimension that the vector lacks has one position.
// CHECK-LABEL: func @single_of_rank_zero(
// CHECK-SAME: %[[SRC:.*]]: memref<?x?xf32>, %[[X:.*]]: vector<index>, %[[J:.*]]: index,
// CHECK-NEXT: %[[E:.*]] = vector.extract %[[X]][] : index from vector<index>
// CHECK-NEXT: vector.transfer_read %[[SRC]][%[[E]], %[[J]]], %{{.*}} : memref<?x?xf32>, vector<8xf32>
func.func @single_of_rank_zero(%src: memref<?x?xf32>, %x: vector<index>, %j: index, %pad: f32) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %0 = iree_vector_ext.transfer_gather %src[%c0, %j][%x : vector<index>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> ()>]} : memref<?x?xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

// In a loop the index is no symbol.
// CHECK: #[[$SUM:.*]] = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-LABEL: func @single_in_loop(
// CHECK: scf.for
// CHECK: %[[E:.*]] = vector.extract
// CHECK: affine.apply #[[$SUM]](%[[E]])[%{{.*}}]
// CHECK: vector.transfer_read
func.func @single_in_loop(%src: memref<?xf32>, %x: memref<?x1xindex>, %i: index, %n: index, %pad: f32,
                          %init: vector<1xf32>) -> vector<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %init) -> vector<1xf32> {
    %y = vector.transfer_read %x[%k, %c0], %c0 {in_bounds = [true]} : memref<?x1xindex>, vector<1xindex>
    %0 = iree_vector_ext.transfer_gather %src[%i][%y : vector<1xindex>], %pad
           {indexed_maps = [affine_map<(d0) -> (d0)>]} : memref<?xf32>, vector<1xf32>
    %next = arith.addf %sum, %0 : vector<1xf32>
    scf.yield %next : vector<1xf32>
  }
  return %r : vector<1xf32>
}

// -----

// The index is the same at all four positions along its dimension: 17, 17, 17, 17. A
// contiguous dimension would read 17, 18, 19, 20.
// CHECK-LABEL: func @single_but_repeated(
// CHECK-NEXT: transfer_gather %{{.*}}[%{{.*}}, %{{.*}}][%{{.*}} : vector<1xindex>, None]
func.func @single_but_repeated(%src: memref<?x?xf32>, %x: vector<1xindex>, %i: index, %pad: f32) -> vector<4x1xf32> {
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%x : vector<1xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d1)>]} : memref<?x?xf32>, vector<4x1xf32>
  return %0 : vector<4x1xf32>
}

// -----

// A scalar is no vector to gather with.
// CHECK-LABEL: func @broadcast_of_scalar(
// CHECK-NEXT: %[[B:.*]] = vector.broadcast %{{.*}} : index to vector<8xindex>
// CHECK-NEXT: transfer_gather %{{.*}}[%[[B]] : vector<8xindex>]
func.func @broadcast_of_scalar(%src: memref<?xf32>, %x: index, %i: index, %pad: f32) -> vector<8xf32> {
  %b = vector.broadcast %x : index to vector<8xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i][%b : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(d0) -> (d0)>]} : memref<?xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

// A broadcast that stretches a dimension has no map.
// CHECK-LABEL: func @broadcast_that_stretches(
// CHECK-NEXT: %[[B:.*]] = vector.broadcast %{{.*}} : vector<16x1xindex> to vector<16x8xindex>
// CHECK-NEXT: transfer_gather %{{.*}}[%[[B]] : vector<16x8xindex>, None]
func.func @broadcast_that_stretches(%src: memref<?x?xf32>, %x: vector<16x1xindex>, %i: index, %pad: f32) -> vector<16x8xf32> {
  %b = vector.broadcast %x : vector<16x1xindex> to vector<16x8xindex>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%b : vector<16x8xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d0, d1)>]} : memref<?x?xf32>, vector<16x8xf32>
  return %0 : vector<16x8xf32>
}

// -----

// Nothing is gathered, also from a tensor.
// CHECK-LABEL: func @contiguous(
// CHECK-SAME: %[[SRC:.*]]: tensor<?x?xf32>, %[[I:.*]]: index, %[[PAD:.*]]: f32)
// CHECK-NEXT: %[[V:.*]] = vector.transfer_read %[[SRC]][%[[I]], %[[I]]], %[[PAD]] {in_bounds = [true, false]} : tensor<?x?xf32>, vector<4x8xf32>
// CHECK-NEXT: return %[[V]]
func.func @contiguous(%src: tensor<?x?xf32>, %i: index, %pad: f32) -> vector<4x8xf32> {
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad
         {indexed_maps = [], in_bounds = [true, false]} : tensor<?x?xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}
