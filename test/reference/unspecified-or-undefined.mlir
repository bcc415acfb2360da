// Undefined elements are errors where they leave the kernel, unspecified ones are warnings. Which
// of the two an element is goes wherever the element goes, and says nothing about others.

// What hangs on both is undefined, in whatever order.
// RUN: not %tilewright run --device reference %s --entry shift_plus_quotient --grid 1 --arg "i32[0]" --arg "zeros(1xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=BOTH
// RUN: not %tilewright run --device reference %s --entry quotient_plus_shift --grid 1 --arg "i32[0]" --arg "zeros(1xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=BOTH
// BOTH: error: block (0, 0, 0): divi: 1 by 0 has no result [division]
// BOTH-NEXT: note: used here: store_ptr_tko: an undefined value is stored to parameter 2 (1xi32)

// In the kernels below, element 1 of the quotients is unspecified, and element 2 undefined. A
// permutation changes places: the undefined one is number 1 then.
// RUN: not %tilewright run --device reference %s --entry permuted --grid 1 --arg "i32[1, 7, 0, 1]" --arg "i32[1]" --arg "zeros(4xi32)" 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=warning
// RUN: %tilewright run --device reference %s --entry permuted --grid 1 --arg "i32[1, 7, 0, 1]" --arg "i32[2]" --arg "zeros(4xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=WARNING --implicit-check-not=error
// ERROR: error: block (0, 0, 0): divi: element [2]: 6 by 0 has no result [division]
// WARNING: warning: block (0, 0, 0): store_{{.*}} an unspecified value is stored to parameter {{[23].*}} [unspecified]
// WARNING-NEXT: note: unspecified from here: load_ptr_tko: {{.*}}the mask disables it

// A print shows both.
// RUN: not %tilewright run --device reference %s --entry printed --grid 1 --arg "i32[1, 7, 0, 1]" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=PRINTED
// PRINTED: error: block (0, 0, 0): divi: element [2]: 6 by 0 has no result [division]
// PRINTED-NEXT: note: used here: print_tko: argument 0 is undefined, element [2]
// PRINTED: warning: block (0, 0, 0): print_tko: argument 0 is unspecified, element [1] [unspecified]

// Only what is extracted counts.
// RUN: %tilewright run --device reference %s --entry extracted --grid 1 --arg "i32[1, 7, 0, 1]" --arg "i32[1]" --arg "zeros(1xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=WARNING --implicit-check-not=error
// RUN: not %tilewright run --device reference %s --entry extracted --grid 1 --arg "i32[1, 7, 0, 1]" --arg "i32[2]" --arg "zeros(1xi32)" 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=warning

// Nor does the undefined address of a disabled element.
// RUN: %tilewright run --device reference %s --entry disabled --grid 1 --arg "i32[1, 1, 0, 1]" --arg "zeros(4xi32)" 2>&1 | FileCheck %s --check-prefix=DISABLED --implicit-check-not=error
// DISABLED: warning: block (0, 0, 0): store_ptr_tko: element [1]: an unspecified value is stored to parameter 2 (4xi32) [unspecified]

// The registers of a loop hold the last iteration, in which the load is enabled; a shift by the
// width that nobody uses changes nothing.
// RUN: %tilewright run --device reference %s --entry accumulated --grid 1 --arg "i32[1]" --arg "zeros(1xi32)" 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=error
// LOOP: warning: block (0, 0, 0): store_ptr_tko: an unspecified value is stored to parameter 2 (1xi32) [unspecified]

// The first iteration stores an unspecified value, maybe late, and later ones divide by zero.
// RUN: %tilewright run --device reference %s --entry late --grid 1 --arg "i32[0, 0, 0, 0]" --arg "zeros(1xi32)" 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=error
// RUN: %tilewright run %s --entry late --grid 1 --arg "i32[0, 0, 0, 0]" --arg "zeros(1xi32)" --schedule random --seed 1 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=error
// RUN: %tilewright run %s --entry late --grid 1 --arg "i32[0, 0, 0, 0]" --arg "zeros(1xi32)" --schedule random --seed 2 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=error
// RUN: %tilewright run %s --entry late --grid 1 --arg "i32[0, 0, 0, 0]" --arg "zeros(1xi32)" --schedule random --seed 3 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=error
// RUN: %tilewright run %s --entry late --grid 1 --arg "i32[0, 0, 0, 0]" --arg "zeros(1xi32)" --schedule random --seed 24 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=error

// Memory knows it of each element: the unspecified value that block 0 left in its alloca is not in that
// of block 1, and what was never written counts as undefined.
// RUN: not %tilewright run --device reference %s --entry blocks --grid 2 --arg "i32[0]" --arg "zeros(1xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=FRESH --implicit-check-not=warning
// RUN: not %tilewright run --device reference %s --entry neighbours --grid 1 --arg "i32[0]" --arg "i32[1]" --arg "zeros(1xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=FRESH --implicit-check-not=warning
// RUN: %tilewright run --device reference %s --entry neighbours --grid 1 --arg "i32[0]" --arg "i32[0]" --arg "zeros(1xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=KEPT --implicit-check-not=error
// FRESH: error: block ({{[01]}}, 0, 0): store_ptr_tko: an undefined value is stored to parameter {{[23]}} (1xi32) [undefined]
// FRESH-NEXT: note: undefined from here: load_ptr_tko: reads memory that was never written
// FRESH: help: undefined: {{.*}}fill an output with zeros before a kernel adds to it
// KEPT: warning: block (0, 0, 0): store_ptr_tko: an unspecified value is stored to parameter 3 (1xi32) [unspecified]
// KEPT-NEXT: note: unspecified from here: load_ptr_tko: reads memory that holds an unspecified value
// Blocks add up in an output that nobody has zeroed.
// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright run --device reference %s --entry adds --grid 2 --arg "empty(1xi32)" 2>&1 | FileCheck %s --check-prefix=ADDS
// RUN: %tilewright run --device reference %s --entry adds --grid 2 --arg "zeros(1xi32),print" 2>&1 | FileCheck %s --check-prefix=ZEROED --implicit-check-not=error --implicit-check-not=warning
// ADDS: error: block (0, 0, 0): atomic_rmw_tko: {{.*}}undefined value {{.*}} [undefined]
// ADDS: help: undefined: {{.*}}split-K
// ZEROED: [2]

// Half of what is there may have been overwritten since.
// RUN: not %tilewright run --device reference %s --entry overwritten --grid 1 --arg "i32[0]" --arg "zeros(1xi32)" 2>&1 | FileCheck %s --check-prefix=HALF --implicit-check-not=warning
// HALF: error: block (0, 0, 0): store_ptr_tko: an undefined value is stored to parameter 2 (1xi32) [undefined]

// Without the check of one origin, the other one is still reported.
// RUN: %tilewright run %s --entry shift_plus_disabled --grid 1 --arg "i32[0]" --arg "zeros(1xi32)" --check no-shift 2>&1 | FileCheck %s --check-prefix=LOOP --implicit-check-not=error

// Matrix products and packing hand marks on, too: row 1 hangs on an unspecified element, and row 2
// on an undefined one.
// RUN: not %tilewright run --device reference %s --entry product --grid 1 --arg "i32[1, 7, 0, 1]" --arg "i32[2]" --arg "zeros(4xi32)" 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=warning
// RUN: %tilewright run --device reference %s --entry product --grid 1 --arg "i32[1, 7, 0, 1]" --arg "i32[1]" --arg "zeros(4xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=WARNING --implicit-check-not=error
// RUN: not %tilewright run --device reference %s --entry packed --grid 1 --arg "i32[1, 7, 0, 1]" --arg "i32[2]" --arg "zeros(4xi32)" 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=warning
// RUN: %tilewright run --device reference %s --entry packed --grid 1 --arg "i32[1, 7, 0, 1]" --arg "i32[1]" --arg "zeros(4xi32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=WARNING --implicit-check-not=error

// Nor may it decide a compare-and-swap.
// RUN: not %tilewright run --device reference %s --entry compared --grid 1 2>&1 | FileCheck %s --check-prefix=COMPARED
// COMPARED: error: block (0, 0, 0): atomic_cas_tko: `cmp` is compared with memory that was never written, or that holds an undefined value [undefined]

cuda_tile.module @marks {
  entry @shift_plus_quotient(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %width = constant <i32: 33> : tile<i32>
    %zero, %t0 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %q = divi %one, %zero signed : tile<i32>
    %s = shli %one, %width : tile<i32>
    %sum = addi %s, %q : tile<i32>
    %t = store_ptr_tko weak %y, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @quotient_plus_shift(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %width = constant <i32: 33> : tile<i32>
    %zero, %t0 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %q = divi %one, %zero signed : tile<i32>
    %s = shli %one, %width : tile<i32>
    %sum = addi %q, %s : tile<i32>
    %t = store_ptr_tko weak %y, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @permuted(%x: tile<ptr<i32>>, %number: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %lane = iota : tile<4xi32>
    %ones = constant <i32: 1> : tile<4xi32>
    %six = constant <i32: 6> : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xs = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %xs, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %not_one = cmpi not_equal %lane, %ones, signed : tile<4xi32> -> tile<4xi1>
    %divisors, %t0 = load_ptr_tko weak %from, %not_one : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %q = divi %six, %divisors signed : tile<4xi32>
    %square = reshape %q : tile<4xi32> -> tile<2x2xi32>
    %turned = permute %square [1, 0] : tile<2x2xi32> -> tile<2x2xi32>
    %v = reshape %turned : tile<2x2xi32> -> tile<4xi32>
    %n, %t1 = load_ptr_tko weak %number : tile<ptr<i32>> -> tile<i32>, token
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %is_wanted = cmpi equal %lane, %ns, signed : tile<4xi32> -> tile<4xi1>
    %y1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ys = broadcast %y1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %ys, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko weak %to, %v, %is_wanted : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }

  entry @printed(%x: tile<ptr<i32>>) {
    %lane = iota : tile<4xi32>
    %ones = constant <i32: 1> : tile<4xi32>
    %six = constant <i32: 6> : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xs = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %xs, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %not_one = cmpi not_equal %lane, %ones, signed : tile<4xi32> -> tile<4xi1>
    %divisors, %t0 = load_ptr_tko weak %from, %not_one : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %q = divi %six, %divisors signed : tile<4xi32>
    %t = print_tko "%d\n", %q : tile<4xi32> -> token
  }

  entry @extracted(%x: tile<ptr<i32>>, %number: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %lane = iota : tile<4xi32>
    %ones = constant <i32: 1> : tile<4xi32>
    %six = constant <i32: 6> : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xs = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %xs, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %not_one = cmpi not_equal %lane, %ones, signed : tile<4xi32> -> tile<4xi1>
    %divisors, %t0 = load_ptr_tko weak %from, %not_one : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %q = divi %six, %divisors signed : tile<4xi32>
    %n, %t1 = load_ptr_tko weak %number : tile<ptr<i32>> -> tile<i32>, token
    %e = extract %q[%n] : tile<4xi32> -> tile<1xi32>
    %v = reshape %e : tile<1xi32> -> tile<i32>
    %t = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @disabled(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %lane = iota : tile<4xi32>
    %ones = constant <i32: 1> : tile<4xi32>
    %twos = constant <i32: 2> : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xs = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %xs, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %divisors, %t0 = load_ptr_tko weak %from : tile<4xptr<i32>> -> tile<4xi32>, token
    %not_one = cmpi not_equal %lane, %ones, signed : tile<4xi32> -> tile<4xi1>
    %v, %t1 = load_ptr_tko weak %from, %not_one : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %index = divi %lane, %divisors signed : tile<4xi32>
    %y1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ys = broadcast %y1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %ys, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %not_two = cmpi not_equal %lane, %twos, signed : tile<4xi32> -> tile<4xi1>
    %t = store_ptr_tko weak %to, %v, %not_two : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }

  entry @accumulated(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %width = constant <i32: 32> : tile<i32>
    %sum = for %i in (%zero to %four, step %one) : tile<i32> iter_values(%acc = %zero) -> (tile<i32>) {
      %is_last = cmpi equal %i, %three, signed : tile<i32> -> tile<i1>
      %v, %t0 = load_ptr_tko weak %x, %is_last : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
      %unused = shli %one, %width : tile<i32>
      %next = addi %acc, %v : tile<i32>
      continue %next : tile<i32>
    }
    %t = store_ptr_tko weak %y, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @late(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    for %i in (%zero to %four, step %one) : tile<i32> {
      %is_first = cmpi equal %i, %zero, signed : tile<i32> -> tile<i1>
      %is_later = cmpi not_equal %i, %zero, signed : tile<i32> -> tile<i1>
      %from = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v, %t0 = load_ptr_tko weak %from, %is_later : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
      %q = divi %four, %v signed : tile<i32>
      %t1 = store_ptr_tko weak %y, %q, %is_first : tile<ptr<i32>>, tile<i32>, tile<i1> -> token
      continue
    }
  }

  entry @blocks(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %is_first = cmpi equal %bx, %zero, signed : tile<i32> -> tile<i1>
    %own = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    if %is_first {
      %off = constant <i1: false> : tile<i1>
      %q, %t0 = load_ptr_tko weak %x, %off : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
      %t1 = store_ptr_tko weak %own, %q : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %v, %t2 = load_ptr_tko weak %own : tile<ptr<i32>> -> tile<i32>, token
      %t3 = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  entry @neighbours(%x: tile<ptr<i32>>, %number: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %off = constant <i1: false> : tile<i1>
    %own = alloca num_elem = 2, alignment = 4 : tile<ptr<i32>>
    %q, %t0 = load_ptr_tko weak %x, %off : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
    %n, %t1 = load_ptr_tko weak %number : tile<ptr<i32>> -> tile<i32>, token
    %t2 = store_ptr_tko weak %own, %q : tile<ptr<i32>>, tile<i32> -> token
    %at = offset %own, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t3 = load_ptr_tko weak %at token=%t2 : tile<ptr<i32>> -> tile<i32>, token
    %t4 = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @adds(%y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %old, %t = atomic_rmw_tko relaxed device %y, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }

  entry @overwritten(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %half = constant <i16: 5> : tile<i16>
    %own = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %low = ptr_to_ptr %own : tile<ptr<i32>> -> tile<ptr<i16>>
    %divisor, %t0 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %q = divi %one, %divisor signed : tile<i32>
    %t1 = store_ptr_tko weak %own, %q : tile<ptr<i32>>, tile<i32> -> token
    %t2 = store_ptr_tko weak %low, %half token=%t1 : tile<ptr<i16>>, tile<i16> -> token
    %v, %t3 = load_ptr_tko weak %own token=%t2 : tile<ptr<i32>> -> tile<i32>, token
    %t4 = store_ptr_tko weak %y, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @shift_plus_disabled(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %width = constant <i32: 33> : tile<i32>
    %no = constant <i1: false> : tile<i1>
    %v, %t0 = load_ptr_tko weak %x, %no : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
    %s = shli %one, %width : tile<i32>
    %sum = addi %s, %v : tile<i32>
    %t = store_ptr_tko weak %y, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @product(%x: tile<ptr<i32>>, %number: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %lane = iota : tile<4xi32>
    %ones = constant <i32: 1> : tile<4xi32>
    %six = constant <i32: 6> : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xs = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %xs, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %not_one = cmpi not_equal %lane, %ones, signed : tile<4xi32> -> tile<4xi1>
    %divisors, %t0 = load_ptr_tko weak %from, %not_one : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %q = divi %six, %divisors signed : tile<4xi32>
    %bytes = trunci %q : tile<4xi32> -> tile<4xi8>
    %rows = reshape %bytes : tile<4xi8> -> tile<4x1xi8>
    %column = constant <i8: 3> : tile<1x1xi8>
    %zeros = constant <i32: 0> : tile<4x1xi32>
    %products = mmai %rows, %column, %zeros signed signed : tile<4x1xi8>, tile<1x1xi8>, tile<4x1xi32>
    %v = reshape %products : tile<4x1xi32> -> tile<4xi32>
    %n, %t1 = load_ptr_tko weak %number : tile<ptr<i32>> -> tile<i32>, token
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %is_wanted = cmpi equal %lane, %ns, signed : tile<4xi32> -> tile<4xi1>
    %y1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ys = broadcast %y1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %ys, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko weak %to, %v, %is_wanted : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }

  entry @packed(%x: tile<ptr<i32>>, %number: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %lane = iota : tile<4xi32>
    %ones = constant <i32: 1> : tile<4xi32>
    %six = constant <i32: 6> : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xs = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %xs, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %not_one = cmpi not_equal %lane, %ones, signed : tile<4xi32> -> tile<4xi1>
    %divisors, %t0 = load_ptr_tko weak %from, %not_one : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %q = divi %six, %divisors signed : tile<4xi32>
    %bytes = pack %q : tile<4xi32> -> tile<16xi8>
    %v = unpack %bytes : tile<16xi8> -> tile<4xi32>
    %n, %t1 = load_ptr_tko weak %number : tile<ptr<i32>> -> tile<i32>, token
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %is_wanted = cmpi equal %lane, %ns, signed : tile<4xi32> -> tile<4xi1>
    %y1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ys = broadcast %y1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %ys, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko weak %to, %v, %is_wanted : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }

  entry @compared() {
    %one = constant <i32: 1> : tile<i32>
    %own = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %was, %t = atomic_cas_tko relaxed device %own, %one, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
