// Memory that threads share (layouts, 3.5): values that pass through it between operations of the
// program itself, scalars that are stored once, atomics whose result all need, and threads that
// part, where each writes its own element.
// RUN: %tilewright distribute %s --threads 64 --check --runs 4

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#columns = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [2, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 1], thread_strides = [8, 1]>
#line = #iree_vector_ext.nested_layout<
  subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [2],
  subgroup_strides = [1], thread_strides = [2]>

#halves = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>

// In each turn of the loop all threads read what others wrote in the last one, through a view.
func.func @exchange(%a: memref<32x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %view = memref.subview %a[0, 0] [32, 32] [1, 1] : memref<32x32xf32> to memref<32x32xf32, strided<[32, 1]>>
  scf.for %i = %c0 to %n step %c1 {
    %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x32xf32>
    %2 = arith.addf %1, %1 : vector<32x32xf32>
    vector.transfer_write %2, %view[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<32x32xf32>, memref<32x32xf32, strided<[32, 1]>>
  }
  return
}

// A tile in memory that the function has itself.
func.func @own_memory(%a: memref<32x32xf32>, %b: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %tile = memref.alloc() : memref<32x32xf32>
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x32xf32>
  vector.transfer_write %1, %tile[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  %2 = vector.transfer_read %tile[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#columns) : vector<32x32xf32>
  vector.transfer_write %3, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}

// The scalar is stored, loaded and added to; whoever loads waits for who stores.
func.func @scalars(%a: memref<64xf32>, %s: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#line) : vector<64xf32>
  %sum = vector.multi_reduction <add>, %1, %pad [0] : vector<64xf32> to f32
  memref.store %sum, %s[%c0] : memref<2xf32>
  %again = memref.load %s[%c0] : memref<2xf32>
  %twice = arith.addf %again, %again : f32
  memref.store %twice, %s[%c1] : memref<2xf32>
  %2 = vector.broadcast %twice : f32 to vector<64xf32>
  %3 = arith.subf %1, %2 : vector<64xf32>
  vector.transfer_write %3, %a[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  return
}

func.func @atomics(%counter: memref<1xi32>, %max: memref<1xi32>, %b: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %old = memref.atomic_rmw addi %five, %counter[%c0] : (i32, memref<1xi32>) -> i32
  memref.atomic_rmw maxs %old, %max[%c0] : (i32, memref<1xi32>) -> i32
  %0 = vector.broadcast %old : i32 to vector<64xi32>
  %1 = iree_vector_ext.to_layout %0 to layout(#line) : vector<64xi32>
  vector.transfer_write %1, %b[%c0] {in_bounds = [true]} : vector<64xi32>, memref<64xi32>
  return
}

// A branch that all take or none: barriers can stand in it.
func.func @uniform_branch(%a: memref<32x32xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x32xf32>
  %more = arith.cmpi sgt, %i, %c1 : index
  scf.if %more {
    %2 = iree_vector_ext.to_layout %1 to layout(#columns) : vector<32x32xf32>
    %3 = arith.addf %2, %2 : vector<32x32xf32>
    vector.transfer_write %3, %a[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  }
  %4 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
  %5 = arith.mulf %4, %1 : vector<32x32xf32>
  vector.transfer_write %5, %a[%c0, %c0] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32>
  return
}

// Loops that change which memory is which, or which part of it a view is: any may be the same.
func.func @double_buffer(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %d = %b) -> (memref<32x32xf32>, memref<32x32xf32>) {
    %0 = vector.transfer_read %s[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf32>, vector<32x32xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x32xf32>
    vector.transfer_write %1, %d[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<32x32xf32>, memref<32x32xf32>
    scf.yield %d, %s : memref<32x32xf32>, memref<32x32xf32>
  }
  return
}

func.func @moving_view(%a: memref<72xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %view = memref.subview %a[%i] [64] [1] : memref<72xf32> to memref<64xf32, strided<[1], offset: ?>>
    %0 = vector.transfer_read %view[%c0], %pad {in_bounds = [true]} : memref<64xf32, strided<[1], offset: ?>>, vector<64xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#line) : vector<64xf32>
    %2 = arith.addf %1, %1 : vector<64xf32>
    vector.transfer_write %2, %view[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32, strided<[1], offset: ?>>
  }
  return
}

memref.global @table : memref<64xf32> = dense<2.0>
func.func @globals(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %g = memref.get_global @table : memref<64xf32>
  %h = memref.get_global @table : memref<64xf32>
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#line) : vector<64xf32>
  vector.transfer_write %1, %g[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  %2 = vector.transfer_read %h[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#halves) : vector<64xf32>
  vector.transfer_write %3, %a[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  return
}

// No vectors: one thread does it all the same.
func.func @scalars_only(%counter: memref<1xi32>, %a: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %old = memref.atomic_rmw addi %c1, %counter[%c0] : (i32, memref<1xi32>) -> i32
  %0 = memref.load %a[%c0] : memref<1xi32>
  %1 = arith.addi %0, %old : i32
  memref.store %1, %a[%c0] : memref<1xi32>
  return
}

// What nobody uses needs no layout, and moves nothing.
func.func @dead(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %1 = arith.negf %0 : vector<64xf32>
  %2 = arith.addf %1, %1 : vector<64xf32>
  return
}
