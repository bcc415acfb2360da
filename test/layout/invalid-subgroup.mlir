// Matrix instructions are those of subgroups of 32.
// RUN: tilewright-opt %s --verify-diagnostics --tw-distribute-vectors="threads=64 subgroup-size=64"

#a = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
#b = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1],
  subgroup_strides = [0, 0], thread_strides = [1, 4]>
#c = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>
func.func @subgroups_of_64(%x: memref<16x16xf16>, %y: memref<16x8xf16>, %z: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %pad32 = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c0], %pad : memref<16x16xf16>, vector<16x16xf16>
  %1 = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf16>, vector<16x8xf16>
  %2 = vector.transfer_read %z[%c0, %c0], %pad32 : memref<16x8xf32>, vector<16x8xf32>
  %lhs = iree_vector_ext.to_layout %0 to layout(#a) {mma_kind = "m16n8k16_f16"} : vector<16x16xf16>
  %rhs = iree_vector_ext.to_layout %1 to layout(#b) {mma_kind = "m16n8k16_f16"} : vector<16x8xf16>
  %acc = iree_vector_ext.to_layout %2 to layout(#c) : vector<16x8xf32>
  // expected-error@+1 {{is done by 32 threads, as "m16n8k16_f16" says, but a subgroup has 64}}
  %3 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %lhs, %rhs, %acc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
  vector.transfer_write %3, %z[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
  return
}
