// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another version of columns.mlir: each of 32 blocks reads half a row, 32 elements side by side, and writes a column.
// With as many blocks as columns.mlir needs, 64, it accesses rows that do not exist, and leaves 32 rows unwritten.

!in = !cuda_tile.tensor_view<32x64xf32, strides=[64, 1]>
!out = !cuda_tile.tensor_view<64x32xf32, strides=[32, 1]>
!rows = !cuda_tile.partition_view<tile=(1x32), tensor_view<32x64xf32, strides=[64, 1]>>
!columns = !cuda_tile.partition_view<tile=(32x1), tensor_view<64x32xf32, strides=[32, 1]>>

cuda_tile.module @explore {
  entry @rows(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %in_view = make_tensor_view %in, shape = [32, 64], strides = [64, 1] : !in
    %out_view = make_tensor_view %out, shape = [64, 32], strides = [32, 1] : !out
    %rows = make_partition_view %in_view : !rows
    %columns = make_partition_view %out_view : !columns
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %row, %t0 = load_view_tko weak %rows[%x, %zero] : !rows, tile<i32> -> tile<1x32xf32>, token
    %column = reshape %row : tile<1x32xf32> -> tile<32x1xf32>
    %t1 = store_view_tko weak %column, %columns[%zero, %x] : tile<32x1xf32>, !columns, tile<i32> -> token
  }
}
