// RUN: %python %S/check.py --tilewright %tilewright %s
// Message passing (test 3) in the scope sys. Nothing but the launch is executed, so device is enough; tl_blk is not (test 8).
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%d: tile<ptr<i32>>, %f: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is_first {
      %s = store_ptr_tko weak %d, %1 : tile<ptr<i32>>, tile<i32> -> token
      %p = store_ptr_tko release sys %f, %1 token=%s : tile<ptr<i32>>, tile<i32> -> token // ordering: needed; scope: release device; token: needed
    } else {
      %v, %t = load_ptr_tko acquire sys %f : tile<ptr<i32>> -> tile<i32>, token // ordering: needed; scope: acquire device
      %ready = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %ready {
        %x, %u = load_ptr_tko weak %d token=%t : tile<ptr<i32>> -> tile<i32>, token // token: needed
        %w = store_ptr_tko weak %r, %x token=%u : tile<ptr<i32>>, tile<i32> -> token // token: no token
      }
    }
  }
}
