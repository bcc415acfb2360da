// What a finding tells beside what happened: which element of what, with which values, in which
// iteration of which loops, and what to do.

// RUN: not %tilewright run %s --entry loops --grid 1 --arg "zeros(4xi32)" --report json=%t.json --report sarif=%t.sarif 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=LOOPS
// RUN: %python %S/Inputs/details.py %t.json %t.sarif
// RUN: not %tilewright run %s --entry loops --grid 1 --arg "zeros(4xi32)" --schedule random --seed 3 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=RANDOM
// RUN: not %tilewright run --device reference %s --entry conversions --grid 1 --arg "zeros(2xi32)" 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: not %tilewright run --device reference %s --entry far --grid 1 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=FAR
// RUN: not %tilewright run --device reference %s --entry waits --grid 1 --arg "i32[5, 6]" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=WAITS
// RUN: not %tilewright run --device reference %s --entry waits --grid 1 --arg "i32[5, 6]" --schedule exhaustive 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=MAYWAIT
// RUN: not %tilewright run --device reference %s --entry views --grid 1 --arg "i64[4]" 2>&1 | FileCheck %s --check-prefix=VIEWS

cuda_tile.module @details {
  // Offsets 0, 2 and 4: the third one is beyond four elements. Each of two rounds does the same,
  // and only the first one is reported.
  entry @loops(%p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %six = constant <i32: 6> : tile<i32>
    // LOOPS: error: block (0, 0, 0): store_ptr_tko: address {{.*}} just past the end of parameter 1 (4xi32)
    // LOOPS-NEXT: details.mlir:[[#@LINE+3]]:{{.*}} note: in iteration 1 of this loop, with induction value 0
    // LOOPS-NEXT: details.mlir:[[#@LINE+3]]:{{.*}} note: in iteration 3 of this loop, with induction value 4
    // LOOPS-NEXT: help: bounds: compare the offset
    for %j in (%zero to %two, step %one) : tile<i32> {
      for %i in (%zero to %six, step %two) : tile<i32> {
        %at = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        // RANDOM: error: block (0, 0, 0): store_ptr_tko: address {{.*}} just past the end of parameter 1 (4xi32)
        // RANDOM-NEXT: note: in iteration {{[12]}} of this loop, with induction value {{[01]}}
        // RANDOM-NEXT: note: in iteration 3 of this loop, with induction value 4
        %t = store_ptr_tko relaxed device %at, %j : tile<ptr<i32>>, tile<i32> -> token
        continue
      }
      continue
    }
  }

  entry @conversions(%p: tile<ptr<i32>>) {
    %large = constant <f32: 3.0e+09> : tile<f32>
    // VALUES: note: undefined from here: ftoi: 3{{.*}} is not in the range of signed i32
    // VALUES: help: undefined: find in the note what makes the value undefined
    %i = ftoi %large signed : tile<f32> -> tile<i32>
    %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @far() {
    %one = constant <i64: 0x7FFFFFFFFFFFFFFF> : tile<i64>
    %p = int_to_ptr %one : tile<i64> -> tile<ptr<i32>>
    // FAR: error: block (0, 0, 0): load_ptr_tko: the address is undefined [undefined]
    // FAR-NEXT: note: undefined from here: offset: 0x7FFFFFFFFFFFFFFF and 9223372036854775807 elements lead out of the address space
    %q = offset %p, %one : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
    %v, %t = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token
  }

  // Nobody ever stores 1 to the second element.
  entry @waits(%p: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %flag = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    loop {
      // WAITS: waits for ever
      // WAITS-NEXT: details.mlir:[[#@LINE+4]]:{{.*}} note: waits here: load_ptr_tko reads parameter 1 (2xi32)[1], which is 6
      // WAITS-NEXT: note: in iteration {{[0-9]+}} of this loop
      // MAYWAIT: may wait for ever
      // MAYWAIT-NEXT: details.mlir:[[#@LINE+1]]:{{.*}} note: waits here: load_ptr_tko reads parameter 1 (2xi32)[1]
      %v, %t = load_ptr_tko acquire device %flag : tile<ptr<i32>> -> tile<i32>, token
      %done = cmpi equal %v, %one, signed : tile<i32> -> tile<i1>
      if %done {
        break
      }
      continue
    }
  }

  // Which part of the view has no value.
  entry @views(%p: tile<ptr<i64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %scratch = alloca num_elem = 1, alignment = 8 : tile<ptr<i64>>
    %n, %t0 = load_ptr_tko weak %scratch : tile<ptr<i64>> -> tile<i64>, token
    %tv = make_tensor_view %p, shape = [1, %n], strides = [1, 1] : tile<i64> -> tensor_view<1x?xi64, strides=[1, 1]>
    %pv = make_partition_view %tv : partition_view<tile=(1x1), tensor_view<1x?xi64, strides=[1, 1]>>
    // VIEWS: error: block (0, 0, 0): load_view_tko: extent 1 of the view is undefined [undefined]
    %v, %t = load_view_tko weak %pv[%zero, %zero] : partition_view<tile=(1x1), tensor_view<1x?xi64, strides=[1, 1]>>, tile<i32> -> tile<1x1xi64>, token
  }
}
