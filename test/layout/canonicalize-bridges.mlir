// Bridges fold, layouts do not (layouts, 2.1 to 2.3).
// RUN: tilewright-opt --canonicalize %s | FileCheck %s

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [4], element_tile = [8],
  subgroup_strides = [0], thread_strides = [1]>

// CHECK-LABEL: func @there_and_back(
// CHECK-SAME: %[[V:.*]]: vector<64xf32>, %[[D:.*]]: vector<2x1x8xf32>)
// CHECK-NEXT: return %[[V]], %[[D]]
func.func @there_and_back(%v: vector<64xf32>, %d: vector<2x1x8xf32>) -> (vector<64xf32>, vector<2x1x8xf32>) {
  %0 = iree_vector_ext.to_simt %v : vector<64xf32> -> vector<2x1x8xf32>
  %1 = iree_vector_ext.to_simd %0 : vector<2x1x8xf32> -> vector<64xf32>
  %2 = iree_vector_ext.to_simd %d : vector<2x1x8xf32> -> vector<64xf32>
  %3 = iree_vector_ext.to_simt %2 : vector<64xf32> -> vector<2x1x8xf32>
  return %1, %3 : vector<64xf32>, vector<2x1x8xf32>
}

// A bridge with another user stays.
// CHECK-LABEL: func @second_user(
// CHECK-SAME: %[[D:.*]]: vector<2x1x8xf32>)
// CHECK-NEXT: %[[V:.*]] = iree_vector_ext.to_simd %[[D]]
// CHECK-NEXT: return %[[V]], %[[D]]
func.func @second_user(%d: vector<2x1x8xf32>) -> (vector<64xf32>, vector<2x1x8xf32>) {
  %0 = iree_vector_ext.to_simd %d : vector<2x1x8xf32> -> vector<64xf32>
  %1 = iree_vector_ext.to_simt %0 : vector<64xf32> -> vector<2x1x8xf32>
  return %0, %1 : vector<64xf32>, vector<2x1x8xf32>
}

// So do two that lead somewhere else.
// CHECK-LABEL: func @other_type(
// CHECK-NEXT: to_simd
// CHECK-NEXT: %[[T:.*]] = iree_vector_ext.to_simt %{{.*}} : vector<64xf32> -> vector<16x1x1xf32>
// CHECK-NEXT: to_simt
// CHECK-NEXT: %[[S:.*]] = iree_vector_ext.to_simd %{{.*}} : vector<2x1x8xf32> -> vector<8x8xf32>
// CHECK-NEXT: return %[[T]], %[[S]]
func.func @other_type(%d: vector<2x1x8xf32>, %v: vector<64xf32>) -> (vector<16x1x1xf32>, vector<8x8xf32>) {
  %0 = iree_vector_ext.to_simd %d : vector<2x1x8xf32> -> vector<64xf32>
  %1 = iree_vector_ext.to_simt %0 : vector<64xf32> -> vector<16x1x1xf32>
  %2 = iree_vector_ext.to_simt %v : vector<64xf32> -> vector<2x1x8xf32>
  %3 = iree_vector_ext.to_simd %2 : vector<2x1x8xf32> -> vector<8x8xf32>
  return %1, %3 : vector<16x1x1xf32>, vector<8x8xf32>
}

// Two bridges in the same direction are none.
// CHECK-LABEL: func @onwards(
// CHECK-NEXT: to_simd
// CHECK-NEXT: to_simd
func.func @onwards(%d: vector<4xf32>) -> vector<4xf32> {
  %0 = iree_vector_ext.to_simd %d : vector<4xf32> -> vector<8xf32>
  %1 = iree_vector_ext.to_simd %0 : vector<8xf32> -> vector<4xf32>
  return %1 : vector<4xf32>
}

// A layout that a value has already is asked for again.
// CHECK-LABEL: func @layouts(
// CHECK-NEXT: %[[A:.*]] = iree_vector_ext.to_layout
// CHECK-NEXT: %[[B:.*]] = iree_vector_ext.to_layout %[[A]]
// CHECK-NEXT: return %[[B]]
func.func @layouts(%v: vector<64xf32>) -> vector<64xf32> {
  %0 = iree_vector_ext.to_layout %v to layout(#rows) : vector<64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<64xf32>
  return %1 : vector<64xf32>
}

// All three are pure: without users they go.
// CHECK-LABEL: func @unused(
// CHECK-NEXT: return
func.func @unused(%v: vector<64xf32>) {
  %0 = iree_vector_ext.to_layout %v to layout(#rows) {shared_memory_conversion} : vector<64xf32>
  %1 = iree_vector_ext.to_simt %v : vector<64xf32> -> vector<2x1x8xf32>
  %2 = iree_vector_ext.to_simd %v : vector<64xf32> -> vector<128xf32>
  return
}
