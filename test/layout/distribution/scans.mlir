// Scans (layouts, 3.6.8): along registers, along lanes and subgroups, where the elements of a row
// come together first; both results are used.
// RUN: %tilewright distribute %s --threads 64 --check

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 2], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#own = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 4], thread_tile = [16, 1], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [2, 0]>

func.func @registers(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xi32>, vector<32x32xi32>
  %1 = iree_vector_ext.to_layout %0 to layout(#own) : vector<32x32xi32>
  %zero = arith.constant dense<5> : vector<32xi32>
  %2:2 = vector.scan <add>, %1, %zero {inclusive = false, reduction_dim = 1 : i64} : vector<32x32xi32>, vector<32xi32>
  vector.transfer_write %2#0, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xi32>, memref<32x32xi32>
  vector.transfer_write %2#1, %c[%c0] {in_bounds = [true]} : vector<32xi32>, memref<32xi32>
  return
}

func.func @lanes(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x32xf32>
  %init = vector.transfer_read %c[%c0], %pad {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
  %2:2 = vector.scan <add>, %1, %init {inclusive = true, reduction_dim = 1 : i64} : vector<32x32xf32>, vector<32xf32>
  %3 = arith.addf %2#0, %1 : vector<32x32xf32>
  vector.transfer_write %3, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  vector.transfer_write %2#1, %c[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  return
}

func.func @subgroups(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x32xf32>
  %least = arith.constant dense<-3.0> : vector<32xf32>
  %2:2 = vector.scan <maxnumf>, %1, %least {inclusive = false, reduction_dim = 0 : i64} : vector<32x32xf32>, vector<32xf32>
  vector.transfer_write %2#0, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  vector.transfer_write %2#1, %c[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  return
}
