// The text of transfer_gather (layouts, 2.5.2): what is printed can be read.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt --mlir-print-op-generic %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[$SAME:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$NONE:.*]] = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func @forms(
// CHECK-SAME: %[[SRC:.*]]: memref<1000x256xbf16>, %[[ROWS:.*]]: vector<32xindex>, %[[COLUMNS:.*]]: vector<256xindex>, %[[I:.*]]: index, %[[PAD:.*]]: bf16, %[[MASK:.*]]: vector<32x256xi1>)
func.func @forms(%src: memref<1000x256xbf16>, %rows: vector<32xindex>, %columns: vector<256xindex>,
                 %i: index, %pad: bf16, %mask: vector<32x256xi1>) {
  // CHECK-NEXT: %{{.*}} = iree_vector_ext.transfer_gather %[[SRC]][%[[I]], %[[I]]][%[[ROWS]] : vector<32xindex>, None], %[[PAD]] {in_bounds = [true, true], indexed_maps = [#[[$ROW]]]} : memref<1000x256xbf16>, vector<32x256xbf16>
  // GENERIC: "iree_vector_ext.transfer_gather"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{in_bounds = [true, true], indexed = [true, false], indexed_maps = [#{{.*}}], operandSegmentSizes = array<i32: 1, 2, 1, 1, 0>, permutation_map = #{{.*}}}> : (memref<1000x256xbf16>, index, index, vector<32xindex>, bf16) -> vector<32x256xbf16>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%rows : vector<32xindex>, None], %pad
         {indexed_maps = [affine_map<(i, j) -> (i)>], in_bounds = [true, true]}
         : memref<1000x256xbf16>, vector<32x256xbf16>
  // A mask; defaults are not printed.
  // CHECK-NEXT: transfer_gather %[[SRC]][%[[I]], %[[I]]][%[[ROWS]] : vector<32xindex>, %[[COLUMNS]] : vector<256xindex>], %[[PAD]], %[[MASK]] {indexed_maps = [#[[$ROW]], #[[$COLUMN]]]} : memref<1000x256xbf16>, vector<32x256xbf16>
  %1 = iree_vector_ext.transfer_gather %src[%i, %i][%rows : vector<32xindex>, %columns : vector<256xindex>], %pad, %mask
         {indexed_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>],
          in_bounds = [false, false], permutation_map = affine_map<(i, j) -> (i, j)>}
         : memref<1000x256xbf16>, vector<32x256xbf16>
  // Nothing is gathered: indexed_maps stays.
  // CHECK-NEXT: transfer_gather %[[SRC]][%[[I]], %[[I]]][None, None], %[[PAD]] {in_bounds = [false, true], indexed_maps = []} : memref<1000x256xbf16>, vector<32x256xbf16>
  %2 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad
         {indexed_maps = [], in_bounds = [false, true]} : memref<1000x256xbf16>, vector<32x256xbf16>
  return
}

// CHECK-LABEL: func @maps(
func.func @maps(%src: tensor<?x?xf32>, %i: index, %pad: f32, %all: vector<16x8xindex>,
                %one: vector<index>, %row: vector<8xindex>, %mask: vector<16xi1>) {
  // The vector is transposed; the index vector has the dimensions of the source.
  // CHECK-NEXT: transfer_gather %{{.*}}[%{{.*}}, %{{.*}}][None, %{{.*}} : vector<16x8xindex>], %{{.*}} {indexed_maps = [#[[$SAME]]], permutation_map = #[[$SWAP]]} : tensor<?x?xf32>, vector<8x16xf32>
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, %all : vector<16x8xindex>], %pad
         {indexed_maps = [affine_map<(i, j) -> (i, j)>], permutation_map = affine_map<(i, j) -> (j, i)>}
         : tensor<?x?xf32>, vector<8x16xf32>
  // A broadcast, and a mask without its dimension.
  // CHECK-NEXT: transfer_gather %{{.*}}[%{{.*}}, %{{.*}}][%{{.*}} : vector<index>, None], %{{.*}}, %{{.*}} {in_bounds = [true, false], indexed_maps = [#[[$NONE]]], mine, permutation_map = #{{.*}}} : tensor<?x?xf32>, vector<4x16xf32>
  %1 = iree_vector_ext.transfer_gather %src[%i, %i][%one : vector<index>, None], %pad, %mask
         {indexed_maps = [affine_map<(i, j) -> ()>], mine, in_bounds = [true, false],
          permutation_map = affine_map<(i, j) -> (0, j)>}
         : tensor<?x?xf32>, vector<4x16xf32>
  // Ranks may differ: a minor identity is the default.
  // CHECK-NEXT: transfer_gather %{{.*}}[%{{.*}}, %{{.*}}][None, %{{.*}} : vector<8xindex>], %{{.*}} {indexed_maps = [#[[$COLUMN]]]} : tensor<?x?xf32>, vector<8xf32>
  %2 = iree_vector_ext.transfer_gather %src[%i, %i][None, %row : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(i, j) -> (j)>]} : tensor<?x?xf32>, vector<8xf32>
  return
}

// CHECK-LABEL: func @edges(
func.func @edges(%scalar: memref<f32>, %vectors: memref<?xvector<4xf32>>, %vpad: vector<4xf32>,
                 %rows: vector<8xindex>, %i: index, %pad: f32) {
  // Rank 0: both lists are empty.
  // CHECK-NEXT: transfer_gather %{{.*}}[][], %{{.*}} {indexed_maps = []} : memref<f32>, vector<f32>
  %0 = iree_vector_ext.transfer_gather %scalar[][], %pad {indexed_maps = []} : memref<f32>, vector<f32>
  // Elements that are vectors.
  // CHECK-NEXT: transfer_gather %{{.*}}[%{{.*}}][%{{.*}} : vector<8xindex>], %{{.*}} {indexed_maps = [#{{.*}}]} : memref<?xvector<4xf32>>, vector<8x4xf32>
  %1 = iree_vector_ext.transfer_gather %vectors[%i][%rows : vector<8xindex>], %vpad
         {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xvector<4xf32>>, vector<8x4xf32>
  return
}
