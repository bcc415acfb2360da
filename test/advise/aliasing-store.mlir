// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 43: two elements of a weak store to one address race; a relaxed one leaves one of the values.
// ADVISE: --grid 1 --arg i32[0]
// FIX: @s: weak -> relaxed tl_blk

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>) {
    %ids = iota : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %x4 = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %s = store_ptr_tko weak %x4, %ids : tile<4xptr<i32>>, tile<4xi32> -> token // @s
  }
}
