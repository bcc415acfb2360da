// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies each row of a matrix by a vector, and adds up its four parts: docs/plan.md shows which
// accumulators stay in registers.

!w = !cuda_tile.tensor_view<16x256xf32, strides=[256, 1]>
!w_tiles = !cuda_tile.partition_view<tile=(16x64), tensor_view<16x256xf32, strides=[256, 1]>>
!x = !cuda_tile.tensor_view<256xf32, strides=[1]>
!x_tiles = !cuda_tile.partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>
!y = !cuda_tile.tensor_view<16x64xf32, strides=[64, 1]>
!y_tiles = !cuda_tile.partition_view<tile=(16x64), tensor_view<16x64xf32, strides=[64, 1]>>
cuda_tile.module @plan {
  entry @products(%w: tile<ptr<f32>>, %x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %4 = constant <i32: 4> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<16x64xf32>
    %wt = make_tensor_view %w, shape = [16, 256], strides = [256, 1] : !w
    %wv = make_partition_view %wt : !w_tiles
    %xt = make_tensor_view %x, shape = [256], strides = [1] : !x
    %xv = make_partition_view %xt : !x_tiles
    %yt = make_tensor_view %y, shape = [16, 64], strides = [64, 1] : !y
    %yv = make_partition_view %yt : !y_tiles
    %sums = for %k in (%0 to %4, step %1) : tile<i32> iter_values(%acc = %zeros) -> (tile<16x64xf32>) {
      %a, %t0 = load_view_tko weak %wv[%0, %k] : !w_tiles, tile<i32> -> tile<16x64xf32>, token
      %b, %t1 = load_view_tko weak %xv[%k] : !x_tiles, tile<i32> -> tile<64xf32>, token
      %b_row = reshape %b : tile<64xf32> -> tile<1x64xf32>
      %b_rows = broadcast %b_row : tile<1x64xf32> -> tile<16x64xf32>
      %products = mulf %a, %b_rows : tile<16x64xf32>
      %next = addf %acc, %products : tile<16x64xf32>
      continue %next : tile<16x64xf32>
    }
    %t2 = store_view_tko weak %sums, %yv[%0, %0] : tile<16x64xf32>, !y_tiles, tile<i32> -> token
  }
}
