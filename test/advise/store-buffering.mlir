// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 12: a = b = 0 is allowed with release and acquire, with relaxed accesses and without tokens, and so are the other
// three outcomes. A weak access would race with that of the other block, and so would a smaller scope.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is_first {
      %s = store_ptr_tko release device %x, %1 : tile<ptr<i32>>, tile<i32> -> token // @x ordering: relaxed device; scope: needed
      %v, %t = load_ptr_tko acquire device %y token=%s : tile<ptr<i32>> -> tile<i32>, token // @y ordering: relaxed device; scope: needed; token: no token
      %w = store_ptr_tko weak %a, %v : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %s = store_ptr_tko release device %y, %1 : tile<ptr<i32>>, tile<i32> -> token // ordering: relaxed device; scope: needed
      %v, %t = load_ptr_tko acquire device %x token=%s : tile<ptr<i32>> -> tile<i32>, token // ordering: relaxed device; scope: needed; token: no token
      %w = store_ptr_tko weak %b, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
