// Both atomics may come first. If the first one does, X goes from 0 to 1 to 2, and the guard
// is false; if the second one does, X goes from 0 to 2 to 1: then the guard is true, and the
// load behind it, token-ordered after the last write, reads 1 (memory model, 5 and 6).
// RUN: %tilewright run %s --grid 1 --arg "i32[0]" --arg "i32[0]" --schedule exhaustive | FileCheck %s --match-full-lines
// CHECK: 2 executions, 2 outcomes
// CHECK-NEXT: outcome 1: parameter 1 (1xi32)[0] = 1; parameter 2 (1xi32)[0] = 1;
// CHECK-NEXT: outcome 2: parameter 1 (1xi32)[0] = 2;

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %a, %at = atomic_rmw_tko acq_rel device %x, xchg, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %g = cmpi equal %a, %c2, signed : tile<i32> -> tile<i1>
    if %g {
      %b, %bt = load_ptr_tko relaxed device %x token=%at : tile<ptr<i32>> -> tile<i32>, token
      %s = store_ptr_tko weak %r, %b : tile<ptr<i32>>, tile<i32> -> token
    }
    %o, %ot = atomic_rmw_tko acq_rel device %x, max, %c2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
