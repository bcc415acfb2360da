// What a gather does to memory (layouts, 2.5.6).
// RUN: tilewright-opt --canonicalize %s | FileCheck %s --check-prefix=UNUSED
// RUN: tilewright-opt --cse %s | FileCheck %s --check-prefix=CSE
// RUN: tilewright-opt --loop-invariant-code-motion %s | FileCheck %s --check-prefix=MOTION

// Nobody misses a read.
// UNUSED-LABEL: func @unused(
// UNUSED-NEXT: return
func.func @unused(%buffer: memref<?xf32>, %tensor: tensor<?xf32>, %x: vector<8xindex>, %i: index, %pad: f32) {
  %0 = iree_vector_ext.transfer_gather %buffer[%i][%x : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xf32>, vector<8xf32>
  %1 = iree_vector_ext.transfer_gather %tensor[%i][%x : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : tensor<?xf32>, vector<8xf32>
  return
}

// Two reads are one unless a write is between them; a tensor is always the same.
// CSE-LABEL: func @twice(
// CSE-COUNT-2: transfer_gather %{{.*}} : memref<?xf32>
// CSE-NOT: memref<?xf32>, vector
// CSE: transfer_gather %{{.*}} : tensor<?xf32>
// CSE-NOT: transfer_gather
// CSE: return
func.func @twice(%buffer: memref<?xf32>, %tensor: tensor<?xf32>, %x: vector<8xindex>, %i: index, %pad: f32)
    -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
  %0 = iree_vector_ext.transfer_gather %buffer[%i][%x : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xf32>, vector<8xf32>
  %1 = iree_vector_ext.transfer_gather %buffer[%i][%x : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xf32>, vector<8xf32>
  memref.store %pad, %buffer[%i] : memref<?xf32>
  %2 = iree_vector_ext.transfer_gather %buffer[%i][%x : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xf32>, vector<8xf32>
  %3 = iree_vector_ext.transfer_gather %tensor[%i][%x : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : tensor<?xf32>, vector<8xf32>
  memref.store %pad, %buffer[%i] : memref<?xf32>
  %4 = iree_vector_ext.transfer_gather %tensor[%i][%x : vector<8xindex>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : tensor<?xf32>, vector<8xf32>
  return %0, %1, %2, %3, %4 : vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>
}

// Out of a loop that may not run goes only what can be done in any case.
// MOTION-LABEL: func @loop(
// MOTION: transfer_gather %{{.*}} : tensor<?xf32>
// MOTION: scf.for
// MOTION: transfer_gather %{{.*}} : memref<?xf32>
func.func @loop(%buffer: memref<?xf32>, %tensor: tensor<?xf32>, %x: vector<8xindex>, %i: index, %n: index,
                %pad: f32, %init: vector<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %init) -> vector<8xf32> {
    %0 = iree_vector_ext.transfer_gather %buffer[%i][%x : vector<8xindex>], %pad
           {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xf32>, vector<8xf32>
    %1 = iree_vector_ext.transfer_gather %tensor[%i][%x : vector<8xindex>], %pad
           {indexed_maps = [affine_map<(i) -> (i)>]} : tensor<?xf32>, vector<8xf32>
    %2 = arith.addf %0, %1 : vector<8xf32>
    %next = arith.addf %sum, %2 : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  return %r : vector<8xf32>
}
