// The guard against a zero divisor has its branches the wrong way round.
// RUN: %pair --grid 1 --arg 8 --arg 0 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%sum: tile<i32>, %count: tile<i32>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %is_empty = cmpi equal %count, %zero, signed : tile<i32> -> tile<i1>
    %mean = if %is_empty -> (tile<i32>) {
      // CHECK: branch.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): divi: 8 by 0 has no result [division]
      // CHECK-NEXT: branch.mlir:[[#@LINE+6]]:{{.*}} note: used here: store_ptr_tko: an undefined value is stored to parameter 3 (1xi32)
      %quotient = divi %sum, %count signed : tile<i32>
      yield %quotient : tile<i32>
    } else {
      yield %zero : tile<i32>
    }
    %t = store_ptr_tko weak %out, %mean : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0]
  entry @fixed(%sum: tile<i32>, %count: tile<i32>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %is_empty = cmpi equal %count, %zero, signed : tile<i32> -> tile<i1>
    %mean = if %is_empty -> (tile<i32>) {
      yield %zero : tile<i32>
    } else {
      %quotient = divi %sum, %count signed : tile<i32>
      yield %quotient : tile<i32>
    }
    %t = store_ptr_tko weak %out, %mean : tile<ptr<i32>>, tile<i32> -> token
  }
}
