// Broadcasts, transpositions, casts of shape, steps and constants (layouts, 3.6.2, 3.6.5, 3.6.6,
// 3.6.12, 3.6.15). Two subgroups of 32.
// RUN: %tilewright distribute %s --threads 64 --check

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#cube = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2, 1], batch_tile = [2, 1, 2], outer_tile = [1, 2, 1], thread_tile = [2, 2, 8], element_tile = [1, 1, 2],
  subgroup_strides = [0, 1, 0], thread_strides = [16, 8, 1]>
#step = #iree_vector_ext.nested_layout<
  subgroup_tile = [2], batch_tile = [2], outer_tile = [1], thread_tile = [4], element_tile = [2],
  subgroup_strides = [1], thread_strides = [1]>
#fragments = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [2, 2], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 8],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
#columns = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [2, 16], element_tile = [4, 1],
  subgroup_strides = [0, 1], thread_strides = [16, 1]>

#other = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [4, 1], outer_tile = [1, 2], thread_tile = [4, 8], element_tile = [2, 2],
  subgroup_strides = [1, 0], thread_strides = [8, 1]>

// New dimensions in front, a single element everywhere, a dimension of one element stretched.
func.func @broadcasts(%a: memref<64xf32>, %x: memref<32x1xf32>, %b: memref<32x64xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %1 = vector.broadcast %0 : vector<64xf32> to vector<32x64xf32>
  %2 = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x1xf32>, vector<32x1xf32>
  %3 = vector.broadcast %2 : vector<32x1xf32> to vector<32x64xf32>
  %4 = vector.broadcast %s : f32 to vector<32x64xf32>
  %5 = arith.addf %1, %3 : vector<32x64xf32>
  %6 = arith.mulf %5, %4 : vector<32x64xf32>
  %7 = iree_vector_ext.to_layout %6 to layout(#rows) : vector<32x64xf32>
  vector.transfer_write %7, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}

func.func @two_new_dimensions(%a: memref<32xf32>, %b: memref<4x8x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %1 = vector.broadcast %0 : vector<32xf32> to vector<4x8x32xf32>
  %2 = iree_vector_ext.to_layout %1 to layout(#cube) : vector<4x8x32xf32>
  vector.transfer_write %2, %b[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<4x8x32xf32>, memref<4x8x32xf32>
  return
}

func.func @transpositions(%a: memref<4x8x32xf32>, %b: memref<8x32x4xf32>, %c: memref<32x8x4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<4x8x32xf32>, vector<4x8x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#cube) : vector<4x8x32xf32>
  %2 = vector.transpose %1, [1, 2, 0] : vector<4x8x32xf32> to vector<8x32x4xf32>
  %3 = vector.transpose %2, [1, 0, 2] : vector<8x32x4xf32> to vector<32x8x4xf32>
  vector.transfer_write %2, %b[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<8x32x4xf32>, memref<8x32x4xf32>
  vector.transfer_write %3, %c[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<32x8x4xf32>, memref<32x8x4xf32>
  return
}

// Elements stay where they are, with a layout of the new shape.
func.func @casts(%a: memref<16x64xf32>, %b: memref<4x4x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#fragments) : vector<16x64xf32>
  %2 = vector.shape_cast %1 : vector<16x64xf32> to vector<4x4x8x8xf32>
  %3 = arith.addf %2, %2 : vector<4x4x8x8xf32>
  vector.transfer_write %3, %b[%c0, %c0, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<4x4x8x8xf32>, memref<4x4x8x8xf32>
  return
}

// No layout of the new shape says where the elements are: they go through memory.
func.func @cast_that_moves(%a: memref<32x64xf32>, %b: memref<64x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#columns) : vector<32x64xf32>
  %2 = vector.shape_cast %1 : vector<32x64xf32> to vector<64x32xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#other) : vector<64x32xf32>
  vector.transfer_write %3, %b[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
  return
}

// The worked example of 3.6.12, and its elements in another order.
func.func @steps(%b: memref<32xindex>, %c: memref<32xindex>) {
  %c0 = arith.constant 0 : index
  %0 = vector.step : vector<32xindex>
  %1 = iree_vector_ext.to_layout %0 to layout(#step) : vector<32xindex>
  vector.transfer_write %1, %b[%c0] {in_bounds = [true]} : vector<32xindex>, memref<32xindex>
  %2 = arith.muli %1, %1 : vector<32xindex>
  vector.transfer_write %2, %c[%c0] {in_bounds = [true]} : vector<32xindex>, memref<32xindex>
  return
}

func.func @constants(%b: memref<32xi32>, %c: memref<32xi1>) {
  %c0 = arith.constant 0 : index
  %0 = arith.constant dense<[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5]> : vector<32xi32>
  %five = arith.constant dense<5> : vector<32xi32>
  %1 = iree_vector_ext.to_layout %0 to layout(#step) : vector<32xi32>
  %2 = arith.cmpi sgt, %1, %five : vector<32xi32>
  vector.transfer_write %1, %b[%c0] {in_bounds = [true]} : vector<32xi32>, memref<32xi32>
  vector.transfer_write %2, %c[%c0] {in_bounds = [true]} : vector<32xi1>, memref<32xi1>
  return
}
