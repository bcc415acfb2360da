// Rows are scattered to the places that a list names, and the list names one of them twice.
// Ordered or not, the row ends with undefined contents (operations, 8.1).
// RUN: %pair --grid 1 --arg "i32[3, 1, 3, 0]" --arg "zeros(8xi32),print" | FileCheck %s

!list = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!rows = !cuda_tile.gather_scatter_view<tile=(4x2), tensor_view<4x2xi32, strides=[2, 1]>, sparse_dim=0>

cuda_tile.module @sanitizer {
  entry @bug(%places: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %v = constant <i32: [[1, 2], [3, 4], [5, 6], [7, 8]]> : tile<4x2xi32>
    %list_view = make_tensor_view %places, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %list = make_partition_view %list_view : !list
    %row, %t0 = load_view_tko weak %list[%first] : !list, tile<i32> -> tile<4xi32>, token
    %view = make_tensor_view %out, shape = [4, 2], strides = [2, 1] : tensor_view<4x2xi32, strides=[2, 1]>
    %rows = make_gather_scatter_view %view : !rows
    // CHECK: rows.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): store_view_tko: the sparse index has 3 at [0] and again at [2] [scatter]
    %t1 = store_view_tko relaxed tl_blk %v, %rows[%row, %first] : tile<4x2xi32>, !rows, tile<4xi32>, tile<i32> -> token
  }

  // Of rows with one place the last is kept, the others go to row 4, which does not exist.
  // CHECK: fixed:
  // CHECK: [7 8 3 4 0 0 5 6]
  entry @fixed(%places: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %v = constant <i32: [[1, 2], [3, 4], [5, 6], [7, 8]]> : tile<4x2xi32>
    %list_view = make_tensor_view %places, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %list = make_partition_view %list_view : !list
    %row, %t0 = load_view_tko weak %list[%first] : !list, tile<i32> -> tile<4xi32>, token
    // again[i, j]: place i is named at j, too, and j comes later.
    %row_column = reshape %row : tile<4xi32> -> tile<4x1xi32>
    %row_i = broadcast %row_column : tile<4x1xi32> -> tile<4x4xi32>
    %row_j = permute %row_i [1, 0] : tile<4x4xi32> -> tile<4x4xi32>
    %lane = iota : tile<4xi32>
    %lane_column = reshape %lane : tile<4xi32> -> tile<4x1xi32>
    %i = broadcast %lane_column : tile<4x1xi32> -> tile<4x4xi32>
    %j = permute %i [1, 0] : tile<4x4xi32> -> tile<4x4xi32>
    %is_same = cmpi equal %row_i, %row_j, signed : tile<4x4xi32> -> tile<4x4xi1>
    %is_later = cmpi greater_than %j, %i, signed : tile<4x4xi32> -> tile<4x4xi1>
    %again = andi %is_same, %is_later : tile<4x4xi1>
    %is_overwritten = reduce %again dim=1 identities=[false] : tile<4x4xi1> -> tile<4xi1> (%a: tile<i1>, %b: tile<i1>) {
      %either = ori %a, %b : tile<i1>
      yield %either : tile<i1>
    }
    %nowhere = constant <i32: 4> : tile<4xi32>
    %place = select %is_overwritten, %nowhere, %row : tile<4xi1>, tile<4xi32>
    %view = make_tensor_view %out, shape = [4, 2], strides = [2, 1] : tensor_view<4x2xi32, strides=[2, 1]>
    %rows = make_gather_scatter_view %view : !rows
    %t1 = store_view_tko relaxed tl_blk %v, %rows[%place, %first] : tile<4x2xi32>, !rows, tile<4xi32>, tile<i32> -> token
  }
}
