// What a thread does for a function over whole vectors (layouts, 3.4 to 3.6): where it reads and
// writes, what it shares with others, and where it waits for them. That the values are those of the
// undistributed program is tested by execution, in distribution/.
// RUN: tilewright-opt --tw-distribute-vectors="threads=64" --split-input-file %s | FileCheck %s

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>

#other = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>

// One read for each batch, of the run of elements that a thread holds: row 8 * subgroup + lane / 4,
// columns from 4 * (lane % 4) and 16 on.
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0 * 8 + d1)>
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0) -> (d0 * 4)>
// CHECK-DAG: #[[SECOND:.*]] = affine_map<(d0) -> (d0 * 4 + 16)>
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[A:.*]]: memref<16x32xf32>, %[[B:.*]]: memref<16x32xf32>)
// CHECK: %[[ID:.*]] = gpu.thread_id x upper_bound 64
// CHECK: %[[LANE:.*]]:3 = affine.delinearize_index %[[ID]] into (8, 4)
// CHECK: %[[SUBGROUP:.*]]:3 = affine.delinearize_index %[[ID]] into (2, 32)
// CHECK: %[[I:.*]] = affine.apply #[[ROW]](%[[SUBGROUP]]#1, %[[LANE]]#1)
// CHECK: %[[J:.*]] = affine.apply #[[FIRST]](%[[LANE]]#2)
// CHECK: %[[J2:.*]] = affine.apply #[[SECOND]](%[[LANE]]#2)
// CHECK: %[[X:.*]] = vector.transfer_read %[[A]][%[[I]], %[[J]]]{{.*}} : memref<16x32xf32>, vector<1x4xf32>
// CHECK: vector.insert %[[X]], %{{.*}} [0, 0, 0, 0] : vector<1x4xf32> into vector<1x2x1x1x1x4xf32>
// CHECK: vector.transfer_read %[[A]][%[[I]], %[[J2]]]
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} fastmath<contract> : vector<1x2x1x1x1x4xf32>
// CHECK: %[[PART:.*]] = vector.extract %[[SUM]][0, 0, 0, 0] : vector<1x4xf32>
// CHECK: vector.transfer_write %[[PART]], %[[B]]
// CHECK-NOT: gpu.barrier
// CHECK-NOT: scf.if
func.func @elementwise(%a: memref<16x32xf32>, %b: memref<16x32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<16x32xf32>
  %2 = arith.addf %1, %1 fastmath<contract> : vector<16x32xf32>
  vector.transfer_write %2, %b[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xf32>, memref<16x32xf32>
  return
}

// Each thread reads, changes and writes its own elements: nobody waits. What is read in another
// layout afterwards comes from other threads.
// CHECK-LABEL: func.func @in_place(
// CHECK-NOT: gpu.barrier
// CHECK: vector.transfer_write
// CHECK-NOT: gpu.barrier
// CHECK: vector.transfer_write
// CHECK: gpu.barrier
// CHECK: vector.transfer_read
// CHECK-NOT: gpu.barrier
func.func @in_place(%a: memref<16x32xf32>, %b: memref<32x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<16x32xf32>
  %2 = arith.negf %1 : vector<16x32xf32>
  vector.transfer_write %2, %a[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xf32>, memref<16x32xf32>
  %3 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<16x32xf32>, vector<32x16xf32>
  %4 = iree_vector_ext.to_layout %3 to layout(#other) : vector<32x16xf32>
  vector.transfer_write %4, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x16xf32>, memref<32x16xf32>
  return
}

// -----

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#columns = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [2, 16], element_tile = [4, 1],
  subgroup_strides = [0, 1], thread_strides = [16, 1]>

#line = #iree_vector_ext.nested_layout<
  subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [1], thread_strides = [1]>

// Through shared memory in a loop: one barrier before the value is written, for whoever still
// reads the last one, and one before it is read. Rows are padded against bank conflicts.
// CHECK-LABEL: func.func @conversion(
// CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<16x36xf32, #gpu.address_space<workgroup>>
// CHECK: memref.subview %[[BUFFER]][0, 0] [16, 32] [1, 1]
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK-COUNT-2: vector.transfer_write {{.*}} : vector<1x4xf32>
// CHECK: gpu.barrier
// CHECK-COUNT-2: vector.transfer_read {{.*}}, vector<4x1xf32>
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
func.func @conversion(%a: memref<?x16x32xf32>, %b: memref<16x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %init = arith.constant dense<0.0> : vector<16x32xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %init) -> vector<16x32xf32> {
    %0 = vector.transfer_read %a[%i, %c0, %c0], %pad {in_bounds = [true, true]} : memref<?x16x32xf32>, vector<16x32xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<16x32xf32>
    %2 = iree_vector_ext.to_layout %1 to layout(#columns) : vector<16x32xf32>
    %3 = arith.addf %sum, %2 : vector<16x32xf32>
    scf.yield %3 : vector<16x32xf32>
  }
  vector.transfer_write %r, %b[%c0, %c0] {in_bounds = [true, true]} : vector<16x32xf32>, memref<16x32xf32>
  return
}

// Rows are four lanes and one subgroup: registers first, then lanes. The four have the same sum and
// the first of them stores it.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: %[[OWN:.*]] = vector.multi_reduction <add>, %{{.*}}, %{{.*}} [1, 3, 5] : vector<1x2x1x1x1x4xf32> to vector<1x1x1xf32>
// CHECK: gpu.subgroup_reduce add %{{.*}} cluster(size = 4) : (vector<1xf32>) -> vector<1xf32>
// CHECK-NOT: gpu.barrier
// CHECK: scf.if %[[FIRST]] {
// CHECK: vector.transfer_write
func.func @rows(%a: memref<16x32xf32>, %b: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : vector<16xf32>
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<16x32xf32>
  %2 = vector.multi_reduction <add>, %1, %one [1] : vector<16x32xf32> to vector<16xf32>
  vector.transfer_write %2, %b[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  return
}

// Columns are eight lanes of two subgroups: what each has found goes through memory.
// CHECK-LABEL: func.func @columns(
// CHECK: memref.alloc() : memref<2x32xi32, #gpu.address_space<workgroup>>
// CHECK: gpu.subgroup_reduce maxsi %{{.*}} cluster(size = 8, stride = 4)
// CHECK: scf.if
// CHECK: vector.transfer_write
// CHECK: gpu.barrier
// CHECK: vector.transfer_read {{.*}} vector<2x4xi32>
// CHECK: vector.multi_reduction <maxsi>, %{{.*}}, %{{.*}} [0, 2, 4] : vector<1x2x1x1x2x4xi32> to vector<2x1x4xi32>
func.func @columns(%a: memref<16x32xi32>, %b: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i32
  %one = arith.constant dense<1> : vector<32xi32>
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xi32>, vector<16x32xi32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<16x32xi32>
  %2 = vector.multi_reduction <maxsi>, %1, %one [0] : vector<16x32xi32> to vector<32xi32>
  vector.transfer_write %2, %b[%c0] {in_bounds = [true]} : vector<32xi32>, memref<32xi32>
  return
}

// One thread stores a scalar; of an atomic all learn the result.
// CHECK-LABEL: func.func @scalars(
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: %[[SLOT:.*]] = memref.alloc() : memref<i32, #gpu.address_space<workgroup>>
// CHECK: %[[OLD:.*]] = scf.if %[[FIRST]] -> (i32) {
// CHECK-NEXT: memref.atomic_rmw addi
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: memref.store %[[OLD]], %[[SLOT]][]
// CHECK: gpu.barrier
// CHECK: memref.load %[[SLOT]][]
func.func @scalars(%a: memref<1xi32>, %b: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %old = memref.atomic_rmw addi %c1, %a[%c0] : (i32, memref<1xi32>) -> i32
  %all = vector.broadcast %old : i32 to vector<64xi32>
  %0 = iree_vector_ext.to_layout %all to layout(#line) : vector<64xi32>
  vector.transfer_write %0, %b[%c0] {in_bounds = [true]} : vector<64xi32>, memref<64xi32>
  return
}

// -----

#line = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>

// What a constant becomes stands where the function can name it.
// CHECK-LABEL: gpu.module @kernels
// CHECK: memref.get_global @f_constant
// CHECK: memref.global "private" constant @f_constant
// CHECK: gpu.module @end
gpu.module @kernels {
  func.func @f(%b: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : vector<4xf32>
    %0 = iree_vector_ext.to_layout %c to layout(#line) : vector<4xf32>
    vector.transfer_write %0, %b[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    return
  }
}
gpu.module @end {
}
