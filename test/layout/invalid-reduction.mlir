// A reduction among lanes halves their number until one is left (layouts, 3.6.7), so there must be a
// power of two of them. Subgroups of 24 threads can have 3 along a dimension.
// RUN: tilewright-opt %s --verify-diagnostics --tw-distribute-vectors="threads=24 subgroup-size=24"

#l = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [8, 3], element_tile = [1, 1],
  subgroup_strides = [0, 0], thread_strides = [3, 1]>
func.func @three_lanes(%a: memref<8x3xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %0 = vector.transfer_read %a[%c0, %c0], %pad : memref<8x3xf32>, vector<8x3xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#l) : vector<8x3xf32>
  // expected-error@+1 {{goes along dimension 1 over 3 threads at stride 1: among lanes both have to be powers of two}}
  %2 = vector.multi_reduction <add>, %1, %zero [1] : vector<8x3xf32> to vector<8xf32>
  vector.transfer_write %2, %b[%c0] : vector<8xf32>, memref<8xf32>
  return
}
