// %d wants an integer (operations, 6.3).
// RUN: %pair --grid 1 --arg "f32[1.5]" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>) {
    %v, %t0 = load_ptr_tko weak %in : tile<ptr<f32>> -> tile<f32>, token
    // CHECK: as-integer.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): print_tko: '%d' does not fit elements of type f32 [print]
    %t1 = print_tko "v = %d\n", %v token=%t0 : tile<f32> -> token
  }

  // CHECK: fixed:
  // CHECK: v = 1.500000
  entry @fixed(%in: tile<ptr<f32>>) {
    %v, %t0 = load_ptr_tko weak %in : tile<ptr<f32>> -> tile<f32>, token
    %t1 = print_tko "v = %f\n", %v token=%t0 : tile<f32> -> token
  }
}
