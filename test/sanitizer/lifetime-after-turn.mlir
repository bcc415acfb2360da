// A partial sum is kept in storage that each turn of a loop allocates anew; the pointer that the
// loop yields leads to storage that ended with the last turn (operations, 7.2).
// RUN: %pair --grid 1 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %from = constant <i32: 0> : tile<i32>
    %to = constant <i32: 3> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %start = make_token : token
    %last, %end = for %i in (%from to %to, step %step) : tile<i32>
        iter_values(%previous = %out, %before = %start) -> (tile<ptr<i32>>, token) {
      %cell = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
      %after = store_ptr_tko weak %cell, %i token=%before : tile<ptr<i32>>, tile<i32> -> token
      continue %cell, %after : tile<ptr<i32>>, token
    }
    // CHECK: after-turn.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: address 0x{{.*}} lies in the alloca at {{.*}}after-turn.mlir:[[#@LINE-4]]:{{.*}}, whose scope has ended [lifetime]
    %v, %t0 = load_ptr_tko weak %last token=%end : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %out, %v token=%t0 : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [2]
  entry @fixed(%out: tile<ptr<i32>>) {
    %from = constant <i32: 0> : tile<i32>
    %to = constant <i32: 3> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %cell = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %start = make_token : token
    %end = for %i in (%from to %to, step %step) : tile<i32> iter_values(%before = %start) -> (token) {
      %after = store_ptr_tko weak %cell, %i token=%before : tile<ptr<i32>>, tile<i32> -> token
      continue %after : token
    }
    %v, %t0 = load_ptr_tko weak %cell token=%end : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %out, %v token=%t0 : tile<ptr<i32>>, tile<i32> -> token
  }
}
