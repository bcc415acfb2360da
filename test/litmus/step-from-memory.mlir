// Block 0 reads the step of a `for`, and block 1 may write it: a zero ends the run of block 0 while
// its read is open.

// The step is zero from the start: undefined (operations, 5.2).
// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright run %s --grid 2 --arg "i32[0]" --arg "i32[0]" --schedule exhaustive 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: block (0, 0, 0): for: the step must be positive, but is 0 [control]
// ZERO: 1 finding in all executions.

// Block 1 writes the zero if it has read the 1 behind the loop.
// RUN: %tilewright run %s --grid 2 --arg "i32[1]" --arg "i32[0]" --schedule exhaustive | FileCheck %s --check-prefix=ONE
// The execution in which block 0 reads that zero is undefined, and not found (docs/running.md).
// ONE: 2 executions, 2 outcomes
// ONE: outcome 1: parameter 1 (1xi32)[0] = 0; parameter 2 (1xi32)[0] = 1;
// ONE: outcome 2: parameter 2 (1xi32)[0] = 1;{{$}}

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %first = cmpi equal %bx, %c0, signed : tile<i32> -> tile<i1>
    if %first {
      %a, %t = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
      for %k in (%c0 to %c2, step %a) : tile<i32> { continue }
      %s = store_ptr_tko relaxed device %y, %c1 : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %b, %t = load_ptr_tko relaxed device %y : tile<ptr<i32>> -> tile<i32>, token
      %is = cmpi equal %b, %c1, signed : tile<i32> -> tile<i1>
      if %is {
        %s = store_ptr_tko relaxed device %x, %c0 : tile<ptr<i32>>, tile<i32> -> token
      }
    }
  }
}
