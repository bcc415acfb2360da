// A running offset, promised not to wrap, does so in the third of four turns. The value is carried
// to the end before anybody uses it.
// RUN: %pair --grid 1 --arg 1000000000 --arg "zeros(1xi64),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%stride: tile<i32>, %out: tile<ptr<i64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %turns = constant <i32: 4> : tile<i32>
    %end = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%at = %zero) -> (tile<i32>) {
      // CHECK: accumulated.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): addi: 2000000000 and 1000000000 violate the assumption 'no_signed_wrap' [overflow]
      // CHECK-NEXT: accumulated.mlir:[[#@LINE+5]]:{{.*}} note: used here: store_ptr_tko: an undefined value is stored to parameter 2 (1xi64)
      %next = addi %at, %stride overflow<no_signed_wrap> : tile<i32>
      continue %next : tile<i32>
    }
    %wide = exti %end signed : tile<i32> -> tile<i64>
    %t = store_ptr_tko weak %out, %wide : tile<ptr<i64>>, tile<i64> -> token
  }

  // CHECK: fixed:
  // CHECK: [4000000000]
  entry @fixed(%stride: tile<i32>, %out: tile<ptr<i64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %turns = constant <i32: 4> : tile<i32>
    %start = constant <i64: 0> : tile<i64>
    %wide = exti %stride signed : tile<i32> -> tile<i64>
    %end = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%at = %start) -> (tile<i64>) {
      %next = addi %at, %wide overflow<no_signed_wrap> : tile<i64>
      continue %next : tile<i64>
    }
    %t = store_ptr_tko weak %out, %end : tile<ptr<i64>>, tile<i64> -> token
  }
}
