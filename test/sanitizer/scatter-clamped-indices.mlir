// Rows beyond the end are clamped to the last row instead of left out: they all meet there.
// RUN: %pair --grid 1 --arg "zeros(4xi32),print" | FileCheck %s

!rows = !cuda_tile.gather_scatter_view<tile=(4x1), tensor_view<4x1xi32, strides=[1, 1]>, sparse_dim=0>

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %shift = constant <i32: 2> : tile<4xi32>
    %last = constant <i32: 3> : tile<4xi32>
    %lane = iota : tile<4xi32>
    %shifted = addi %lane, %shift : tile<4xi32>
    %row = mini %shifted, %last signed : tile<4xi32>
    %v = reshape %lane : tile<4xi32> -> tile<4x1xi32>
    %view = make_tensor_view %out, shape = [4, 1], strides = [1, 1] : tensor_view<4x1xi32, strides=[1, 1]>
    %rows = make_gather_scatter_view %view : !rows
    // CHECK: indices.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): store_view_tko: the sparse index has 3 at [1] and again at [2] [scatter]
    %t = store_view_tko weak %v, %rows[%row, %first] : tile<4x1xi32>, !rows, tile<4xi32>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 0 0 1]
  entry @fixed(%out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %shift = constant <i32: 2> : tile<4xi32>
    %lane = iota : tile<4xi32>
    %row = addi %lane, %shift : tile<4xi32>
    %v = reshape %lane : tile<4xi32> -> tile<4x1xi32>
    %view = make_tensor_view %out, shape = [4, 1], strides = [1, 1] : tensor_view<4x1xi32, strides=[1, 1]>
    %rows = make_gather_scatter_view %view : !rows
    %t = store_view_tko weak %v, %rows[%row, %first] : tile<4x1xi32>, !rows, tile<4xi32>, tile<i32> -> token
  }
}
