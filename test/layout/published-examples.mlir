// The examples that the description of the dialect gives, as far as they can be read. What had
// to change is said at each; docs/decisions/layout-dialect.md lists it.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s

// The full example, for subgroups of 64 threads. Each thread holds 2x4x1x1x1x4 elements;
// "2x16" is the same with a dimension per dimension of the tile.
// CHECK: #[[$FULL:nested.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1], batch_tile = [2, 4], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [1, 0], thread_strides = [1, 16]>
#full = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1],
  batch_tile = [2, 4],
  outer_tile = [1, 1],
  thread_tile = [16, 4],
  element_tile = [1, 4],
  subgroup_strides = [1, 0],
  thread_strides = [1, 16]
>

// Eight subgroups in columns.
// CHECK: #[[$SUBGROUPS:nested.*]] = #iree_vector_ext.nested_layout<subgroup_tile = [4, 2], {{.*}}, subgroup_strides = [1, 4], thread_strides = [0, 0]>
#subgroups = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1],
  element_tile = [1, 1], subgroup_strides = [1, 4], thread_strides = [0, 0]>

// Two times the same 2x5 threads, numbered in rows.
// CHECK: #[[$OUTERS:nested.*]] = #iree_vector_ext.nested_layout<{{.*}}, outer_tile = [2, 1], thread_tile = [2, 5], {{.*}}, thread_strides = [5, 1]>
#outers = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [2, 1], thread_tile = [2, 5],
  element_tile = [1, 1], subgroup_strides = [0, 0], thread_strides = [5, 1]>

// CHECK-LABEL: func @layouts(
func.func @layouts(%a: vector<64x64xf16>, %b: vector<4x2xf16>, %c: vector<4x5xf16>) {
  // CHECK-NEXT: layout(#[[$FULL]]) : vector<64x64xf16>
  // CHECK-NEXT: layout(#[[$SUBGROUPS]]) : vector<4x2xf16>
  // CHECK-NEXT: layout(#[[$OUTERS]]) : vector<4x5xf16>
  %0 = iree_vector_ext.to_layout %a to layout(#full) : vector<64x64xf16>
  %1 = iree_vector_ext.to_layout %b to layout(#subgroups) : vector<4x2xf16>
  %2 = iree_vector_ext.to_layout %c to layout(#outers) : vector<4x5xf16>
  // CHECK-NEXT: to_simt %{{.*}} : vector<64x64xf16> -> vector<2x4x1x1x1x4xf16>
  %3 = iree_vector_ext.to_simt %a : vector<64x64xf16> -> vector<2x4x1x1x1x4xf16>
  return
}

// slice[i, j, k] = source[i + i_offset][j][indices[i][j][k]]
// CHECK-LABEL: func @last_dimension(
func.func @last_dimension(%source: memref<?x?x?xf32>, %i_offset: index,
                          %indices: vector<2x8x16xindex>, %pad: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: transfer_gather %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}][None, None, %{{.*}} : vector<2x8x16xindex>]
  %0 = iree_vector_ext.transfer_gather %source[%i_offset, %c0, %c0][None, None, %indices : vector<2x8x16xindex>], %pad
         {indexed_maps = [affine_map<(i, j, k) -> (i, j, k)>]} : memref<?x?x?xf32>, vector<2x8x16xf32>
  return
}

// slice[i, j, k] = source[i][indices0[i] + offset][indices1[j, k]]
// CHECK-LABEL: func @two_dimensions(
func.func @two_dimensions(%source: memref<?x?x?xf32>, %offset: index, %indices0: vector<2xindex>,
                          %indices1: vector<8x16xindex>, %pad: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: transfer_gather %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}][None, %{{.*}} : vector<2xindex>, %{{.*}} : vector<8x16xindex>]
  %0 = iree_vector_ext.transfer_gather %source[%c0, %offset, %c0][None, %indices0 : vector<2xindex>, %indices1 : vector<8x16xindex>], %pad
         {indexed_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (j, k)>]}
         : memref<?x?x?xf32>, vector<2x8x16xf32>
  return
}

// slice[i, j, k] = source[indices0[k]][j][indices1[i, j]], read as (k, j, i). The vector gives
// the extents i = 2, j = 8, k = 16, so the index vectors have 16 and 2x8 elements; published as
// 2 and 4x8, without padding, and with `gather_dims` in place of the list in brackets.
// CHECK-LABEL: func @transposed(
func.func @transposed(%source: memref<8192x8x16xf32>, %indices0: vector<16xindex>,
                      %indices1: vector<2x8xindex>, %pad: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: transfer_gather %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}][%{{.*}} : vector<16xindex>, None, %{{.*}} : vector<2x8xindex>], %{{.*}} {in_bounds = [true, true, true], indexed_maps = [#{{.*}}, #{{.*}}], permutation_map = #{{.*}}} : memref<8192x8x16xf32>, vector<16x8x2xf32>
  %vector = iree_vector_ext.transfer_gather %source[%c0, %c0, %c0]
      [%indices0 : vector<16xindex>, None, %indices1 : vector<2x8xindex>], %pad {
    indexed_maps = [
      affine_map<(i, j, k) -> (k)>,
      affine_map<(i, j, k) -> (i, j)>
    ],
    in_bounds = [true, true, true],
    permutation_map = affine_map<(i, j, k) -> (k, j, i)>
  } : memref<8192x8x16xf32>, vector<16x8x2xf32>
  return
}
