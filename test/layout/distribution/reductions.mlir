// Sums and others: within a thread, over lanes, over subgroups, of everything, in all kinds
// (layouts, 3.6.7). 64 threads: rows are two subgroups, columns four lanes.
// RUN: %tilewright distribute %s --threads 64 --check

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#own = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [16, 1], element_tile = [1, 8],
  subgroup_strides = [1, 0], thread_strides = [2, 0]>
#cube = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2, 1], batch_tile = [2, 1, 2], outer_tile = [1, 2, 1], thread_tile = [2, 2, 8], element_tile = [1, 1, 2],
  subgroup_strides = [0, 1, 0], thread_strides = [16, 8, 1]>
#both = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [2, 16], element_tile = [4, 1],
  subgroup_strides = [0, 1], thread_strides = [16, 1]>
#line = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [2],
  subgroup_strides = [0], thread_strides = [1]>

func.func @own_elements(%a: memref<32x16xf32>, %b: memref<32xf32>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf32>, vector<32x16xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#own) : vector<32x16xf32>
  %acc = vector.transfer_read %b[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %2 = vector.multi_reduction <add>, %1, %acc [1] : vector<32x16xf32> to vector<32xf32>
  vector.transfer_write %2, %c[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  return
}

func.func @rows_and_columns(%a: memref<32x64xf32>, %b: memref<32xf32>, %c: memref<64xf32>, %d: memref<f32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
  %one = arith.constant dense<1.0> : vector<32xf32>
  %two = arith.constant dense<2.0> : vector<64xf32>
  %three = arith.constant 3.0 : f32
  %2 = vector.multi_reduction <add>, %1, %one [1] : vector<32x64xf32> to vector<32xf32>
  %3 = vector.multi_reduction <maximumf>, %1, %two [0] : vector<32x64xf32> to vector<64xf32>
  %4 = vector.multi_reduction <add>, %1, %three [0, 1] : vector<32x64xf32> to f32
  vector.transfer_write %2, %b[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  vector.transfer_write %3, %c[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  memref.store %4, %d[] : memref<f32>
  return
}

// What is reduced goes back to where it came from: a softmax but for its exponentials.
func.func @normalise(%a: memref<32x64xf32>, %b: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#both) : vector<32x64xf32>
  %least = arith.constant dense<0xFF800000> : vector<32xf32>
  %max = vector.multi_reduction <maximumf>, %1, %least [1] : vector<32x64xf32> to vector<32xf32>
  %wide = vector.broadcast %max : vector<32xf32> to vector<64x32xf32>
  %back = vector.transpose %wide, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
  %2 = arith.subf %1, %back : vector<32x64xf32>
  vector.transfer_write %2, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}

// In a loop over tiles, with the sum carried.
func.func @carried(%a: memref<32x?xf32>, %b: memref<32xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = arith.muli %i, %c64 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> vector<32xf32> {
    %0 = vector.transfer_read %a[%c0, %k], %pad {in_bounds = [true, false]} : memref<32x?xf32>, vector<32x64xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#both) : vector<32x64xf32>
    %2 = vector.multi_reduction <add>, %1, %acc [1] : vector<32x64xf32> to vector<32xf32>
    scf.yield %2 : vector<32xf32>
  }
  vector.transfer_write %sum, %b[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  return
}

// Three dimensions, the outer ones and the inner ones.
func.func @cube(%a: memref<4x8x32xi32>, %b: memref<8xi32>, %c: memref<4x32xi32>, %d: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i32
  %0 = vector.transfer_read %a[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<4x8x32xi32>, vector<4x8x32xi32>
  %1 = iree_vector_ext.to_layout %0 to layout(#cube) : vector<4x8x32xi32>
  %one = arith.constant dense<1> : vector<8xi32>
  %two = arith.constant dense<2> : vector<4x32xi32>
  %three = arith.constant dense<3> : vector<4xi32>
  %2 = vector.multi_reduction <add>, %1, %one [0, 2] : vector<4x8x32xi32> to vector<8xi32>
  %3 = vector.multi_reduction <xor>, %1, %two [1] : vector<4x8x32xi32> to vector<4x32xi32>
  %4 = vector.multi_reduction <minsi>, %1, %three [1, 2] : vector<4x8x32xi32> to vector<4xi32>
  vector.transfer_write %2, %b[%c0] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
  vector.transfer_write %3, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x32xi32>, memref<4x32xi32>
  vector.transfer_write %4, %d[%c0] {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
  return
}

// Every kind, also of indices, which lanes reduce as i64; a reduction of one dimension is the same.
func.func @kinds(%a: memref<32xi16>, %f: memref<32xf64>, %n: memref<32xindex>, %b: memref<9xi16>, %c: memref<5xf64>, %d: memref<index>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0 : i16
  %padf = arith.constant 0.0 : f64
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<32xi16>, vector<32xi16>
  %x = iree_vector_ext.to_layout %0 to layout(#line) : vector<32xi16>
  %1 = vector.transfer_read %f[%c0], %padf {in_bounds = [true]} : memref<32xf64>, vector<32xf64>
  %y = iree_vector_ext.to_layout %1 to layout(#line) : vector<32xf64>
  %2 = vector.transfer_read %n[%c0], %c0 {in_bounds = [true]} : memref<32xindex>, vector<32xindex>
  %z = iree_vector_ext.to_layout %2 to layout(#line) : vector<32xindex>
  %i0 = vector.reduction <add>, %x : vector<32xi16> into i16
  %i1 = vector.reduction <mul>, %x : vector<32xi16> into i16
  %i2 = vector.reduction <minui>, %x : vector<32xi16> into i16
  %i3 = vector.reduction <minsi>, %x : vector<32xi16> into i16
  %i4 = vector.reduction <maxui>, %x : vector<32xi16> into i16
  %i5 = vector.reduction <maxsi>, %x : vector<32xi16> into i16
  %i6 = vector.reduction <and>, %x : vector<32xi16> into i16
  %i7 = vector.reduction <or>, %x : vector<32xi16> into i16
  %i8 = vector.reduction <xor>, %x, %i0 : vector<32xi16> into i16
  %f0 = vector.reduction <add>, %y : vector<32xf64> into f64
  %f1 = vector.reduction <minnumf>, %y : vector<32xf64> into f64
  %f2 = vector.reduction <maxnumf>, %y : vector<32xf64> into f64
  %f3 = vector.reduction <minimumf>, %y : vector<32xf64> into f64
  %f4 = vector.reduction <maximumf>, %y, %f0 : vector<32xf64> into f64
  %s = vector.reduction <add>, %z : vector<32xindex> into index
  memref.store %i0, %b[%c0] : memref<9xi16>
  memref.store %i1, %b[%c1] : memref<9xi16>
  memref.store %i2, %b[%c2] : memref<9xi16>
  memref.store %i3, %b[%c3] : memref<9xi16>
  memref.store %i4, %b[%c4] : memref<9xi16>
  memref.store %i5, %b[%c5] : memref<9xi16>
  memref.store %i6, %b[%c6] : memref<9xi16>
  memref.store %i7, %b[%c7] : memref<9xi16>
  memref.store %i8, %b[%c8] : memref<9xi16>
  memref.store %f0, %c[%c0] : memref<5xf64>
  memref.store %f1, %c[%c1] : memref<5xf64>
  memref.store %f2, %c[%c2] : memref<5xf64>
  memref.store %f3, %c[%c3] : memref<5xf64>
  memref.store %f4, %c[%c4] : memref<5xf64>
  memref.store %s, %d[] : memref<index>
  return
}

// What a tile of 1 has for a stride does not matter (1.3): the rows of one subgroup here have 2.
func.func @stride_of_one(%a: memref<8x32xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x32xf32>, vector<8x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#iree_vector_ext.nested_layout<
    subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 4],
    subgroup_strides = [2, 1], thread_strides = [4, 1]>) : vector<8x32xf32>
  %2 = vector.multi_reduction <add>, %1, %zero [1] : vector<8x32xf32> to vector<8xf32>
  vector.transfer_write %2, %b[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  return
}

// Numbers without infinities start from the last one there is.
func.func @small_floats(%a: memref<32xf8E4M3FN>, %b: memref<1xf8E4M3FN>, %c: memref<1xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f8E4M3FN
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<32xf8E4M3FN>, vector<32xf8E4M3FN>
  %x = iree_vector_ext.to_layout %0 to layout(#line) : vector<32xf8E4M3FN>
  %max = vector.reduction <maximumf>, %x : vector<32xf8E4M3FN> into f8E4M3FN
  %min = vector.reduction <minnumf>, %x : vector<32xf8E4M3FN> into f8E4M3FN
  memref.store %max, %b[%c0] : memref<1xf8E4M3FN>
  memref.store %min, %c[%c0] : memref<1xf8E4M3FN>
  return
}
