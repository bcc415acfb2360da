// Each turn of a loop adds to an element, load before store; but no token leads from one turn to
// the next (memory model, 9).
// RUN: %pair --grid 1 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%sum: tile<ptr<i32>>) {
    %from = constant <i32: 0> : tile<i32>
    %to = constant <i32: 4> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    for %i in (%from to %to, step %step) : tile<i32> {
      // CHECK: forgotten.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: race on parameter 1 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): {{.*}} [race]
      // CHECK-NEXT: forgotten.mlir:[[#@LINE+5]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
      %s, %loaded = load_ptr_tko weak %sum : tile<ptr<i32>> -> tile<i32>, token
      %more = addi %s, %i : tile<i32>
      // CHECK: forgotten.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): store_ptr_tko: race on parameter 1 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): {{.*}} [race]
      // CHECK-NEXT: forgotten.mlir:[[#@LINE+1]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
      %stored = store_ptr_tko weak %sum, %more token=%loaded : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [6]
  entry @fixed(%sum: tile<ptr<i32>>) {
    %from = constant <i32: 0> : tile<i32>
    %to = constant <i32: 4> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %start = make_token : token
    %end = for %i in (%from to %to, step %step) : tile<i32> iter_values(%before = %start) -> (token) {
      %s, %loaded = load_ptr_tko weak %sum token=%before : tile<ptr<i32>> -> tile<i32>, token
      %more = addi %s, %i : tile<i32>
      %stored = store_ptr_tko weak %sum, %more token=%loaded : tile<ptr<i32>>, tile<i32> -> token
      continue %stored : token
    }
  }
}
