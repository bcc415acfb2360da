// RUN: %python %S/check.py --tilewright %tilewright %s
// If the flag is seen before the data, the mask disables the load, and an unspecified value is stored. The machine
// takes 0, which is what %z has: no outcome is new. Weak accesses of %d would race if the flag is not seen.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%d: tile<ptr<i32>>, %f: tile<ptr<i32>>, %z: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %first {
      %s = store_ptr_tko relaxed device %d, %1 : tile<ptr<i32>>, tile<i32> -> token // ordering: needed; scope: needed
      %t = store_ptr_tko release device %f, %1 token=%s : tile<ptr<i32>>, tile<i32> -> token // ordering: needed; scope: needed; token: needed
    } else {
      %v, %t = load_ptr_tko acquire device %f : tile<ptr<i32>> -> tile<i32>, token // ordering: needed; scope: needed
      %x, %u = load_ptr_tko relaxed device %d token=%t : tile<ptr<i32>> -> tile<i32>, token // ordering: needed; scope: needed; token: needed
      %ready = cmpi equal %v, %1, signed : tile<i32> -> tile<i1>
      if %ready {
        %m = cmpi equal %x, %1, signed : tile<i32> -> tile<i1>
        %y, %yt = load_ptr_tko weak %z, %m : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
        %w = store_ptr_tko weak %r, %y : tile<ptr<i32>>, tile<i32> -> token
      }
    }
  }
}
