// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks up 64 elements of a table: docs/plan.md shows gathers, for which it needs no views.

!row = !cuda_tile.tensor_view<64xi32, strides=[1]>
!rows = !cuda_tile.partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>
!results = !cuda_tile.tensor_view<?x64xf32, strides=[64, 1]>
cuda_tile.module @plan {
  entry @lookup(%table: tile<ptr<f32>>, %indices: tile<ptr<i32>>, %to: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %iv = make_tensor_view %indices, shape = [64], strides = [1] : !row
    %it = make_partition_view %iv : !rows
    %i, %t0 = load_view_tko weak %it[%0] : !rows, tile<i32> -> tile<64xi32>, token
    %table_1 = reshape %table : tile<ptr<f32>> -> tile<1xptr<f32>>
    %table_64 = broadcast %table_1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %p = offset %table_64, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %v, %t1 = load_ptr_tko weak %p : tile<64xptr<f32>> -> tile<64xf32>, token
    %lane = iota : tile<64xi32>
    %to_1 = reshape %to : tile<ptr<f32>> -> tile<1xptr<f32>>
    %to_64 = broadcast %to_1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %q = offset %to_64, %lane : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %t2 = store_ptr_tko weak %q, %v : tile<64xptr<f32>>, tile<64xf32> -> token
  }
}
