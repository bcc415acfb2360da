// Every block adds its element to one sum, by load, addition and store.
// RUN: %pair --grid 3 --arg "f32[1, 2, 4]" --arg "zeros(1xf32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>, %sum: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %at = offset %in, %x : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t0 = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
    // CHECK: accumulation.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: race on parameter 2 (1xf32)[0] with store_ptr_tko by block (0, 0, 0): {{.*}} [race]
    // CHECK-NEXT: accumulation.mlir:[[#@LINE+5]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
    %s, %t1 = load_ptr_tko weak %sum : tile<ptr<f32>> -> tile<f32>, token
    %more = addf %s, %v : tile<f32>
    // CHECK: accumulation.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): store_ptr_tko: race on parameter 2 (1xf32)[0] with store_ptr_tko by block (0, 0, 0): {{.*}} [race]
    // CHECK-NEXT: accumulation.mlir:[[#@LINE+1]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
    %t2 = store_ptr_tko weak %sum, %more token=%t1 : tile<ptr<f32>>, tile<f32> -> token
  }

  // CHECK: fixed:
  // CHECK: [7]
  entry @fixed(%in: tile<ptr<f32>>, %sum: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %at = offset %in, %x : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t0 = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
    %old, %t1 = atomic_rmw_tko relaxed device %sum, addf, %v : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}
