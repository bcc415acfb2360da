// RUN: %python %S/check.py --tilewright %tilewright %s
// Two results are published by one flag. That the second store comes after the first one is not needed, as long as the
// release stays ordered after both.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%d: tile<ptr<i32>>, %e: tile<ptr<i32>>, %f: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is_first {
      %s = store_ptr_tko weak %d, %1 : tile<ptr<i32>>, tile<i32> -> token
      %s2 = store_ptr_tko weak %e, %1 token=%s : tile<ptr<i32>>, tile<i32> -> token // token: no token, but later operations keep it
      %p = store_ptr_tko release device %f, %1 token=%s2 : tile<ptr<i32>>, tile<i32> -> token // ordering: needed; scope: needed; token: needed
    } else {
      %v, %t = load_ptr_tko acquire device %f : tile<ptr<i32>> -> tile<i32>, token // ordering: needed; scope: needed
      %ready = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %ready {
        %x, %u = load_ptr_tko weak %d token=%t : tile<ptr<i32>> -> tile<i32>, token // token: needed
        %y, %u2 = load_ptr_tko weak %e token=%t : tile<ptr<i32>> -> tile<i32>, token // token: needed
        %z = addi %x, %y : tile<i32>
        %w = store_ptr_tko weak %r, %z : tile<ptr<i32>>, tile<i32> -> token
      }
    }
  }
}
