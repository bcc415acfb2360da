// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of a matrix whose extents are no multiples of the tile's. Rows have gaps, which must stay.
cuda_tile.module @m {
  entry @edges(%a: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a, shape = [30, 50], strides = [64, 1] : tensor_view<30x50xf32, strides=[64,1]>
    %vo = make_tensor_view %o, shape = [30, 50], strides = [64, 1] : tensor_view<30x50xf32, strides=[64,1]>
    %pa = make_partition_view %va : partition_view<tile=(8x16), padding_value = zero, tensor_view<30x50xf32, strides=[64,1]>>
    %po = make_partition_view %vo : partition_view<tile=(8x16), tensor_view<30x50xf32, strides=[64,1]>>
    %t, %k = load_view_tko weak %pa[%y, %x] : partition_view<tile=(8x16), padding_value = zero, tensor_view<30x50xf32, strides=[64,1]>>, tile<i32> -> tile<8x16xf32>, token
    %r = addf %t, %t : tile<8x16xf32>
    %k1 = store_view_tko weak %r, %po[%y, %x] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<30x50xf32, strides=[64,1]>>, tile<i32> -> token
  }
}
