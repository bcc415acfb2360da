// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 18: two observers may see two stores in different orders, with release and acquire, too. So each location is on
// its own, and only the scope is needed.
// ADVISE: --grid 4 --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %a: tile<ptr<i32>>, %b: tile<ptr<i32>>, %c: tile<ptr<i32>>, %d: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %3 = constant <i32: 3> : tile<i32>
    %is0 = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is0 {
      %s = store_ptr_tko release device %x, %1 : tile<ptr<i32>>, tile<i32> -> token // ordering: relaxed device; scope: needed
    }
    %is1 = cmpi equal %bx, %1, signed : tile<i32> -> tile<i1>
    if %is1 {
      %s = store_ptr_tko release device %y, %1 : tile<ptr<i32>>, tile<i32> -> token // ordering: relaxed device; scope: needed
    }
    %is2 = cmpi equal %bx, %2, signed : tile<i32> -> tile<i1>
    if %is2 {
      %v, %t = load_ptr_tko acquire device %x : tile<ptr<i32>> -> tile<i32>, token // ordering: relaxed device; scope: needed
      %w, %u = load_ptr_tko acquire device %y token=%t : tile<ptr<i32>> -> tile<i32>, token // ordering: relaxed device; scope: needed; token: no token
      %s1 = store_ptr_tko weak %a, %v : tile<ptr<i32>>, tile<i32> -> token
      %s2 = store_ptr_tko weak %b, %w : tile<ptr<i32>>, tile<i32> -> token
    }
    %is3 = cmpi equal %bx, %3, signed : tile<i32> -> tile<i1>
    if %is3 {
      %v, %t = load_ptr_tko acquire device %y : tile<ptr<i32>> -> tile<i32>, token // ordering: relaxed device; scope: needed
      %w, %u = load_ptr_tko acquire device %x token=%t : tile<ptr<i32>> -> tile<i32>, token // ordering: relaxed device; scope: needed; token: no token
      %s1 = store_ptr_tko weak %c, %v : tile<ptr<i32>>, tile<i32> -> token
      %s2 = store_ptr_tko weak %d, %w : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
