// Masks from bounds (layouts, 3.6.11): none, some, and all of the elements, negative bounds and too
// large ones. In @digits the bound 100 ends within an outer, so that threads behind it still have
// the elements of earlier batches; scalar i sets the bounds, from 0 to 3.
// RUN: %tilewright distribute %s --threads 64 --check --runs 6

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#digits = #iree_vector_ext.nested_layout<
  subgroup_tile = [2], batch_tile = [8], outer_tile = [2], thread_tile = [4], element_tile = [2],
  subgroup_strides = [1], thread_strides = [8]>
#smallest = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [2], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>

func.func @read(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %c19 = arith.constant 19 : index
  %rows = arith.muli %i, %c11 : index
  %columns = arith.muli %i, %c19 : index
  %pad = arith.constant 9.0 : f32
  %mask = vector.create_mask %rows, %columns : vector<32x64xi1>
  %0 = vector.transfer_read %a[%c0, %c0], %pad, %mask {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
  vector.transfer_write %1, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}

func.func @digits(%b: memref<6x256xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %c300 = arith.constant 300 : index
  %minus = arith.constant -5 : index
  %some = arith.muli %i, %c33 : index
  %more = arith.addi %some, %c33 : index
  %one = arith.constant dense<1> : vector<256xi32>
  %zero0 = arith.constant dense<0> : vector<256xi32>
  %zero = iree_vector_ext.to_layout %zero0 to layout(#digits) : vector<256xi32>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %m0 = vector.create_mask %some : vector<256xi1>
  %m1 = vector.create_mask %more : vector<256xi1>
  %m2 = vector.create_mask %c300 : vector<256xi1>
  %m3 = vector.create_mask %minus : vector<256xi1>
  %m4 = vector.constant_mask [100] : vector<256xi1>
  %m5 = vector.constant_mask [256] : vector<256xi1>
  %s0 = arith.select %m0, %one, %zero : vector<256xi1>, vector<256xi32>
  %s1 = arith.select %m1, %one, %zero : vector<256xi1>, vector<256xi32>
  %s2 = arith.select %m2, %one, %zero : vector<256xi1>, vector<256xi32>
  %s3 = arith.select %m3, %one, %zero : vector<256xi1>, vector<256xi32>
  %s4 = arith.select %m4, %one, %zero : vector<256xi1>, vector<256xi32>
  %s5 = arith.select %m5, %one, %zero : vector<256xi1>, vector<256xi32>
  vector.transfer_write %s0, %b[%c0, %c0] {in_bounds = [true]} : vector<256xi32>, memref<6x256xi32>
  vector.transfer_write %s1, %b[%c1, %c0] {in_bounds = [true]} : vector<256xi32>, memref<6x256xi32>
  vector.transfer_write %s2, %b[%c2, %c0] {in_bounds = [true]} : vector<256xi32>, memref<6x256xi32>
  vector.transfer_write %s3, %b[%c3, %c0] {in_bounds = [true]} : vector<256xi32>, memref<6x256xi32>
  vector.transfer_write %s4, %b[%c4, %c0] {in_bounds = [true]} : vector<256xi32>, memref<6x256xi32>
  vector.transfer_write %s5, %b[%c5, %c0] {in_bounds = [true]} : vector<256xi32>, memref<6x256xi32>
  return
}

// The smallest case in which an earlier batch could be lost: thread 1 holds 1 and 3, the bound is 3.
func.func @smallest(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant 0 : i32
  %mask = vector.create_mask %c3 : vector<4xi1>
  %0 = vector.transfer_read %a[%c0], %pad, %mask {in_bounds = [true]} : memref<4xi32>, vector<4xi32>
  %1 = iree_vector_ext.to_layout %0 to layout(#smallest) : vector<4xi32>
  vector.transfer_write %1, %b[%c0] {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
  return
}

// Operations in a mask: transfers, with what is passed through; sums; maxima, of which the masked
// ones do not count.
func.func @around(%a: memref<32x64xf32>, %p: memref<32x64xf32>, %b: memref<32x64xf32>, %s: memref<32xf32>, %t: memref<64xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %c19 = arith.constant 19 : index
  %rows = arith.muli %i, %c11 : index
  %columns = arith.muli %i, %c19 : index
  %pad = arith.constant 9.0 : f32
  %mask = vector.create_mask %rows, %columns : vector<32x64xi1>
  %other = vector.transfer_read %p[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %0 = vector.mask %mask, %other { vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32> } : vector<32x64xi1> -> vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
  vector.mask %mask { vector.transfer_write %1, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32> } : vector<32x64xi1>
  %one = arith.constant dense<1.0> : vector<32xf32>
  %sum = vector.mask %mask { vector.multi_reduction <add>, %1, %one [1] : vector<32x64xf32> to vector<32xf32> } : vector<32x64xi1> -> vector<32xf32>
  vector.transfer_write %sum, %s[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  %integers = arith.fptosi %1 : vector<32x64xf32> to vector<32x64xi32>
  %least = arith.constant dense<-100> : vector<64xi32>
  %max = vector.mask %mask { vector.multi_reduction <maxsi>, %integers, %least [0] : vector<32x64xi32> to vector<64xi32> } : vector<32x64xi1> -> vector<64xi32>
  vector.transfer_write %max, %t[%c0] {in_bounds = [true]} : vector<64xi32>, memref<64xi32>
  return
}

// What is passed through has the order of the vector, the mask that of memory.
func.func @transposed_passthru(%a: memref<64x32xf32>, %p: memref<32x64xf32>, %b: memref<32x64xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %bound = arith.muli %i, %c11 : index
  %pad = arith.constant 9.0 : f32
  %mask = vector.create_mask %bound, %c11 : vector<64x32xi1>
  %other = vector.transfer_read %p[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %0 = vector.mask %mask, %other { vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<64x32xf32>, vector<32x64xf32> } : vector<64x32xi1> -> vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
  vector.transfer_write %1, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}
