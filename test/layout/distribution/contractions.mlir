// Products without matrix instructions (layouts, 3.6.9): the threads along K, and the subgroups,
// share a sum. 64 threads.
// RUN: %tilewright distribute %s --threads 64 --check

#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 4], outer_tile = [1, 1], thread_tile = [8, 1], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 0]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [4, 2], outer_tile = [1, 1], thread_tile = [1, 4], element_tile = [4, 2],
  subgroup_strides = [0, 0], thread_strides = [0, 1]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 2], thread_tile = [4, 8], element_tile = [1, 1],
  subgroup_strides = [1, 0], thread_strides = [8, 1]>
#matrix = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [4, 1], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [0, 1], thread_strides = [4, 1]>
#vector = #iree_vector_ext.nested_layout<
  subgroup_tile = [2], batch_tile = [1], outer_tile = [2], thread_tile = [4], element_tile = [4],
  subgroup_strides = [1], thread_strides = [1]>

// Nobody shares a sum.
func.func @tiles(%x: memref<16x16xf32>, %y: memref<16x16xf32>, %z: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) : vector<16x16xf32>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) : vector<16x16xf32>
  %acc = arith.constant dense<1.0> : vector<16x16xf32>
  %2 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
  vector.transfer_write %2, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}

// The result is wanted in another layout than the operands give, and K is first in rhs.
func.func @other_result(%x: memref<16x16xf16>, %y: memref<16x16xf16>, %z: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf16>, vector<16x16xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) : vector<16x16xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x16xf32>
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
  vector.transfer_write %3, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}

// A matrix and a vector: K is four lanes and two subgroups.
func.func @matrix_vector(%x: memref<32x64xf32>, %y: memref<64xf32>, %z: memref<32xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %1 = vector.transfer_read %y[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#matrix) : vector<32x64xf32>
  %rhs = iree_vector_ext.to_layout %1 to layout(#vector) : vector<64xf32>
  %init = vector.transfer_read %z[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %r = scf.for %j = %c0 to %i step %c1 iter_args(%acc = %init) -> vector<32xf32> {
    %2 = vector.contract {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<32x64xf32>, vector<64xf32> into vector<32xf32>
    scf.yield %2 : vector<32xf32>
  }
  vector.transfer_write %r, %z[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  return
}

// A scalar, of which all threads have a part; the masked elements do not count.
func.func @dot(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<2xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %pad = arith.constant 0 : i32
  %0 = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : memref<64xi32>, vector<64xi32>
  %1 = vector.transfer_read %y[%c0], %pad {in_bounds = [true]} : memref<64xi32>, vector<64xi32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#vector) : vector<64xi32>
  %rhs = iree_vector_ext.to_layout %1 to layout(#vector) : vector<64xi32>
  %five = arith.constant 5 : i32
  %2 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %lhs, %rhs, %five : vector<64xi32>, vector<64xi32> into i32
  %bound = arith.muli %i, %c20 : index
  %mask = vector.create_mask %bound : vector<64xi1>
  %3 = vector.mask %mask { vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %lhs, %rhs, %five : vector<64xi32>, vector<64xi32> into i32 } : vector<64xi1> -> i32
  memref.store %2, %z[%c0] : memref<2xi32>
  memref.store %3, %z[%c1] : memref<2xi32>
  return
}

// Beyond the bounds of M and N the result is what it was.
func.func @masked(%x: memref<16x16xf32>, %y: memref<16x16xf32>, %z: memref<16x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %bound = arith.muli %i, %c5 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
  %1 = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x16xf32>, vector<16x16xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) : vector<16x16xf32>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) : vector<16x16xf32>
  %acc = arith.constant dense<1.0> : vector<16x16xf32>
  %mask = vector.create_mask %bound, %bound, %bound : vector<16x16x16xi1>
  %2 = vector.mask %mask { vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32> } : vector<16x16x16xi1> -> vector<16x16xf32>
  vector.transfer_write %2, %z[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}
