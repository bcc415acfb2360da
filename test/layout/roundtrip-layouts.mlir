// The text of layouts (layouts, 1.2 and 1.3) and of the operations that have one (2.1 to 2.3).
// RUN: tilewright-opt %s | FileCheck %s --implicit-check-not=nested_layout
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s --implicit-check-not=nested_layout
// RUN: tilewright-opt --mlir-print-op-generic %s | tilewright-opt | FileCheck %s --implicit-check-not=nested_layout

// Aliases are sorted by first use. Strides of tiles of 1 are printed as 0.
// CHECK: #[[$ONE:nested.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [4], element_tile = [8], subgroup_strides = [0], thread_strides = [1]>
// CHECK: #[[$EMPTY:nested.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [], element_tile = [], subgroup_strides = [], thread_strides = []>
// CHECK: #[[$TWO:nested.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1], batch_tile = [2, 4], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [1, 0], thread_strides = [1, 16]>
// CHECK: #[[$THREE:nested.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [1, 4, 1], batch_tile = [2, 1, 8], outer_tile = [1, 2, 1], thread_tile = [1, 8, 4], element_tile = [1, 1, 2], subgroup_strides = [0, 1, 0], thread_strides = [0, 4, 1]>

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [4], element_tile = [8],
  subgroup_strides = [0], thread_strides = [1]>

#one = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [4], element_tile = [8],
  subgroup_strides = [17], thread_strides = [1]>

#empty = #iree_vector_ext.nested_layout<
  subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [], element_tile = [],
  subgroup_strides = [], thread_strides = []>

// CHECK-LABEL: func @ranks(
func.func @ranks(%v0: vector<f32>, %v1: vector<64xf32>, %v3: vector<2x64x64xf32>) {
  // #rows and #one are the same layout.
  // CHECK-NEXT: to_layout %{{.*}} to layout(#[[$ONE]]) : vector<64xf32>
  // CHECK-NEXT: to_layout %{{.*}} to layout(#[[$ONE]]) : vector<64xf32>
  %0 = iree_vector_ext.to_layout %v1 to layout(#rows) : vector<64xf32>
  %1 = iree_vector_ext.to_layout %v1 to layout(#one) : vector<64xf32>
  // CHECK-NEXT: to_layout %{{.*}} to layout(#[[$EMPTY]]) : vector<f32>
  %2 = iree_vector_ext.to_layout %v0 to layout(#empty) : vector<f32>
  // In place, and with line breaks and comments.
  // CHECK: to_layout %{{.*}} to layout(#[[$TWO]]) : tensor<64x64xf16>
  %x = tensor.empty() : tensor<64x64xf16>
  %3 = iree_vector_ext.to_layout %x to layout(#iree_vector_ext.nested_layout<
      subgroup_tile = [2, 1], // two subgroups
      batch_tile = [2, 4],
      outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4],
      subgroup_strides = [1, 7], thread_strides = [1, 16]>) : tensor<64x64xf16>
  // CHECK-NEXT: to_layout %{{.*}} to layout(#[[$THREE]]) : vector<2x64x64xf32>
  %4 = iree_vector_ext.to_layout %v3 to layout(#iree_vector_ext.nested_layout<
      subgroup_tile = [1, 4, 1], batch_tile = [2, 1, 8], outer_tile = [1, 2, 1], thread_tile = [1, 8, 4],
      element_tile = [1, 1, 2], subgroup_strides = [0, 1, 0], thread_strides = [0, 4, 1]>) : vector<2x64x64xf32>
  return
}

// CHECK-LABEL: func @shaped(
func.func @shaped(%dynamic: tensor<?xf32>, %buffer: memref<64xf32>, %v: vector<64xf32>) -> vector<64xf32> {
  // A dynamic extent is whatever the layout says (1.4).
  // CHECK-NEXT: to_layout %{{.*}} to layout(#[[$ONE]]) : tensor<?xf32>
  %0 = iree_vector_ext.to_layout %dynamic to layout(#one) : tensor<?xf32>
  // CHECK-NEXT: to_layout %{{.*}} to layout(#[[$ONE]]) : memref<64xf32>
  %1 = iree_vector_ext.to_layout %buffer to layout(#one) : memref<64xf32>
  // CHECK-NEXT: to_layout %{{.*}} to layout(#[[$ONE]]) {shared_memory_conversion} : vector<64xf32>
  %2 = iree_vector_ext.to_layout %v to layout(#one) {shared_memory_conversion} : vector<64xf32>
  // CHECK-NEXT: to_layout %{{.*}} to layout(#[[$ONE]]) {mine, mma_kind = "m16n8k16", shared_memory_conversion} : vector<64xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#one) {mine, shared_memory_conversion, mma_kind = "m16n8k16"} : vector<64xf32>
  return %3 : vector<64xf32>
}

// CHECK-LABEL: func @bridges(
func.func @bridges(%whole: vector<64x64xf16>, %scalar: vector<f16>) {
  // CHECK-NEXT: iree_vector_ext.to_simt %{{.*}} : vector<64x64xf16> -> vector<2x4x1x1x1x4xf16>
  %0 = iree_vector_ext.to_simt %whole : vector<64x64xf16> -> vector<2x4x1x1x1x4xf16>
  // CHECK-NEXT: iree_vector_ext.to_simd %{{.*}} {mine} : vector<2x4x1x1x1x4xf16> -> vector<64x64xf16>
  %1 = iree_vector_ext.to_simd %0 {mine} : vector<2x4x1x1x1x4xf16> -> vector<64x64xf16>
  // CHECK-NEXT: iree_vector_ext.to_simt %{{.*}} : vector<f16> -> vector<f16>
  %2 = iree_vector_ext.to_simt %scalar : vector<f16> -> vector<f16>
  return
}
