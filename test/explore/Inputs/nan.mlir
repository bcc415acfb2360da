// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = sqrt(x - 2) + 1 for x = 0, 1, 2, ... in tiles of 8: block 0 makes the first NaNs, of x = 0 and 1, by the square
// root of a negative number. The addition only passes them on.

!array = !cuda_tile.tensor_view<16xf32, strides=[1]>
!tiles = !cuda_tile.partition_view<tile=(8), tensor_view<16xf32, strides=[1]>>

cuda_tile.module @explore {
  entry @roots(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %x_view = make_tensor_view %x, shape = [16], strides = [1] : !array
    %y_view = make_tensor_view %y, shape = [16], strides = [1] : !array
    %x_tiles = make_partition_view %x_view : !tiles
    %y_tiles = make_partition_view %y_view : !tiles
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %two = constant <f32: 2.0> : tile<8xf32>
    %one = constant <f32: 1.0> : tile<8xf32>
    %values, %t0 = load_view_tko weak %x_tiles[%b] : !tiles, tile<i32> -> tile<8xf32>, token
    %less = subf %values, %two : tile<8xf32>
    %root = sqrt %less : tile<8xf32>
    %more = addf %root, %one : tile<8xf32>
    %t1 = store_view_tko weak %more, %y_tiles[%b] : tile<8xf32>, !tiles, tile<i32> -> token
  }
}
