// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a 32 x 64 array transposed: each block reads 32 elements of a column, which are 256 bytes
// apart, so that every element is in a sector of its own, and writes them side by side.

!in = !cuda_tile.tensor_view<32x64xf32, strides=[64, 1]>
!out = !cuda_tile.tensor_view<64x32xf32, strides=[32, 1]>
!columns = !cuda_tile.partition_view<tile=(32x1), tensor_view<32x64xf32, strides=[64, 1]>>
!rows = !cuda_tile.partition_view<tile=(1x32), tensor_view<64x32xf32, strides=[32, 1]>>

cuda_tile.module @explore {
  entry @columns(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %in_view = make_tensor_view %in, shape = [32, 64], strides = [64, 1] : !in
    %out_view = make_tensor_view %out, shape = [64, 32], strides = [32, 1] : !out
    %columns = make_partition_view %in_view : !columns
    %rows = make_partition_view %out_view : !rows
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %column, %t0 = load_view_tko weak %columns[%zero, %x] : !columns, tile<i32> -> tile<32x1xf32>, token
    %row = reshape %column : tile<32x1xf32> -> tile<1x32xf32>
    %t1 = store_view_tko weak %row, %rows[%x, %zero] : tile<1x32xf32>, !rows, tile<i32> -> token
  }
}
