// Reads and writes: through permutation maps, with masks, beyond the bounds, of other ranks than
// the memory (layouts, 3.6.3, 3.6.4). Two subgroups of 32.
// RUN: %tilewright distribute %s --threads 64 --check --runs 4

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#cube = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2, 1], batch_tile = [2, 1, 2], outer_tile = [1, 2, 1], thread_tile = [2, 2, 8], element_tile = [1, 1, 1],
  subgroup_strides = [0, 1, 0], thread_strides = [16, 8, 1]>
#line = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [8], element_tile = [2],
  subgroup_strides = [0], thread_strides = [2]>
#square = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#none = #iree_vector_ext.nested_layout<
  subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [], element_tile = [],
  subgroup_strides = [], thread_strides = []>

func.func @plain(%a: memref<32x64xf32>, %b: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 9.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
  vector.transfer_write %1, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}

// Written transposed, into a larger memory, from an offset.
func.func @transposed(%a: memref<64x32xf16>, %b: memref<70x40xf16>, %i: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 9.0 : f16
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<64x32xf16>, vector<32x64xf16>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf16>
  vector.transfer_write %1, %b[%i, %i] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<32x64xf16>, memref<70x40xf16>
  return
}

// The last rows and columns are not there: padding is read, nothing is written.
func.func @out_of_bounds(%a: memref<?x?xi32>, %b: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -7 : i32
  %0 = vector.transfer_read %a[%c0, %c0], %pad : memref<?x?xi32>, vector<32x64xi32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xi32>
  vector.transfer_write %1, %b[%c0, %c0] : vector<32x64xi32>, memref<?x?xi32>
  return
}

// Masks have the order of memory. Both dimensions have more than one batch and outer, and the map
// exchanges them: counting tiles would pair the wrong ones (3.6.3, trap).
func.func @masked(%a: memref<64x32xf32>, %b: memref<64x32xf32>, %m: memref<64x32xi1>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 9.0 : f32
  %no = arith.constant false
  %mask = vector.transfer_read %m[%c0, %c0], %no {in_bounds = [true, true]} : memref<64x32xi1>, vector<64x32xi1>
  %0 = vector.transfer_read %a[%c0, %c0], %pad, %mask {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<64x32xf32>, vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
  %2 = arith.addf %1, %1 : vector<32x64xf32>
  vector.transfer_write %2, %b[%c0, %c0], %mask {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<32x64xf32>, memref<64x32xf32>
  return
}

// A dimension of memory that the vector does not go along, and one that memory does not have.
func.func @other_ranks(%a: memref<5x4x16xf32>, %b: memref<4x8x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 9.0 : f32
  %0 = vector.transfer_read %a[%i, %c0, %c0], %pad {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, 0, d2)>} : memref<5x4x16xf32>, vector<4x8x16xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#cube) : vector<4x8x16xf32>
  vector.transfer_write %1, %b[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<4x8x16xf32>, memref<4x8x16xf32>
  return
}

// A layout with idle lanes and subgroups: eight positions in steps of two, every element has eight
// owners, one of which writes.
func.func @replicated(%a: memref<32xi8>, %b: memref<32xi8>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<32xi8>, vector<32xi8>
  %1 = iree_vector_ext.to_layout %0 to layout(#line) : vector<32xi8>
  vector.transfer_write %1, %b[%c0] {in_bounds = [true]} : vector<32xi8>, memref<32xi8>
  return
}

// Everyone has the one element.
func.func @rank_zero(%a: memref<f32>, %b: memref<f32>) {
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[], %pad : memref<f32>, vector<f32>
  %1 = iree_vector_ext.to_layout %0 to layout(#none) : vector<f32>
  %2 = arith.addf %1, %1 : vector<f32>
  %3 = vector.extract %2[] : f32 from vector<f32>
  %4 = vector.broadcast %3 : f32 to vector<f32>
  vector.transfer_write %4, %b[] : vector<f32>, memref<f32>
  return
}

// In place: the second read must see what the other threads wrote.
func.func @in_place(%a: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#square) : vector<32x32xf32>
  %2 = arith.addf %1, %1 : vector<32x32xf32>
  vector.transfer_write %2, %a[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  %3 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<32x32xf32>, vector<32x32xf32>
  %4 = arith.mulf %3, %1 : vector<32x32xf32>
  vector.transfer_write %4, %a[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}
