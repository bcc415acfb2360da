// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp(x - max) of each row, one row per tile block: docs/plan.md shows prefetches and non-temporal
// stores.

!matrix = !cuda_tile.tensor_view<?x256xf32, strides=[256, 1]>
!rows = !cuda_tile.partition_view<tile=(1x256), tensor_view<?x256xf32, strides=[256, 1]>>
cuda_tile.module @plan {
  entry @normalize(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %from_matrix = make_tensor_view %from, shape = [%n, 256], strides = [256, 1] : tile<i32> -> !matrix
    %from_rows = make_partition_view %from_matrix : !rows
    %to_matrix = make_tensor_view %to, shape = [%n, 256], strides = [256, 1] : tile<i32> -> !matrix
    %to_rows = make_partition_view %to_matrix : !rows
    %i, %j, %k = get_tile_block_id : tile<i32>
    %x, %t0 = load_view_tko weak %from_rows[%i, %0] : !rows, tile<i32> -> tile<1x256xf32>, token
    %max = reduce %x dim=1 identities=[0xFF800000 : f32] : tile<1x256xf32> -> tile<1xf32>
    (%element: tile<f32>, %acc: tile<f32>) {
      %larger = maxf %element, %acc : tile<f32>
      yield %larger : tile<f32>
    }
    %max_column = reshape %max : tile<1xf32> -> tile<1x1xf32>
    %max_row = broadcast %max_column : tile<1x1xf32> -> tile<1x256xf32>
    %d = subf %x, %max_row : tile<1x256xf32>
    %y = exp %d : tile<1x256xf32>
    %t1 = store_view_tko weak %y, %to_rows[%i, %0] : tile<1x256xf32>, !rows, tile<i32> -> token
  }
}
