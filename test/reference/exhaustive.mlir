// Exhaustive exploration of arrays that nobody has filled: what they hold has no value until it is
// written, in this block or in another one.

// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright run %s --entry copies --grid 1 --arg "empty(1xi32)" --arg "zeros(1xi32)" --schedule exhaustive 2>&1 | FileCheck %s --check-prefix=COPIES
// COPIES: error: {{.*}} store_ptr_tko: an undefined value is stored to parameter 2 (1xi32) [undefined]
// COPIES: undefined from here: load_ptr_tko: reads memory that was never written

// RUN: %tilewright run %s --entry fills --grid 1 --arg "empty(1xi32)" --arg "zeros(1xi32)" --schedule exhaustive | FileCheck %s --check-prefix=FILLS
// FILLS: 1 execution, 1 outcome
// FILLS: outcome 1: parameter 1 (1xi32)[0] = 7; parameter 2 (1xi32)[0] = 7;

// The consumer may come first, and reads what has no value.
// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright run %s --entry hands_over --grid 2 --arg "empty(1xi32)" --arg "zeros(1xi32)" --schedule exhaustive 2>&1 | FileCheck %s --check-prefix=HANDS
// HANDS: error: block (1, 0, 0): store_ptr_tko: an undefined value is stored to parameter 2 (1xi32) [undefined]
// RUN: %tilewright run %s --entry hands_over --grid 2 --arg "zeros(1xi32)" --arg "zeros(1xi32)" --schedule exhaustive | FileCheck %s --check-prefix=ZERO
// ZERO: 2 outcomes
// ZERO: outcome 1: parameter 1 (1xi32)[0] = 7;{{ *$}}
// ZERO: outcome 2: parameter 1 (1xi32)[0] = 7; parameter 2 (1xi32)[0] = 7;

// An alloca behind a branch that has one, too. The load of X may come after the store of 1 at the
// end, and that of the alloca before or after the store of 9, whichever way the branch went.
// RUN: %tilewright run %s --entry allocas --grid 1 --arg "zeros(1xi32)" --arg "zeros(2xi32)" --schedule exhaustive | FileCheck %s --check-prefix=ALLOCAS --match-full-lines
// ALLOCAS: 4 executions, 4 outcomes
// ALLOCAS-NEXT: outcome 1: parameter 1 (1xi32)[0] = 1; parameter 2 (2xi32)[0] = 7;
// ALLOCAS-NEXT: outcome 2: parameter 1 (1xi32)[0] = 1; parameter 2 (2xi32)[0] = 7; parameter 2 (2xi32)[1] = 1;
// ALLOCAS-NEXT: outcome 3: parameter 1 (1xi32)[0] = 1; parameter 2 (2xi32)[0] = 9;
// ALLOCAS-NEXT: outcome 4: parameter 1 (1xi32)[0] = 1; parameter 2 (2xi32)[0] = 9; parameter 2 (2xi32)[1] = 1;

cuda_tile.module @exhaustive {
  entry @allocas(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %nine = constant <i32: 9> : tile<i32>
    %a, %l = load_ptr_tko relaxed device %x : tile<ptr<i32>> -> tile<i32>, token
    %is_set = cmpi equal %a, %one, signed : tile<i32> -> tile<i1>
    if %is_set {
      %first = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
      %s = store_ptr_tko weak %first, %five : tile<ptr<i32>>, tile<i32> -> token
    }
    %p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %s0 = store_ptr_tko relaxed tl_blk %p, %seven : tile<ptr<i32>>, tile<i32> -> token
    %b, %bt = load_ptr_tko relaxed tl_blk %p token=%s0 : tile<ptr<i32>> -> tile<i32>, token
    %s1 = store_ptr_tko relaxed tl_blk %p, %nine token=%s0 : tile<ptr<i32>>, tile<i32> -> token
    %y1 = offset %y, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s2 = store_ptr_tko weak %y, %b : tile<ptr<i32>>, tile<i32> -> token
    %s3 = store_ptr_tko weak %y1, %a : tile<ptr<i32>>, tile<i32> -> token
    %s4 = store_ptr_tko relaxed device %x, %one : tile<ptr<i32>>, tile<i32> -> token
  }

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
