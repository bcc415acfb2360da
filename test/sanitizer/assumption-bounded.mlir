// The kernel assumes that the difference of two lengths is not negative.
// RUN: %pair --grid 1 --arg 3 --arg 5 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%length: tile<i32>, %skipped: tile<i32>, %out: tile<ptr<i32>>) {
    %left = subi %length, %skipped : tile<i32>
    // CHECK: bounded.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): assume: the assumption is false: -2 is less than 0 [assumption]
    %count = assume bounded<0, ?>, %left : tile<i32>
    %t = store_ptr_tko weak %out, %count : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0]
  entry @fixed(%length: tile<i32>, %skipped: tile<i32>, %out: tile<ptr<i32>>) {
    %left = subi %length, %skipped : tile<i32>
    %none = constant <i32: 0> : tile<i32>
    %clamped = maxi %left, %none signed : tile<i32>
    %count = assume bounded<0, ?>, %clamped : tile<i32>
    %t = store_ptr_tko weak %out, %count : tile<ptr<i32>>, tile<i32> -> token
  }
}
