// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of the rows of a matrix with $N columns, a row per block.

!matrix = !cuda_tile.tensor_view<?x${N}xf32, strides=[$N, 1]>
!rows = !cuda_tile.partition_view<tile=(1x$N), tensor_view<?x${N}xf32, strides=[$N, 1]>>

cuda_tile.module @rows {
  entry @softmax(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>) {
    %x_view = make_tensor_view %x, shape = [%m, $N], strides = [$N, 1] : tile<i32> -> !matrix
    %y_view = make_tensor_view %y, shape = [%m, $N], strides = [$N, 1] : tile<i32> -> !matrix
    %x_rows = make_partition_view %x_view : !rows
    %y_rows = make_partition_view %y_view : !rows
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>

    %values, %x_token = load_view_tko weak %x_rows[%row, %zero] : !rows, tile<i32> -> tile<1x${N}xf32>, token
    %largest = reduce %values dim=1 identities=[0xFF800000 : f32] : tile<1x${N}xf32> -> tile<1xf32>
    (%value: tile<f32>, %so_far: tile<f32>) {
      %larger = maxf %value, %so_far : tile<f32>
      yield %larger : tile<f32>
    }
    %largest_1 = reshape %largest : tile<1xf32> -> tile<1x1xf32>
    %largest_n = broadcast %largest_1 : tile<1x1xf32> -> tile<1x${N}xf32>
    %shifted = subf %values, %largest_n : tile<1x${N}xf32>
    %powers = exp %shifted : tile<1x${N}xf32>
    %sum = reduce %powers dim=1 identities=[0.0 : f32] : tile<1x${N}xf32> -> tile<1xf32>
    (%value: tile<f32>, %so_far: tile<f32>) {
      %more = addf %value, %so_far : tile<f32>
      yield %more : tile<f32>
    }
    %one = constant <f32: 1.0> : tile<1xf32>
    %scale = divf %one, %sum : tile<1xf32>
    %scale_1 = reshape %scale : tile<1xf32> -> tile<1x1xf32>
    %scale_n = broadcast %scale_1 : tile<1x1xf32> -> tile<1x${N}xf32>
    %result = mulf %powers, %scale_n : tile<1x${N}xf32>
    %y_token = store_view_tko weak %result, %y_rows[%row, %zero] : tile<1x${N}xf32>, !rows, tile<i32> -> token
    return
  }
}
