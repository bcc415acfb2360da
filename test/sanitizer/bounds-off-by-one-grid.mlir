// A block per element, counted from 1: the first element is left out, and the last block is
// one past the end.
// RUN: %pair --grid 4 --arg "f32[1, 2, 3, 4]" --arg "zeros(4xf32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %i = addi %x, %one : tile<i32>
    %from = offset %in, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %to = offset %out, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    // CHECK: grid.mlir:[[#@LINE+2]]:{{.*}} error: block (3, 0, 0): load_ptr_tko: address 0x{{.*}} lies in no allocation:
    // CHECK-SAME: just past the end of parameter 1 (4xf32), 16 bytes at 0x{{.*}} [bounds]
    %v, %t0 = load_ptr_tko weak %from : tile<ptr<f32>> -> tile<f32>, token
    %double = addf %v, %v : tile<f32>
    // CHECK: grid.mlir:[[#@LINE+1]]:{{.*}} error: block (3, 0, 0): store_ptr_tko: {{.*}} just past the end of parameter 2 (4xf32), 16 bytes at 0x{{.*}} [bounds]
    %t1 = store_ptr_tko weak %to, %double : tile<ptr<f32>>, tile<f32> -> token
  }

  // CHECK: fixed:
  // CHECK: [2 4 6 8]
  entry @fixed(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %i, %y, %z = get_tile_block_id : tile<i32>
    %from = offset %in, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %to = offset %out, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t0 = load_ptr_tko weak %from : tile<ptr<f32>> -> tile<f32>, token
    %double = addf %v, %v : tile<f32>
    %t1 = store_ptr_tko weak %to, %double : tile<ptr<f32>>, tile<f32> -> token
  }
}
