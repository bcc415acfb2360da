// A sum is accumulated in an alloca that nobody set to zero. The addition itself is harmless; the
// store to an array is not.
// RUN: %pair --grid 1 --arg "f32[1, 2, 4]" --arg "zeros(1xf32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %from = constant <i32: 0> : tile<i32>
    %to = constant <i32: 3> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %sum = alloca num_elem = 1, alignment = 4 : tile<ptr<f32>>
    %start = make_token : token
    %end = for %i in (%from to %to, step %step) : tile<i32> iter_values(%t = %start) -> (token) {
      %at = offset %in, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v, %t0 = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
      %s, %t1 = load_ptr_tko weak %sum token=%t : tile<ptr<f32>> -> tile<f32>, token
      %more = addf %s, %v : tile<f32>
      %t2 = store_ptr_tko weak %sum, %more token=%t1 : tile<ptr<f32>>, tile<f32> -> token
      continue %t2 : token
    }
    %result, %t3 = load_ptr_tko weak %sum token=%end : tile<ptr<f32>> -> tile<f32>, token
    // CHECK: accumulator.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): store_ptr_tko: an undefined value is stored to parameter 2 (1xf32) [undefined]
    // CHECK-NEXT: accumulator.mlir:[[#@LINE-2]]:{{.*}} note: undefined from here: load_ptr_tko: {{.*}}reads memory
    %t4 = store_ptr_tko weak %out, %result : tile<ptr<f32>>, tile<f32> -> token
  }

  // CHECK: fixed:
  // CHECK: [7]
  entry @fixed(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %from = constant <i32: 0> : tile<i32>
    %to = constant <i32: 3> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %sum = alloca num_elem = 1, alignment = 4 : tile<ptr<f32>>
    %nothing = constant <f32: 0.0> : tile<f32>
    %start = store_ptr_tko weak %sum, %nothing : tile<ptr<f32>>, tile<f32> -> token
    %end = for %i in (%from to %to, step %step) : tile<i32> iter_values(%t = %start) -> (token) {
      %at = offset %in, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v, %t0 = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
      %s, %t1 = load_ptr_tko weak %sum token=%t : tile<ptr<f32>> -> tile<f32>, token
      %more = addf %s, %v : tile<f32>
      %t2 = store_ptr_tko weak %sum, %more token=%t1 : tile<ptr<f32>>, tile<f32> -> token
      continue %t2 : token
    }
    %result, %t3 = load_ptr_tko weak %sum token=%end : tile<ptr<f32>> -> tile<f32>, token
    %t4 = store_ptr_tko weak %out, %result : tile<ptr<f32>>, tile<f32> -> token
  }
}
