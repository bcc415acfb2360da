// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Doubles elements that must be less than 2: of 0, 1, 2, 3, 4, 5, 6, the last five are not, one in each block.

cuda_tile.module @explore {
  entry @limits(%x: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %value, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %two = constant <i32: 2> : tile<i32>
    %is_small = cmpi less_than %value, %two, signed : tile<i32> -> tile<i1>
    assert %is_small, "at least 2" : tile<i1>
    %doubled = addi %value, %value : tile<i32>
    %u = store_ptr_tko weak %at, %doubled token=%t : tile<ptr<i32>>, tile<i32> -> token
  }
}
