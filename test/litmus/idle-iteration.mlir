// Block 0 repeats an iteration until it sees that Y is 1. Nothing changes from one iteration to the
// next where X is 5: then it is enough to explore one such iteration.
// In each execution Y and Z end as 1, and X as 5 where block 1 has seen that Z is 1.

// The executions, by what block 0 reads of Y: 1 (block 1 reads 0 or 1 in Z), or 0 and then 1 (the
// same two; if block 1 reads 1, the X of block 0 is the initial value or that of block 1).
// RUN: %tilewright run %s --grid 3 --arg "i32[5]" --arg "i32[0]" --arg "i32[0]" --schedule exhaustive | FileCheck %s --check-prefix=SAME
// SAME: 5 executions, 1 outcome
// SAME: outcome 1: parameter 2 (1xi32)[0] = 1; parameter 3 (1xi32)[0] = 1;{{$}}

// RUN: %tilewright run %s --grid 3 --arg "i32[0]" --arg "i32[0]" --arg "i32[0]" --schedule exhaustive | FileCheck %s --check-prefix=OTHER
// OTHER: 2 outcomes
// OTHER: outcome 1: parameter 1 (1xi32)[0] = 5; parameter 2 (1xi32)[0] = 1; parameter 3 (1xi32)[0] = 1;
// OTHER: outcome 2: parameter 2 (1xi32)[0] = 1; parameter 3 (1xi32)[0] = 1;{{$}}

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %z: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c5 = constant <i32: 5> : tile<i32>
    %b0 = cmpi equal %bx, %c0, signed : tile<i32> -> tile<i1>
    %b1 = cmpi equal %bx, %c1, signed : tile<i32> -> tile<i1>
    if %b0 {
      %r = loop iter_values(%v = %c5) : tile<i32> -> tile<i32> {
        %b, %t = load_ptr_tko relaxed device %y : tile<ptr<i32>> -> tile<i32>, token
        %one = cmpi equal %b, %c1, signed : tile<i32> -> tile<i1>
        if %one {
          break %v : tile<i32>
        }
        %a, %ta = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
        continue %a : tile<i32>
      }
      %s = store_ptr_tko relaxed device %z, %c1 : tile<ptr<i32>>, tile<i32> -> token
    } else {
    if %b1 {
      %b, %t = load_ptr_tko relaxed device %z : tile<ptr<i32>> -> tile<i32>, token
      %is = cmpi equal %b, %c1, signed : tile<i32> -> tile<i1>
      if %is {
        %s = store_ptr_tko relaxed device %x, %c5 : tile<ptr<i32>>, tile<i32> -> token
      }
    } else {
      %s = store_ptr_tko relaxed device %y, %c1 : tile<ptr<i32>>, tile<i32> -> token
    }
    }
  }
}
