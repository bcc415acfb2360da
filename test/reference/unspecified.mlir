// What the specification leaves open has a value on every machine, and so it has here: without
// checks as with them, arithmetic on it gives what arithmetic gives (operations, 8.1 and 11).

// The view has three elements, the tile four: 1 + 2 + 3 + 0 * (what lies outside). Without padding
// that is a zero in program order, as those that pad by copying leave. It may be anything, so that
// 0 * it is +0, -0 or NaN: the sum is 6 or NaN, never 0.
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none | FileCheck %s --check-prefix=SIX
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check all 2> %t.err | FileCheck %s --check-prefix=SIX
// RUN: %python %S/../support/messages.py < %t.err | FileCheck %s --check-prefix=WARNING
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none --schedule random --seed 1 > %t.any
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none --schedule random --seed 2 >> %t.any
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none --schedule random --seed 3 >> %t.any
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none --schedule random --seed 4 >> %t.any
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none --schedule random --seed 5 >> %t.any
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none --schedule random --seed 6 >> %t.any
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none --schedule random --seed 7 >> %t.any
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32),print" --check none --schedule random --seed 8 >> %t.any
// RUN: FileCheck %s --check-prefix=ANY --implicit-check-not='[0]' < %t.any
// SIX: {{\[6\.?\]}}
// ANY-COUNT-8: {{\[(6\.?|nan)\]}}
// WARNING: warning: block (0, 0, 0): store_ptr_tko: an unspecified value is stored to parameter 2 (1xf32) [unspecified]
// WARNING-NEXT: note: unspecified from here: load_view_tko: element [3]: outside of the tensor, at 3 of 3 along dimension 0, and the view has no padding value
// WARNING: help: unspecified:
// WARNING-NOT: error

// The warning has a name of its own, which takes it away and leaves the errors.
// RUN: %tilewright run %s --entry padding --grid 1 --arg "f32[1, 2, 3]" --arg "zeros(1xf32)" --check no-unspecified 2>&1 | count 0
// RUN: not %tilewright run %s --entry division --grid 1 --arg "i32[0, 1, 2]" --arg "zeros(4xi32)" --check no-unspecified 2>&1 | FileCheck %s --check-prefix=DIVISION
// DIVISION: error: block (0, 0, 0): divi: element [0]: 6 by 0 has no result [division]

// A division by zero that is not chosen does no harm to what is: that is unspecified only, also
// where only what was chosen has been in an alloca.
// RUN: %tilewright run %s --entry unchosen --grid 1 --arg "i32[0, 1, 2]" --arg "zeros(4xi32),print" --check all 2>&1 | FileCheck %s --check-prefix=UNCHOSEN --implicit-check-not=error
// UNCHOSEN-DAG: warning: {{.*}} store_view_tko: element [3]: an unspecified value is stored to parameter 2 (4xi32) [unspecified]
// UNCHOSEN-DAG: [0 1 2 0]

// A false operand decides for both: no element of the mask hangs on what lies outside.
// RUN: %tilewright run %s --entry decided --grid 1 --arg "i32[5, 0, 6]" --arg "zeros(4xi32),print" --check all 2>&1 | FileCheck %s --check-prefix=DECIDED --implicit-check-not=warning --implicit-check-not=error
// DECIDED: [1 0 1 0]

// What an alloca was left with is the same whenever it is read: 0xAA in every byte in program order
// (operations, 7.2), and what the seed says at random.
// RUN: %tilewright run %s --entry leftovers --grid 1 --arg "zeros(2xi32),print" --check none | FileCheck %s --check-prefix=AA
// RUN: %tilewright run %s --entry leftovers --grid 1 --arg "zeros(2xi32),print" --check none --schedule random --seed 1 > %t.same
// RUN: %tilewright run %s --entry leftovers --grid 1 --arg "zeros(2xi32),print" --check none --schedule random --seed 2 >> %t.same
// RUN: %tilewright run %s --entry leftovers --grid 1 --arg "zeros(2xi32),print" --check none --schedule random --seed 3 >> %t.same
// RUN: %tilewright run %s --entry leftovers --grid 1 --arg "zeros(2xi32),print" --check none --schedule random --seed 4 >> %t.same
// RUN: FileCheck %s --check-prefix=SAME < %t.same
// RUN: %tilewright run %s --entry leftovers --grid 1 --arg "zeros(2xi32)" --check none --schedule exhaustive | FileCheck %s --check-prefix=ONE
// 0xAAAAAAAA is -1431655766.
// AA: {{\[-1431655766 +0\]}}
// SAME-COUNT-4: {{\[ *-?[0-9]+ +0\]}}
// ONE: 1 execution, 1 outcome

!three = !cuda_tile.tensor_view<3xi32, strides=[1]>
!tile = !cuda_tile.partition_view<tile=(4), tensor_view<3xi32, strides=[1]>>
!four = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @unspecified {
  entry @padding(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %tv = make_tensor_view %x, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>
    %i = constant <i32: 0> : tile<i32>
    %w = constant <f32: [1.0, 1.0, 1.0, 0.0]> : tile<4xf32>
    %t, %tok = load_view_tko weak %pv[%i] : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %p = mulf %t, %w : tile<4xf32>
    %s = reduce %p dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%a: tile<f32>, %b: tile<f32>) {
      %r = addf %a, %b : tile<f32>
      yield %r : tile<f32>
    }
    %tk = store_ptr_tko weak %y, %s : tile<ptr<f32>>, tile<f32> -> token
  }

  // Element 3 is unspecified, element 0 is undefined: the second is an error still.
  entry @division(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %tv = make_tensor_view %x, shape = [3], strides = [1] : !three
    %pv = make_partition_view %tv : !tile
    %i = constant <i32: 0> : tile<i32>
    %six = constant <i32: 6> : tile<4xi32>
    %t, %tok = load_view_tko weak %pv[%i] : !tile, tile<i32> -> tile<4xi32>, token
    %q = divi %six, %t signed : tile<4xi32>
    %to = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %tos = make_partition_view %to : !four
    %tk = store_view_tko weak %q, %tos[%i] : tile<4xi32>, !four, tile<i32> -> token
  }

  entry @unchosen(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %tv = make_tensor_view %x, shape = [3], strides = [1] : !three
    %pv = make_partition_view %tv : !tile
    %i = constant <i32: 0> : tile<i32>
    %six = constant <i32: 6> : tile<4xi32>
    %yes = constant <i1: true> : tile<4xi1>
    %t, %tok = load_view_tko weak %pv[%i] : !tile, tile<i32> -> tile<4xi32>, token
    %q = divi %six, %t signed : tile<4xi32>
    %chosen = select %yes, %t, %q : tile<4xi1>, tile<4xi32>
    %scratch = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>
    %sv = make_tensor_view %scratch, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %sp = make_partition_view %sv : !four
    %t1 = store_view_tko weak %chosen, %sp[%i] : tile<4xi32>, !four, tile<i32> -> token
    %again, %t2 = load_view_tko weak %sp[%i] token=%t1 : !four, tile<i32> -> tile<4xi32>, token
    %to = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %tos = make_partition_view %to : !four
    %t3 = store_view_tko weak %again, %tos[%i] : tile<4xi32>, !four, tile<i32> -> token
  }

  entry @decided(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %tv = make_tensor_view %x, shape = [3], strides = [1] : !three
    %pv = make_partition_view %tv : !tile
    %i = constant <i32: 0> : tile<i32>
    %zero = constant <i32: 0> : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %three = constant <i32: 3> : tile<4xi32>
    %t, %tok = load_view_tko weak %pv[%i] : !tile, tile<i32> -> tile<4xi32>, token
    %lane = iota : tile<4xi32>
    %inside = cmpi less_than %lane, %three, signed : tile<4xi32> -> tile<4xi1>
    %some = cmpi not_equal %t, %zero, signed : tile<4xi32> -> tile<4xi1>
    %wanted = andi %inside, %some : tile<4xi1>
    %y1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ys = broadcast %y1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %ys, %lane : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %tk = store_ptr_tko weak %to, %one, %wanted : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }

  entry @leftovers(%y: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %p = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %a, %t0 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %b, %t1 = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %d = subi %a, %b : tile<i32>
    %t2 = store_ptr_tko weak %y, %a : tile<ptr<i32>>, tile<i32> -> token
    %next = offset %y, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t3 = store_ptr_tko weak %next, %d : tile<ptr<i32>>, tile<i32> -> token
  }
}
