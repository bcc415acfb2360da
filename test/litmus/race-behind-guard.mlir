// The atomic at the end may come first: nothing orders the load in front of it. Then the guard
// is true, and both blocks store weakly to the same place. One such execution is enough for the
// kernel to be undefined (memory model, 6, rule 8).
// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright run %s --grid 2 --arg "i32[0]" --arg "i32[0]" --schedule exhaustive 2>&1 | FileCheck %s
// CHECK: store_ptr_tko: race on parameter 2 (1xi32)[0] with store_ptr_tko
// CHECK: 1 finding in all executions.

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %d: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %is0 = cmpi equal %bx, %c0, signed : tile<i32> -> tile<i1>
    if %is0 {
      %a, %at = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
      %g = cmpi equal %a, %c2, signed : tile<i32> -> tile<i1>
      if %g {
        %b, %bt = load_ptr_tko relaxed device %x token=%at : tile<ptr<i32>> -> tile<i32>, token
        %s = store_ptr_tko weak %d, %b : tile<ptr<i32>>, tile<i32> -> token
      }
      %o, %ot = atomic_rmw_tko relaxed device %x, add, %c2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    } else {
      %s = store_ptr_tko weak %d, %c2 : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
