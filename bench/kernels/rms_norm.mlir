// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RMS norm of the rows of a matrix with $N columns, a row per block: x / sqrt(mean of squares +
// 1e-5) * scale.

!matrix = !cuda_tile.tensor_view<?x${N}xf32, strides=[$N, 1]>
!rows = !cuda_tile.partition_view<tile=(1x$N), tensor_view<?x${N}xf32, strides=[$N, 1]>>

cuda_tile.module @rows {
  entry @rms_norm(%x: tile<ptr<f32>>, %scale: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %x_view = make_tensor_view %x, shape = [%m, $N], strides = [$N, 1] : tile<i32> -> !matrix
    %w_view = make_tensor_view %scale, shape = [%one, $N], strides = [$N, 1] : tile<i32> -> !matrix
    %y_view = make_tensor_view %y, shape = [%m, $N], strides = [$N, 1] : tile<i32> -> !matrix
    %x_rows = make_partition_view %x_view : !rows
    %w_rows = make_partition_view %w_view : !rows
    %y_rows = make_partition_view %y_view : !rows
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>

    %values, %x_token = load_view_tko weak %x_rows[%row, %zero] : !rows, tile<i32> -> tile<1x${N}xf32>, token
    %squares = mulf %values, %values : tile<1x${N}xf32>
    %sum = reduce %squares dim=1 identities=[0.0 : f32] : tile<1x${N}xf32> -> tile<1xf32>
    (%value: tile<f32>, %so_far: tile<f32>) {
      %more = addf %value, %so_far : tile<f32>
      yield %more : tile<f32>
    }
    %share = constant <f32: $share> : tile<1xf32>
    %epsilon = constant <f32: 1.0e-5> : tile<1xf32>
    %mean = mulf %sum, %share : tile<1xf32>
    %positive = addf %mean, %epsilon : tile<1xf32>
    %factor = rsqrt %positive : tile<1xf32>
    %factor_1 = reshape %factor : tile<1xf32> -> tile<1x1xf32>
    %factor_n = broadcast %factor_1 : tile<1x1xf32> -> tile<1x${N}xf32>
    %normal = mulf %values, %factor_n : tile<1x${N}xf32>
    %weights, %w_token = load_view_tko weak %w_rows[%zero, %zero] : !rows, tile<i32> -> tile<1x${N}xf32>, token
    %result = mulf %normal, %weights : tile<1x${N}xf32>
    %y_token = store_view_tko weak %result, %y_rows[%row, %zero] : tile<1x${N}xf32>, !rows, tile<i32> -> token
    return
  }
}
