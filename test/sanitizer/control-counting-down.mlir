// A loop that counts down: steps are positive, so that one has to count up and subtract.
// RUN: %pair --grid 1 --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %last = constant <i32: 3> : tile<i32>
    %end = constant <i32: -1> : tile<i32>
    %step = constant <i32: -1> : tile<i32>
    // CHECK: down.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): for: the step must be positive, but is -1 [control]
    for %i in (%last to %end, step %step) : tile<i32> {
      %to = offset %out, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %to, %i : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [0 1 2 3]
  entry @fixed(%out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %last = constant <i32: 3> : tile<i32>
    %count = constant <i32: 4> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    for %k in (%zero to %count, step %step) : tile<i32> {
      %i = subi %last, %k : tile<i32>
      %to = offset %out, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %to, %i : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
