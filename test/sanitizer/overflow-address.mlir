// A byte offset of more than 2 GiB in 32 bits, with the promise that it fits. What is wrong is the
// promise, so the report is about it; the use of the address is why it matters.
// RUN: %pair --grid 1 --arg "i32[7]" --arg 2000000000 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %distance: tile<i32>, %out: tile<ptr<i32>>) {
    // CHECK: address.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): addi: 2000000000 and 2000000000 violate the assumption 'no_signed_wrap' [overflow]
    // CHECK-NEXT: address.mlir:[[#@LINE+4]]:{{.*}} note: used here: load_ptr_tko: the address is undefined
    %far = addi %distance, %distance overflow<no_signed_wrap> : tile<i32>
    %back = subi %far, %far : tile<i32>
    %from = offset %in, %back : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %from : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [7]
  entry @fixed(%in: tile<ptr<i32>>, %distance: tile<i32>, %out: tile<ptr<i32>>) {
    %wide = exti %distance signed : tile<i32> -> tile<i64>
    %far = addi %wide, %wide overflow<no_signed_wrap> : tile<i64>
    %back = subi %far, %far : tile<i64>
    %from = offset %in, %back : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %from : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
