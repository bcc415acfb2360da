// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 37. With one relaxed access it is test 39, which races, too.
// ADVISE: --grid 1 --arg i32[0] --arg i32[0]
// FIX: @v: add token=%s

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %a: tile<ptr<i32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %s = store_ptr_tko weak %x, %1 : tile<ptr<i32>>, tile<i32> -> token
    %v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token // @v
    %w = store_ptr_tko weak %a, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
