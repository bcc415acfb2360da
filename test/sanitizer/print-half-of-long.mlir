// A 64-bit integer needs a length, `ll`: without it half of the number is lost.
// RUN: %pair --grid 1 --arg "i64[4294967297]" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i64>>) {
    %v, %t0 = load_ptr_tko weak %in : tile<ptr<i64>> -> tile<i64>, token
    // CHECK: of-long.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): print_tko: '%d' does not fit elements of type i64 [print]
    %t1 = print_tko "%d\n", %v token=%t0 : tile<i64> -> token
  }

  // CHECK: fixed:
  // CHECK: 4294967297
  entry @fixed(%in: tile<ptr<i64>>) {
    %v, %t0 = load_ptr_tko weak %in : tile<ptr<i64>> -> tile<i64>, token
    %t1 = print_tko "%lld\n", %v token=%t0 : tile<i64> -> token
  }
}
