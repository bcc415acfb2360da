// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row softmax: y[i, j] = exp(x[i, j]) / sum over j of exp(x[i, j]), for rows of up to
// 1024 elements. Each tile block computes one row.
//
// Subtracting the row's maximum first changes nothing in exact arithmetic and keeps
// exp from overflowing. The padding of a short row is -inf: it never is the maximum,
// and exp(-inf) = 0 adds nothing to the sum.

!matrix = !cuda_tile.tensor_view<?x?xf32, strides=[?, ?]>
!rows = !cuda_tile.partition_view<tile=(1x1024), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?, ?]>>

cuda_tile.module @examples {
  entry @softmax(%x: tile<ptr<f32>>, %x_rows: tile<i32>, %x_columns: tile<i32>, %x_s0: tile<i32>, %x_s1: tile<i32>,
                 %y: tile<ptr<f32>>, %y_rows: tile<i32>, %y_columns: tile<i32>, %y_s0: tile<i32>, %y_s1: tile<i32>) {
    // A longer row would silently lose its end.
    %most = constant <i32: 1024> : tile<i32>
    %fits = cmpi less_than_or_equal %x_columns, %most, signed : tile<i32> -> tile<i1>
    assert %fits, "softmax: a row has more than 1024 elements" : tile<i1>

    %x_view = make_tensor_view %x, shape = [%x_rows, %x_columns], strides = [%x_s0, %x_s1] : tile<i32> -> !matrix
    %y_view = make_tensor_view %y, shape = [%y_rows, %y_columns], strides = [%y_s0, %y_s1] : tile<i32> -> !matrix
    %x_tiles = make_partition_view %x_view : !rows
    %y_tiles = make_partition_view %y_view : !rows

    %row, %by, %bz = get_tile_block_id : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %values, %x_token = load_view_tko weak %x_tiles[%row, %first] : !rows, tile<i32> -> tile<1x1024xf32>, token

    // A reduction combines the elements along one dimension, in any order, by the
    // function in braces. 0xFF800000 is -inf: f32 has no other spelling for it.
    %max = reduce %values dim=1 identities=[0xFF800000 : f32] : tile<1x1024xf32> -> tile<1xf32>
    (%element: tile<f32>, %so_far: tile<f32>) {
      %larger = maxf %element, %so_far propagate_nan : tile<f32>
      yield %larger : tile<f32>
    }
    // Elementwise operations take tiles of one shape: spread the maximum over the row.
    %max_column = reshape %max : tile<1xf32> -> tile<1x1xf32>
    %max_row = broadcast %max_column : tile<1x1xf32> -> tile<1x1024xf32>
    %shifted = subf %values, %max_row : tile<1x1024xf32>
    %powers = exp %shifted : tile<1x1024xf32>

    %sum = reduce %powers dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
    (%element: tile<f32>, %so_far: tile<f32>) {
      %total = addf %element, %so_far : tile<f32>
      yield %total : tile<f32>
    }
    %sum_column = reshape %sum : tile<1xf32> -> tile<1x1xf32>
    %sum_row = broadcast %sum_column : tile<1x1xf32> -> tile<1x1024xf32>
    %result = divf %powers, %sum_row : tile<1x1024xf32>
    %y_token = store_view_tko weak %result, %y_tiles[%row, %first] : tile<1x1024xf32>, !rows, tile<i32> -> token
    return
  }
}
