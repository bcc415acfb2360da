// RUN: %python %S/check.py --tilewright %tilewright %s
// RUN: %python %S/check.py --tilewright %tilewright %s --expect-not-exhaustive --exploration-runs 1 --random-schedules 4
// Test 3 of the memory model (section 13). A relaxed flag is test 5, a missing token test 6 or 7, and a scope that
// is too small test 8: all undefined. Nothing else accesses %r, and the stored value depends on the load.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%d: tile<ptr<i32>>, %f: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is_first {
      %s = store_ptr_tko weak %d, %1 : tile<ptr<i32>>, tile<i32> -> token
      %p = store_ptr_tko release device %f, %1 token=%s : tile<ptr<i32>>, tile<i32> -> token // ordering: needed; scope: needed; token: needed
    } else {
      %v, %t = load_ptr_tko acquire device %f : tile<ptr<i32>> -> tile<i32>, token // ordering: needed; scope: needed
      %ready = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %ready {
        %x, %u = load_ptr_tko weak %d token=%t : tile<ptr<i32>> -> tile<i32>, token // token: needed
        %w = store_ptr_tko weak %r, %x token=%u : tile<ptr<i32>>, tile<i32> -> token // token: no token
      }
    }
  }
}
