// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transpose of a matrix: a block reads a tile of $TM x $TN and writes it with its dimensions
// exchanged.

!matrix = !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>
!x_tiles = !cuda_tile.partition_view<tile=(${TM}x$TN), tensor_view<?x?xf32, strides=[?, 1]>>
!y_tiles = !cuda_tile.partition_view<tile=(${TN}x$TM), tensor_view<?x?xf32, strides=[?, 1]>>

cuda_tile.module @memory {
  entry @transpose(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %x_view = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %y_view = make_tensor_view %y, shape = [%n, %m], strides = [%m, 1] : tile<i32> -> !matrix
    %x_tiles = make_partition_view %x_view : !x_tiles
    %y_tiles = make_partition_view %y_view : !y_tiles
    %column, %row, %bz = get_tile_block_id : tile<i32>

    %values, %x_token = load_view_tko weak %x_tiles[%row, %column] : !x_tiles, tile<i32> -> tile<${TM}x${TN}xf32>, token
    %turned = permute %values [1, 0] : tile<${TM}x${TN}xf32> -> tile<${TN}x${TM}xf32>
    %y_token = store_view_tko weak %turned, %y_tiles[%column, %row] : tile<${TN}x${TM}xf32>, !y_tiles, tile<i32> -> token
    return
  }
}
