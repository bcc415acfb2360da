// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 13: a = b = 0 is forbidden. It would need each addition before the exchange of its location. So the exchange reads
// from the addition, and synchronises with it if the addition releases and the exchange acquires. One such pair is
// enough: with both, happens-before has a cycle; with one, it contradicts coherence (rule 6). So each operation by
// itself may be relaxed, but one pair must remain. Without one of the tokens there is no contradiction.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0] --arg i32[0] --arg i32[0]
// TOGETHER: @x: acq_rel device -> relaxed device; @ay: acq_rel device -> release device; @y: acq_rel device -> acquire device; @ax: acq_rel device -> relaxed device

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %is_first = cmpi equal %bx, %0, signed : tile<i32> -> tile<i1>
    if %is_first {
      %p, %s = atomic_rmw_tko acq_rel device %x, xchg, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token // @x ordering: relaxed device; scope: needed
      %v, %t = atomic_rmw_tko acq_rel device %y, add, %0 token=%s : tile<ptr<i32>>, tile<i32> -> tile<i32>, token // @ay ordering: relaxed device; scope: needed; token: needed
      %w = store_ptr_tko weak %a, %v : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %p, %s = atomic_rmw_tko acq_rel device %y, xchg, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token // @y ordering: relaxed device; scope: needed
      %v, %t = atomic_rmw_tko acq_rel device %x, add, %0 token=%s : tile<ptr<i32>>, tile<i32> -> tile<i32>, token // @ax ordering: relaxed device; scope: needed; token: needed
      %w = store_ptr_tko weak %b, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
