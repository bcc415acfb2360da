// RUN: %python %S/check.py --tilewright %tilewright %s
// The global must have the second value at the end; no array shows it.
// ADVISE: --grid 1

cuda_tile.module @m {
  global @g <i32: 0> : tile<1xi32>
  entry @k() {
    %p = get_global @g : tile<ptr<i32>>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %s = store_ptr_tko relaxed tl_blk %p, %1 : tile<ptr<i32>>, tile<i32> -> token // ordering: weak
    %t = store_ptr_tko relaxed tl_blk %p, %2 token=%s : tile<ptr<i32>>, tile<i32> -> token // ordering: weak; token: needed
  }
}
