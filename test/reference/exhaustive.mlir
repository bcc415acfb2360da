// Exhaustive exploration of arrays that nobody has filled: what they hold has no value until it is
// written, in this block or in another one.

// RUN: not %tilewright run %s --entry copies --grid 1 --arg "empty(1xi32)" --arg "zeros(1xi32)" --schedule exhaustive 2>&1 | FileCheck %s --check-prefix=COPIES
// COPIES: store_ptr_tko: an undefined value is stored to parameter 2 (1xi32) [undefined]

// RUN: %tilewright run %s --entry fills --grid 1 --arg "empty(1xi32)" --arg "zeros(1xi32)" --schedule exhaustive | FileCheck %s --check-prefix=FILLS
// FILLS: 1 execution, 1 outcome
// FILLS: outcome 1: parameter 1 (1xi32)[0] = 7; parameter 2 (1xi32)[0] = 7;

// The consumer may come first, and reads what has no value.
// RUN: not %tilewright run %s --entry hands_over --grid 2 --arg "empty(1xi32)" --arg "zeros(1xi32)" --schedule exhaustive 2>&1 | FileCheck %s --check-prefix=HANDS
// HANDS: block (1, 0, 0): store_ptr_tko: an undefined value is stored to parameter 2 (1xi32) [undefined]
// RUN: %tilewright run %s --entry hands_over --grid 2 --arg "zeros(1xi32)" --arg "zeros(1xi32)" --schedule exhaustive | FileCheck %s --check-prefix=ZERO
// ZERO: 2 outcomes
// ZERO: outcome 1: parameter 1 (1xi32)[0] = 7;{{ *$}}
// ZERO: outcome 2: parameter 1 (1xi32)[0] = 7; parameter 2 (1xi32)[0] = 7;

cuda_tile.module @exhaustive {
  entry @copies(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %v, %l = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %s = store_ptr_tko weak %q, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @fills(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %seven = constant <i32: 7> : tile<i32>
    %t = store_ptr_tko weak %p, %seven : tile<ptr<i32>>, tile<i32> -> token
    %v, %l = load_ptr_tko weak %p token=%t : tile<ptr<i32>> -> tile<i32>, token
    %s = store_ptr_tko weak %q, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @hands_over(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %first {
      %t = store_ptr_tko relaxed device %p, %seven : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %v, %l = load_ptr_tko relaxed device %p : tile<ptr<i32>> -> tile<i32>, token
      %s = store_ptr_tko weak %q, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
