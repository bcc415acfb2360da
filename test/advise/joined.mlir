// RUN: %python %S/check.py --tilewright %tilewright %s
// Two tokens order the last load after the store. Each is superfluous as long as the other is there (test 37).
// ADVISE: --grid 1 --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0]
// TOGETHER: @y: remove token=%s; @z: remove token=%s, and join it with the result for later operations; @j: remove %t1

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %z: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %s = store_ptr_tko weak %x, %1 : tile<ptr<i32>>, tile<i32> -> token
    %a, %t1 = load_ptr_tko weak %y token=%s : tile<ptr<i32>> -> tile<i32>, token // @y token: no token
    %b, %t2 = load_ptr_tko weak %z token=%s : tile<ptr<i32>> -> tile<i32>, token // @z token: no token
    %j = join_tokens %t1, %t2 : token // @j token: without %t1; token: without %t2
    %v, %t3 = load_ptr_tko weak %x token=%j : tile<ptr<i32>> -> tile<i32>, token // token: needed
    %w = store_ptr_tko weak %r, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
