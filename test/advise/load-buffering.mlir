// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 17: a = b = 1 is forbidden. Any single access may be relaxed: the other pair still synchronises, so the read of the
// other location happens before the write that it would read from (rule 5). Not both accesses of a block, nor both
// acquires. A read without the token may be after the write of the same block.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0]
// TOGETHER: @rx: acquire device -> relaxed device; @wx: release device -> relaxed device

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is_first {
      %v, %t = load_ptr_tko acquire device %x : tile<ptr<i32>> -> tile<i32>, token // @rx ordering: relaxed device; scope: needed
      %s = store_ptr_tko release device %y, %1 token=%t : tile<ptr<i32>>, tile<i32> -> token // @wy ordering: relaxed device; scope: needed; token: needed
      %w = store_ptr_tko weak %a, %v : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %v, %t = load_ptr_tko acquire device %y : tile<ptr<i32>> -> tile<i32>, token // @ry ordering: relaxed device; scope: needed
      %s = store_ptr_tko release device %x, %1 token=%t : tile<ptr<i32>>, tile<i32> -> token // @wx ordering: relaxed device; scope: needed; token: needed
      %w = store_ptr_tko weak %b, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
