// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of four rows: the kernel of docs/plan.md for placements, fusion groups, vectors and
// reductions, and for the layouts and the register pressure of a GPU's threads.

!matrix = !cuda_tile.tensor_view<4x64xf32, strides=[64, 1]>
!whole = !cuda_tile.partition_view<tile=(4x64), tensor_view<4x64xf32, strides=[64, 1]>>
cuda_tile.module @plan {
  entry @softmax(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %from_matrix = make_tensor_view %from, shape = [4, 64], strides = [64, 1] : !matrix
    %from_tiles = make_partition_view %from_matrix : !whole
    %to_matrix = make_tensor_view %to, shape = [4, 64], strides = [64, 1] : !matrix
    %to_tiles = make_partition_view %to_matrix : !whole

    %x, %t0 = load_view_tko weak %from_tiles[%0, %0] : !whole, tile<i32> -> tile<4x64xf32>, token
    %max = reduce %x dim=1 identities=[0xFF800000 : f32] : tile<4x64xf32> -> tile<4xf32>
    (%element: tile<f32>, %acc: tile<f32>) {
      %larger = maxf %element, %acc : tile<f32>
      yield %larger : tile<f32>
    }
    %max_column = reshape %max : tile<4xf32> -> tile<4x1xf32>
    %max_rows = broadcast %max_column : tile<4x1xf32> -> tile<4x64xf32>
    %d = subf %x, %max_rows : tile<4x64xf32>
    %e = exp %d : tile<4x64xf32>
    %sum = reduce %e dim=1 identities=[0.0 : f32] : tile<4x64xf32> -> tile<4xf32>
    (%element: tile<f32>, %acc: tile<f32>) {
      %total = addf %element, %acc : tile<f32>
      yield %total : tile<f32>
    }
    %sum_column = reshape %sum : tile<4xf32> -> tile<4x1xf32>
    %sum_rows = broadcast %sum_column : tile<4x1xf32> -> tile<4x64xf32>
    %y = divf %e, %sum_rows : tile<4x64xf32>
    %t1 = store_view_tko weak %y, %to_tiles[%0, %0] : tile<4x64xf32>, !whole, tile<i32> -> token
  }
}
