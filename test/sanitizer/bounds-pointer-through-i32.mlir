// An address has 64 bits. One that is kept in 32 loses its upper half.
// RUN: %pair --grid 1 --arg "zeros(2xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %wide = ptr_to_int %out : tile<ptr<i32>> -> tile<i64>
    %narrow = trunci %wide : tile<i64> -> tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %next = addi %narrow, %four : tile<i32>
    %address = exti %next unsigned : tile<i32> -> tile<i64>
    %to = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
    // CHECK: through-i32.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): store_ptr_tko: address 0x4 lies in no allocation: {{.*}} [bounds]
    %t = store_ptr_tko weak %to, %four : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 4]
  entry @fixed(%out: tile<ptr<i32>>) {
    %wide = ptr_to_int %out : tile<ptr<i32>> -> tile<i64>
    %distance = constant <i64: 4> : tile<i64>
    %address = addi %wide, %distance : tile<i64>
    %to = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
    %four = constant <i32: 4> : tile<i32>
    %t = store_ptr_tko weak %to, %four : tile<ptr<i32>>, tile<i32> -> token
  }
}
