// Gathers (layouts, 3.6.13, 3.6.14): positions are absolute, so every thread finds its own.
// RUN: %tilewright distribute %s --threads 64 --check --runs 4

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#batches = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 1], thread_strides = [8, 1]>
#cube = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1, 1], batch_tile = [2, 2, 1], outer_tile = [1, 1, 1], thread_tile = [4, 4, 2], element_tile = [1, 1, 1],
  subgroup_strides = [1, 0, 0], thread_strides = [8, 2, 1]>

// The columns that a row of indices names; indices are within bounds because and-ed.
func.func @gather(%a: memref<32x16xf32>, %n: memref<32x32xindex>, %m: memref<32x32xi1>, %b: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %pad = arith.constant 0.0 : f32
  %c15 = arith.constant dense<15> : vector<32x32xindex>
  %other = arith.constant dense<5.0> : vector<32x32xf32>
  %0 = vector.transfer_read %n[%c0, %c0], %c0 {in_bounds = [true, true]} : memref<32x32xindex>, vector<32x32xindex>
  %1 = arith.andi %0, %c15 : vector<32x32xindex>
  %2 = vector.transfer_read %m[%c0, %c0], %no {in_bounds = [true, true]} : memref<32x32xi1>, vector<32x32xi1>
  %3 = vector.gather %a[%c0, %c0] [%1], %2, %other : memref<32x16xf32>, vector<32x32xindex>, vector<32x32xi1>, vector<32x32xf32> into vector<32x32xf32>
  %4 = iree_vector_ext.to_layout %3 to layout(#rows) : vector<32x32xf32>
  vector.transfer_write %4, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}

// Rows that indices name. The result has batches along both dimensions, the indices only along one:
// counting tiles would take the wrong ones (3.6.3, trap).
func.func @rows(%a: memref<40x32xf32>, %n: memref<32xindex>, %b: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %c31 = arith.constant dense<31> : vector<32xindex>
  %0 = vector.transfer_read %n[%c0], %c0 {in_bounds = [true]} : memref<32xindex>, vector<32xindex>
  %1 = arith.andi %0, %c31 : vector<32xindex>
  %2 = iree_vector_ext.transfer_gather %a[%c0, %c0][%1 : vector<32xindex>, None], %pad {indexed_maps = [affine_map<(i, j) -> (i)>], in_bounds = [true, true]} : memref<40x32xf32>, vector<32x32xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#batches) : vector<32x32xf32>
  vector.transfer_write %3, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}

// Out of bounds, and masked: the indices are partly negative or too large.
func.func @outside(%a: memref<3x?xf32>, %n: memref<32xindex>, %b: memref<32x32xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %bound = arith.muli %i, %c9 : index
  %pad = arith.constant 8.0 : f32
  %0 = vector.transfer_read %n[%c0], %c0 {in_bounds = [true]} : memref<32xindex>, vector<32xindex>
  %mask = vector.create_mask %bound, %bound : vector<32x32xi1>
  %2 = iree_vector_ext.transfer_gather %a[%c0, %c0][%0 : vector<32xindex>, None], %pad, %mask {indexed_maps = [affine_map<(i, j) -> (i)>], in_bounds = [false, false]} : memref<3x?xf32>, vector<32x32xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#rows) : vector<32x32xf32>
  vector.transfer_write %3, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}

// The published example: source[ind0[k], j, ind1[i, j]], read as (k, j, i).
func.func @two_index_vectors(%a: memref<4x8x5xf32>, %n: memref<16xindex>, %m: memref<2x8xindex>, %b: memref<16x8x2xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %three = arith.constant dense<3> : vector<16xindex>
  %threes = arith.constant dense<3> : vector<2x8xindex>
  %0 = vector.transfer_read %n[%c0], %c0 {in_bounds = [true]} : memref<16xindex>, vector<16xindex>
  %ind0 = arith.andi %0, %three : vector<16xindex>
  %1 = vector.transfer_read %m[%c0, %c0], %c0 {in_bounds = [true, true]} : memref<2x8xindex>, vector<2x8xindex>
  %ind1 = arith.andi %1, %threes : vector<2x8xindex>
  %2 = iree_vector_ext.transfer_gather %a[%c0, %c0, %c0][%ind0 : vector<16xindex>, None, %ind1 : vector<2x8xindex>], %pad {indexed_maps = [affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>], permutation_map = affine_map<(i, j, k) -> (k, j, i)>, in_bounds = [true, true, true]} : memref<4x8x5xf32>, vector<16x8x2xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#cube) : vector<16x8x2xf32>
  vector.transfer_write %3, %b[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<16x8x2xf32>, memref<16x8x2xf32>
  return
}

// Along the innermost dimension of memory, with rows that may not be there.
func.func @columns(%a: memref<30x?xf32>, %n: memref<32x32xindex>, %b: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 8.0 : f32
  %0 = vector.transfer_read %n[%c0, %c0], %c0 {in_bounds = [true, true]} : memref<32x32xindex>, vector<32x32xindex>
  %2 = iree_vector_ext.transfer_gather %a[%c0, %c0][None, %0 : vector<32x32xindex>], %pad {indexed_maps = [affine_map<(i, j) -> (i, j)>], in_bounds = [false, false]} : memref<30x?xf32>, vector<32x32xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#rows) : vector<32x32xf32>
  vector.transfer_write %3, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}

// A row of the result goes along the dimension that is gathered, by an index that is the same for all of
// it: one element repeated, but for the mask, whose order is that of memory. The other function has
// another row of memory for each element of a row.
func.func @elements(%a: memref<9x32xf32>, %n: memref<32xindex>, %m: memref<32x32xi1>, %b: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %pad = arith.constant 8.0 : f32
  %0 = vector.transfer_read %n[%c0], %c0 {in_bounds = [true]} : memref<32xindex>, vector<32xindex>
  %mask = vector.transfer_read %m[%c0, %c0], %no {in_bounds = [true, true]} : memref<32x32xi1>, vector<32x32xi1>
  %2 = iree_vector_ext.transfer_gather %a[%c0, %c0][%0 : vector<32xindex>, None], %pad, %mask {indexed_maps = [affine_map<(i, j) -> (j)>], permutation_map = affine_map<(i, j) -> (j, i)>, in_bounds = [true, false]} : memref<9x32xf32>, vector<32x32xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#rows) : vector<32x32xf32>
  vector.transfer_write %3, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}

func.func @diagonals(%a: memref<9x32xf32>, %n: memref<32xindex>, %b: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 8.0 : f32
  %0 = vector.transfer_read %n[%c0], %c0 {in_bounds = [true]} : memref<32xindex>, vector<32xindex>
  %2 = iree_vector_ext.transfer_gather %a[%c0, %c0][%0 : vector<32xindex>, None], %pad {indexed_maps = [affine_map<(i, j) -> (j)>], in_bounds = [false, true]} : memref<9x32xf32>, vector<32x32xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#rows) : vector<32x32xf32>
  vector.transfer_write %3, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}
