// The least integer divided by -1 is one more than the greatest.
// RUN: %pair --grid 1 --arg -2147483648 --arg -1 | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%dividend: tile<i32>, %divisor: tile<i32>) {
    // CHECK: overflow.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): divi: -2147483648 by -1 has no result [division]
    // CHECK-NEXT: overflow.mlir:[[#@LINE+2]]:{{.*}} note: used here: print_tko: argument 0 is undefined
    %quotient = divi %dividend, %divisor signed : tile<i32>
    %t = print_tko "%d\n", %quotient : tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: 2147483648
  entry @fixed(%dividend: tile<i32>, %divisor: tile<i32>) {
    %a = exti %dividend signed : tile<i32> -> tile<i64>
    %b = exti %divisor signed : tile<i32> -> tile<i64>
    %quotient = divi %a, %b signed : tile<i64>
    %t = print_tko "%lld\n", %quotient : tile<i64> -> token
  }
}
