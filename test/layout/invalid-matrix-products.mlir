// Contractions that were to be done by matrix instructions, and cannot (layouts, 3.6.10): each has
// one thing that is not as the instruction needs it.
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics --tw-distribute-vectors="threads=64"

#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @unknown_kind(%x: memref<16x16xf16>, %y: memref<16x8xf16>, %z: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf32>, vector<16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m8n8k16_f16"} : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m8n8k16_f16"} : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf32>
  // expected-error@+1 {{mma_kind is "m8n8k16_f16", not one of m16n8k16_f16, m16n8k8_f16, m16n8k8_tf32, m16n8k4_tf32, m16n8k32_i8, m16n8k64_i4, m8n8k4_f64}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
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
func.func @two_kinds(%x: memref<16x16xf16>, %y: memref<16x8xf16>, %z: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf32>, vector<16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k8_f16"} : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf32>
  // expected-error@+1 {{operands have mma_kind "m16n8k16_f16" and "m16n8k8_f16", but an instruction has one}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
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
func.func @not_a_sum(%x: memref<16x16xf16>, %y: memref<16x8xf16>, %z: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf32>, vector<16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k16_f16"} : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf32>
  // expected-error@+1 {{is no sum over one dimension K of a product along M and N, as "m16n8k16_f16" needs it}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxnumf>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
  return
}

// -----

// Fragments of another instruction.
#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @other_lhs(%x: memref<16x16xf16>, %y: memref<16x8xf16>, %z: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf32>, vector<16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k8_f16"} : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k8_f16"} : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf32>
  // expected-error@+1 {{lhs is not held in fragments}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
  return
}

// -----

#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [4, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @other_rhs(%x: memref<16x16xf16>, %y: memref<16x8xf16>, %z: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf32>, vector<16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k16_f16"} : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf32>
  // expected-error@+1 {{rhs is not held in fragments}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
  return
}

// -----

#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @other_result(%x: memref<16x16xf16>, %y: memref<16x16xf16>, %z: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x16xf32>, vector<16x16xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k16_f16"} : vector<16x16xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x16xf32>
  // expected-error@+1 {{result is not held in fragments}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x16xf32>, memref<16x16xf32>
  return
}

// -----

// The halves along M are subgroups of lhs, but batches of the result.
#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @other_subgroups(%x: memref<32x16xf16>, %y: memref<16x8xf16>, %z: memref<32x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<32x16xf16>, vector<32x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<32x8xf32>, vector<32x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<32x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k16_f16"} : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<32x8xf32>
  // expected-error@+1 {{operands and result are not spread alike over subgroups and batches along M and N}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<32x16xf16>, vector<16x8xf16> into vector<32x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<32x8xf32>, memref<32x8xf32>
  return
}

// -----

// A subgroup has half of K.
#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 1], thread_strides = [4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [1, 0], thread_strides = [1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @k_over_subgroups(%x: memref<16x32xf16>, %y: memref<32x8xf16>, %z: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x32xf16>, vector<16x32xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<32x8xf16>, vector<32x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf32>, vector<16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<16x32xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k16_f16"} : vector<32x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf32>
  // expected-error@+1 {{lhs and rhs have not all of K in the same batches of each subgroup}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x32xf16>, vector<32x8xf16> into vector<16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
  return
}

// -----

#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [2, 2, 2], thread_tile = [1, 8, 4], element_tile = [1, 1, 2],
  subgroup_strides = [0, 0, 0], thread_strides = [0, 4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [2, 2, 1], thread_tile = [1, 4, 8], element_tile = [1, 2, 1],
  subgroup_strides = [0, 0, 0], thread_strides = [0, 1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1, 1], batch_tile = [1, 1, 1], outer_tile = [2, 2, 1], thread_tile = [1, 8, 4], element_tile = [1, 1, 2],
  subgroup_strides = [0, 0, 0], thread_strides = [0, 4, 1]>
// Two products, as outers instead of batches.
func.func @batches(%x: memref<2x16x16xf16>, %y: memref<2x16x8xf16>, %z: memref<2x16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0, %c0], %pad : memref<2x16x16xf16>, vector<2x16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0, %c0], %pad : memref<2x16x8xf16>, vector<2x16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0, %c0], %pad32 : memref<2x16x8xf32>, vector<2x16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<2x16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k16_f16"} : vector<2x16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<2x16x8xf32>
  // expected-error@+1 {{a batch is not held by one subgroup alike in operands and result}}
  %3 = vector.contract {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<2x16x16xf16>, vector<2x16x8xf16> into vector<2x16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0, %c0] : vector<2x16x8xf32>, memref<2x16x8xf32>
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
func.func @other_types(%x: memref<16x16xf16>, %y: memref<16x8xf16>, %z: memref<16x8xf64>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f64
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf64>, vector<16x8xf64>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k16_f16"} : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf64>
  // expected-error@+1 {{operands and result do not have types that go together, as "m16n8k16_f16" needs it}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf64>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf64>, memref<16x8xf64>
  return
}
