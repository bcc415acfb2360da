// row * columns of a large matrix, promised to fit 32 bits both ways: 50000 * 50000 does as
// unsigned, but not as signed.
// RUN: %pair --grid 1 --arg 50000 --arg 50000 --arg "zeros(1xi64),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%row: tile<i32>, %columns: tile<i32>, %out: tile<ptr<i64>>) {
    // CHECK: linear-index.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): muli: 50000 and 50000 violate the assumption 'no_wrap' [overflow]
    // CHECK-NEXT: linear-index.mlir:[[#@LINE+3]]:{{.*}} note: used here: store_ptr_tko: an undefined value is stored to parameter 3 (1xi64)
    %linear = muli %row, %columns overflow<no_wrap> : tile<i32>
    %wide = exti %linear unsigned : tile<i32> -> tile<i64>
    %t = store_ptr_tko weak %out, %wide : tile<ptr<i64>>, tile<i64> -> token
  }

  // CHECK: fixed:
  // CHECK: [2500000000]
  entry @fixed(%row: tile<i32>, %columns: tile<i32>, %out: tile<ptr<i64>>) {
    %linear = muli %row, %columns overflow<no_unsigned_wrap> : tile<i32>
    %wide = exti %linear unsigned : tile<i32> -> tile<i64>
    %t = store_ptr_tko weak %out, %wide : tile<ptr<i64>>, tile<i64> -> token
  }
}
