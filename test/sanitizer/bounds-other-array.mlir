// The pitch of a matrix is taken for bytes, and its second row of four elements looked for 1 MiB and
// 256 bytes on: where another array may begin, if arrays lie side by side.
// RUN: %pair --grid 1 --arg "iota(8xi32)" --arg "iota(64xi32)" --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %other: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %pitch = constant <i32: 262208> : tile<i32>
    %row = offset %in, %pitch : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    // CHECK: array.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: address 0x{{.*}} lies in no allocation: {{.*}}parameter 1 (8xi32){{.*}} [bounds]
    %v, %t0 = load_ptr_tko weak %row : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [4 0 0 0]
  entry @fixed(%in: tile<ptr<i32>>, %other: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %pitch = constant <i32: 4> : tile<i32>
    %row = offset %in, %pitch : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %row : tile<ptr<i32>> -> tile<i32>, token
    %t1 = store_ptr_tko weak %out, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
