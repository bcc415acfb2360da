// The number of turns is read from scratch storage before the store that sets it.
// RUN: %pair --grid 1 --arg 3 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%n: tile<i32>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %turns = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %limit, %t0 = load_ptr_tko weak %turns : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %turns, %n token=%t0 : tile<ptr<i32>>, tile<i32> -> token
    // CHECK: bound.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): for: the upper bound is undefined [undefined]
    // CHECK-NEXT: bound.mlir:[[#@LINE-3]]:{{.*}} note: undefined from here: load_ptr_tko: {{.*}}reads memory that was never written
    %sum = for %i in (%zero to %limit, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %next = addi %s, %i : tile<i32>
      continue %next : tile<i32>
    }
    %t2 = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [3]
  entry @fixed(%n: tile<i32>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %turns = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %t0 = store_ptr_tko weak %turns, %n : tile<ptr<i32>>, tile<i32> -> token
    %limit, %t1 = load_ptr_tko weak %turns token=%t0 : tile<ptr<i32>> -> tile<i32>, token
    %sum = for %i in (%zero to %limit, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %next = addi %s, %i : tile<i32>
      continue %next : tile<i32>
    }
    %t2 = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
  }
}
