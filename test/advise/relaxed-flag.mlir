// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 5: the data is not ordered. Release and acquire are both needed to order it.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0]
// FIX: @p: relaxed device -> release device; @t: relaxed device -> acquire device

cuda_tile.module @m {
  entry @k(%d: tile<ptr<i32>>, %f: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is_first {
      %s = store_ptr_tko weak %d, %1 : tile<ptr<i32>>, tile<i32> -> token
      %p = store_ptr_tko relaxed device %f, %1 token=%s : tile<ptr<i32>>, tile<i32> -> token // @p
    } else {
      %v, %t = load_ptr_tko relaxed device %f : tile<ptr<i32>> -> tile<i32>, token // @t
      %ready = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %ready {
        %x, %u = load_ptr_tko weak %d token=%t : tile<ptr<i32>> -> tile<i32>, token
        %w = store_ptr_tko weak %r, %x token=%u : tile<ptr<i32>>, tile<i32> -> token
      }
    }
  }
}
