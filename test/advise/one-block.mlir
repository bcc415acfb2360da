// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 40: a token orders weak accesses of one block; without it they race (test 37). The result is elsewhere.
// ADVISE: --grid 1 --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %a: tile<ptr<i32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %s = store_ptr_tko weak %x, %1 : tile<ptr<i32>>, tile<i32> -> token
    %v, %t = load_ptr_tko weak %x token=%s : tile<ptr<i32>> -> tile<i32>, token // token: needed
    %w = store_ptr_tko weak %a, %v token=%t : tile<ptr<i32>>, tile<i32> -> token // token: no token
  }
}
