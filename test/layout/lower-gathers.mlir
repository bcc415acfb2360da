// A gather in the vector dialect (layouts, 2.6): rows that lie together are read together, one that
// is anywhere along the innermost dimension is a vector.gather, all else is read by elements.
// RUN: tilewright-opt --tw-lower-gathers %s | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[SRC:.*]]: memref<100x16xf32>, %[[ROWS:.*]]: vector<2xindex>, %[[I:.*]]: index
// CHECK: %[[R0:.*]] = vector.extract %[[ROWS]][0]
// CHECK: %[[AT0:.*]] = arith.addi %[[I]], %[[R0]]
// CHECK: %[[X0:.*]] = vector.transfer_read %[[SRC]][%[[AT0]], %[[I]]], %{{.*}} {in_bounds = [false, true]} : memref<100x16xf32>, vector<1x8xf32>
// CHECK: vector.insert_strided_slice %[[X0]], %{{.*}} {offsets = [0, 0], strides = [1, 1]} : vector<1x8xf32> into vector<2x8xf32>
// CHECK: vector.extract %[[ROWS]][1]
// CHECK: vector.transfer_read
// CHECK-NOT: transfer_gather
func.func @rows(%src: memref<100x16xf32>, %rows: vector<2xindex>, %i: index, %pad: f32) -> vector<2x8xf32> {
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%rows : vector<2xindex>, None], %pad {indexed_maps = [affine_map<(i, j) -> (i)>], in_bounds = [false, true]} : memref<100x16xf32>, vector<2x8xf32>
  return %0 : vector<2x8xf32>
}

// A negative index is a large one.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[SRC:.*]]: memref<100x?xf32>, %[[COLUMNS:.*]]: vector<8xindex>, %[[I:.*]]: index
// CHECK: %[[BASE:.*]] = vector.broadcast %[[I]] : index to vector<8xindex>
// CHECK: %[[INDEX:.*]] = arith.addi %{{.*}}, %[[BASE]]
// CHECK: %[[SIZE:.*]] = vector.broadcast %{{.*}} : index to vector<8xindex>
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[INDEX]], %[[SIZE]]
// CHECK: vector.gather %[[SRC]][%[[I]], %{{.*}}] [%[[INDEX]]], %[[IN]], %{{.*}} : memref<100x?xf32>
func.func @columns(%src: memref<100x?xf32>, %columns: vector<8xindex>, %i: index, %pad: f32) -> vector<8xf32> {
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, %columns : vector<8xindex>], %pad {indexed_maps = [affine_map<(i, j) -> (j)>], permutation_map = affine_map<(i, j) -> (j)>, in_bounds = [false]} : memref<100x?xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}

// CHECK-LABEL: func.func @elements(
// CHECK-COUNT-4: vector.transfer_read {{.*}} vector<1xf32>
// CHECK-NOT: vector.transfer_read
func.func @elements(%src: memref<100x16xf32>, %rows: vector<4xindex>, %i: index, %pad: f32) -> vector<4xf32> {
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%rows : vector<4xindex>, None], %pad {indexed_maps = [affine_map<(i, j) -> (j)>], permutation_map = affine_map<(i, j) -> (j)>, in_bounds = [true]} : memref<100x16xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}

// What is not memory yet stays.
// CHECK-LABEL: func.func @tensor(
// CHECK: iree_vector_ext.transfer_gather
func.func @tensor(%src: tensor<100x16xf32>, %rows: vector<2xindex>, %i: index, %pad: f32) -> vector<2x8xf32> {
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%rows : vector<2xindex>, None], %pad {indexed_maps = [affine_map<(i, j) -> (i)>], in_bounds = [true, true]} : tensor<100x16xf32>, vector<2x8xf32>
  return %0 : vector<2x8xf32>
}
