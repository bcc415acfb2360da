// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 38: unordered scoped accesses of one block do not race, and the scope of the block is enough. A weak access has no
// scope and races (test 39).
// ADVISE: --grid 1 --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %a: tile<ptr<i32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %s = store_ptr_tko relaxed sys %x, %1 : tile<ptr<i32>>, tile<i32> -> token // ordering: needed; scope: relaxed tl_blk
    %v, %t = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token // ordering: needed; scope: relaxed tl_blk
    %w = store_ptr_tko weak %a, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
