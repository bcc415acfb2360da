// A store and a load of the same element, one after the other in the text only: without a token
// nothing orders them (memory model, 5).
// RUN: %pair --grid 1 --arg "i32[0]" --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%cell: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %v = constant <i32: 7> : tile<i32>
    %stored = store_ptr_tko weak %cell, %v : tile<ptr<i32>>, tile<i32> -> token
    // CHECK: forgotten.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: race on parameter 1 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
    // CHECK-NEXT: forgotten.mlir:[[#@LINE-2]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
    %r, %loaded = load_ptr_tko weak %cell : tile<ptr<i32>> -> tile<i32>, token
    %t = store_ptr_tko weak %out, %r : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [7]
  entry @fixed(%cell: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %v = constant <i32: 7> : tile<i32>
    %stored = store_ptr_tko weak %cell, %v : tile<ptr<i32>>, tile<i32> -> token
    %r, %loaded = load_ptr_tko weak %cell token=%stored : tile<ptr<i32>> -> tile<i32>, token
    %t = store_ptr_tko weak %out, %r : tile<ptr<i32>>, tile<i32> -> token
  }
}
