// What cannot be distributed, and why (layouts, 3.2, 3.5, 3.6, 3.7).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --tw-distribute-vectors="threads=32"

#wide = #iree_vector_ext.nested_layout<
  subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [1], thread_strides = [1]>
func.func @two_subgroups_of_one(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad : memref<64xf32>, vector<64xf32>
  // expected-error@+1 {{the layout does not fit 32 threads in subgroups of 32: subgroup_tile 2 at stride 1 along dimension 0 needs more than the 1 subgroups there are: move the excess into batch_tile}}
  %1 = iree_vector_ext.to_layout %0 to layout(#wide) : vector<64xf32>
  vector.transfer_write %1, %a[%c0] : vector<64xf32>, memref<64xf32>
  return
}

// -----

func.func @no_layout(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  // expected-error@+1 {{'vector.transfer_read' op result #0, a 'vector<32xf32>', has no layout: no to_layout of it or of what it is connected with says how it is held}}
  %0 = vector.transfer_read %a[%c0], %pad : memref<32xf32>, vector<32xf32>
  vector.transfer_write %0, %a[%c0] : vector<32xf32>, memref<32xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
// The first of the vectors that go around.
func.func @no_layout_in_loop(%a: memref<32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'arith.constant' op result #0, a 'vector<32xf32>', has no layout}}
  %init = arith.constant dense<0.0> : vector<32xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %init) -> vector<32xf32> {
    scf.yield %v : vector<32xf32>
  }
  vector.transfer_write %0, %a[%c0] : vector<32xf32>, memref<32xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
// expected-error@+1 {{argument #1 is a 'vector<32xf32>': vectors have to come from memory and go there, for a call has no layout}}
func.func @vector_argument(%a: memref<32xf32>, %x: vector<32xf32>) {
  %c0 = arith.constant 0 : index
  %1 = iree_vector_ext.to_layout %x to layout(#l) : vector<32xf32>
  vector.transfer_write %1, %a[%c0] : vector<32xf32>, memref<32xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
// Asked to go through memory, the input keeps the layout that it has: there is none.
func.func @conversion_from_nowhere(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad : memref<32xf32>, vector<32xf32>
  // expected-error@+1 {{converts a vector without a layout: add another to_layout before it that gives the vector one}}
  %1 = iree_vector_ext.to_layout %0 to layout(#l) {shared_memory_conversion} : vector<32xf32>
  vector.transfer_write %1, %a[%c0] : vector<32xf32>, memref<32xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @tensor(%a: memref<32xf32>, %x: tensor<32xf32>) -> tensor<32xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad : memref<32xf32>, vector<32xf32>
  vector.transfer_write %0, %a[%c0] : vector<32xf32>, memref<32xf32>
  // expected-error@+1 {{of a tensor cannot be distributed: it has to be a vector by now}}
  %1 = iree_vector_ext.to_layout %x to layout(#l) : tensor<32xf32>
  return %1 : tensor<32xf32>
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @no_rule(%a: memref<32xf32>, %b: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad : memref<32xf32>, vector<32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32xf32>
  %2 = iree_vector_ext.to_layout %1 to layout(#l) : vector<32xf32>
  // expected-error@+1 {{'vector.store' op over vectors has no rule by which it could be distributed}}
  vector.store %2, %a[%c0] : memref<32xf32>, vector<32xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @extract(%a: memref<32xf32>, %b: memref<f32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad : memref<32xf32>, vector<32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32xf32>
  // expected-error@+1 {{from a vector that is spread over threads cannot be distributed}}
  %2 = vector.extract %1[3] : f32 from vector<32xf32>
  memref.store %2, %b[] : memref<f32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @tensor_source(%a: memref<32xf32>, %x: tensor<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  // expected-error@+1 {{can be distributed on memory only, not on 'tensor<32xf32>'}}
  %0 = vector.transfer_read %x[%c0], %pad : tensor<32xf32>, vector<32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32xf32>
  vector.transfer_write %1, %a[%c0] : vector<32xf32>, memref<32xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [32, 1], element_tile = [1, 4],
  subgroup_strides = [0, 0], thread_strides = [1, 0]>
func.func @memory_of_vectors(%a: memref<32xvector<4xf32>>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{result #0, a 'vector<4xf32>', has no layout}}
  %pad = arith.constant dense<0.0> : vector<4xf32>
  %0 = vector.transfer_read %a[%c0], %pad : memref<32xvector<4xf32>>, vector<32x4xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32x4xf32>
  vector.transfer_write %1, %a[%c0] : vector<32x4xf32>, memref<32xvector<4xf32>>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [32, 1], element_tile = [1, 4],
  subgroup_strides = [0, 0], thread_strides = [1, 0]>
func.func @memory_of_vectors_written(%a: memref<32xvector<4xf32>>, %b: memref<32x4xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %b[%c0, %c0], %pad : memref<32x4xf32>, vector<32x4xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32x4xf32>
  // expected-error@+1 {{has elements that are vectors, which cannot be distributed}}
  vector.transfer_write %1, %a[%c0] : vector<32x4xf32>, memref<32xvector<4xf32>>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
// Of two elements of memory each, which is not where the layout looks for them.
func.func @other_elements(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  // expected-error@+1 {{cannot be distributed: memory has elements 'f32', the vector 'index'}}
  %0 = vector.transfer_read %a[%c0], %pad : memref<64xf32>, vector<32xindex>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32xindex>
  vector.transfer_write %1, %a[%c0] : vector<32xindex>, memref<64xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [3, 8], element_tile = [1, 1],
  subgroup_strides = [0, 0], thread_strides = [8, 1]>
// 24 of 32 threads.
func.func @three_rows(%a: memref<3x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad : memref<3x8xf32>, vector<3x8xf32>
  // expected-error@+1 {{the layout does not fit 32 threads in subgroups of 32: thread_tile takes 24 ids, which do not divide the 32 threads there are}}
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<3x8xf32>
  vector.transfer_write %1, %a[%c0, %c0] : vector<3x8xf32>, memref<3x8xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
// expected-error@+1 {{'func.func' op has branches between blocks, which cannot be distributed: control flow has to be scf}}
func.func @branches(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad : memref<32xf32>, vector<32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32xf32>
  vector.transfer_write %1, %a[%c0] : vector<32xf32>, memref<32xf32>
  return
^never:
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [8], element_tile = [4],
  subgroup_strides = [0], thread_strides = [1]>
#m = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [4], outer_tile = [1], thread_tile = [8], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
// A conversion needs all threads of the workgroup, but they part here.
func.func @some_threads_only(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %x = gpu.thread_id x
  %first = arith.cmpi eq, %x, %c0 : index
  // expected-error@+1 {{is not entered by all threads alike, but in it gpu.barrier needs all of them}}
  scf.if %first {
    %0 = vector.transfer_read %a[%c0], %pad : memref<32xf32>, vector<32xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32xf32>
    %2 = iree_vector_ext.to_layout %1 to layout(#m) : vector<32xf32>
    vector.transfer_write %2, %a[%c0] : vector<32xf32>, memref<32xf32>
  }
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @passthru_repeated(%a: memref<16xf32>, %b: memref<16x16xf32>, %mask: memref<16xi1>, %other: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %m = vector.create_mask %c0 : vector<16xi1>
  %p = vector.transfer_read %other[%c0, %c0], %pad : memref<16x16xf32>, vector<16x16xf32>
  %0 = vector.mask %m, %p {
    // expected-error@+1 {{in a mask with passthru repeats elements along a dimension: its permutation map must be a permutation, not affine_map<(d0) -> (0, d0)>}}
    vector.transfer_read %a[%c0], %pad {permutation_map = affine_map<(d0) -> (0, d0)>, in_bounds = [true, false]} : memref<16xf32>, vector<16x16xf32>
  } : vector<16xi1> -> vector<16x16xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<16x16xf32>
  vector.transfer_write %1, %b[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
#matmul = {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
           iterator_types = ["parallel", "reduction"]}
func.func @masked_by_memory(%m: memref<16x16xi1>, %a: memref<16x16xf32>, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %false = arith.constant false
  %mask = vector.transfer_read %m[%c0, %c0], %false : memref<16x16xi1>, vector<16x16xi1>
  %lhs = vector.transfer_read %a[%c0, %c0], %pad : memref<16x16xf32>, vector<16x16xf32>
  %rhs = vector.transfer_read %x[%c0], %pad : memref<16xf32>, vector<16xf32>
  %acc = iree_vector_ext.to_layout %rhs to layout(#l) : vector<16xf32>
  %0 = vector.mask %mask {
    // expected-error@+1 {{is masked by something else than vector.create_mask or vector.constant_mask, which cannot be distributed}}
    vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf32>, vector<16xf32> into vector<16xf32>
  } : vector<16x16xi1> -> vector<16xf32>
  vector.transfer_write %0, %x[%c0] : vector<16xf32>, memref<16xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @masked_maximum(%n: index, %a: memref<16x16xf32>, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %mask = vector.create_mask %n, %n : vector<16x16xi1>
  %lhs = vector.transfer_read %a[%c0, %c0], %pad : memref<16x16xf32>, vector<16x16xf32>
  %rhs = vector.transfer_read %x[%c0], %pad : memref<16xf32>, vector<16xf32>
  %acc = iree_vector_ext.to_layout %rhs to layout(#l) : vector<16xf32>
  %0 = vector.mask %mask {
    // expected-error@+1 {{is masked and no sum, which cannot be distributed}}
    vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<maxnumf>} %lhs, %rhs, %acc : vector<16x16xf32>, vector<16xf32> into vector<16xf32>
  } : vector<16x16xi1> -> vector<16xf32>
  vector.transfer_write %0, %x[%c0] : vector<16xf32>, memref<16xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @masked_outer_product(%n: index, %x: memref<16xf32>, %y: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %mask = vector.create_mask %n, %n : vector<16x16xi1>
  %lhs = vector.transfer_read %x[%c0], %pad : memref<16xf32>, vector<16xf32>
  %0 = vector.mask %mask {
    // expected-error@+1 {{'vector.outerproduct' op in a mask cannot be distributed}}
    vector.outerproduct %lhs, %lhs : vector<16xf32>, vector<16xf32>
  } : vector<16x16xi1> -> vector<16x16xf32>
  vector.transfer_write %0, %y[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
  return
}

// -----

#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
// Rows of lhs and columns of rhs are both lanes 0 to 31 in steps of 4 (layouts, 1.9): without the
// instruction that these layouts are for there is no such product.
func.func @fragments_without_instruction(%x: memref<16x16xf16>, %y: memref<16x8xf16>, %z: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf32>, vector<16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf32>
  // expected-error@+1 {{operands must have the same layout along the dimensions that they share, and no thread digits in common along others, but have}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
  return
}

// -----

// Whether its argument is the same for all threads nobody here knows.
func.func @callee(%a: memref<32xf32>, %i: index, %x: f32) {
  memref.store %x, %a[%i] : memref<32xf32>
  return
}
func.func @call(%a: memref<32xf32>, %i: index, %x: f32) {
  // expected-error@+1 {{'func.call' op cannot be distributed: what it calls has to be inlined first}}
  call @callee(%a, %i, %x) : (memref<32xf32>, index, f32) -> ()
  return
}

// -----

func.func @alloca(%a: memref<32xf32>, %i: index) {
  // expected-error@+1 {{'memref.alloca' op would be memory of each thread, but what is distributed is of all: it has to be a memref.alloc}}
  %0 = memref.alloca() : memref<f32>
  %1 = memref.load %0[] : memref<f32>
  memref.store %1, %a[%i] : memref<32xf32>
  return
}

// -----

func.func @scalable(%a: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error@+1 {{'vector.transfer_read' op cannot be distributed: a scalable vector has no fixed layout}}
  %0 = vector.transfer_read %a[%i], %pad : memref<?xf32>, vector<[4]xf32>
  vector.transfer_write %0, %a[%i] : vector<[4]xf32>, memref<?xf32>
  return
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op cannot be distributed: functions have to be func.func}}
  gpu.func @kernel() kernel {
    gpu.return
  }
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @elements_elsewhere(%a: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'arith.constant' op has its elements outside of the program, and cannot be distributed}}
  %0 = arith.constant dense_resource<numbers> : vector<32xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32xf32>
  vector.transfer_write %1, %a[%c0] : vector<32xf32>, memref<32xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @mask_of_a_scalar(%a: memref<32xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %m = arith.constant dense<true> : vector<32xi1>
  %0 = iree_vector_ext.to_layout %m to layout(#l) : vector<32xi1>
  // expected-error@+1 {{around nothing cannot be distributed: it has a 'vector<32xi1>' for a 'f32'}}
  %1 = vector.mask %0, %x { vector.yield %x : f32 } : vector<32xi1> -> f32
  memref.store %1, %a[%c0] : memref<32xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [2097152], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @registers(%a: memref<67108864xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad : memref<67108864xf32>, vector<67108864xf32>
  // expected-error@+1 {{the layout does not fit 32 threads in subgroups of 32: a thread would hold 2097152 elements; expected at most 1048576}}
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<67108864xf32>
  vector.transfer_write %1, %a[%c0] : vector<67108864xf32>, memref<67108864xf32>
  return
}

// -----

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1],
  subgroup_strides = [0], thread_strides = [1]>
func.func @no_zero(%a: memref<32xf8E8M0FNU>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 1.0 : f8E8M0FNU
  %0 = vector.transfer_read %a[%c0], %pad : memref<32xf8E8M0FNU>, vector<32xf8E8M0FNU>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<32xf8E8M0FNU>
  // expected-error@+1 {{'vector.reduction' op cannot be distributed: 'f8E8M0FNU' has no zero to start from}}
  %2 = vector.reduction <add>, %1 : vector<32xf8E8M0FNU> into f8E8M0FNU
  memref.store %2, %a[%c0] : memref<32xf8E8M0FNU>
  return
}
