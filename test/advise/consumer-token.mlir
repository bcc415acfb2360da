// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 7 with weak data: that the load depends on the flag orders nothing.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0]
// FIX: @x: add token=%t

cuda_tile.module @m {
  entry @k(%d: tile<ptr<i32>>, %f: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is_first {
      %s = store_ptr_tko weak %d, %1 : tile<ptr<i32>>, tile<i32> -> token
      %p = store_ptr_tko release device %f, %1 token=%s : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %v, %t = load_ptr_tko acquire device %f : tile<ptr<i32>> -> tile<i32>, token
      %ready = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %ready {
        %x, %u = load_ptr_tko weak %d : tile<ptr<i32>> -> tile<i32>, token // @x
        %w = store_ptr_tko weak %r, %x token=%u : tile<ptr<i32>>, tile<i32> -> token
      }
    }
  }
}
