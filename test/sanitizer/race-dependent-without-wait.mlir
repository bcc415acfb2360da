// A launch that depends on another one may begin before that has ended: without a token from
// gdc_wait_tko its loads race with the stores of the launch before. That these come before
// gdc_launch_dependents_tko makes no difference, which releases nothing (13.4, section 4).
// RUN: %pair --after produce --grid 2 --arg "zeros(2xi32)" --arg "zeros(2xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @produce(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %seven = constant <i32: 7> : tile<i32>
    %v = addi %b, %seven : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %stored = store_ptr_tko weak %at, %v : tile<ptr<i32>>, tile<i32> -> token
    %t = gdc_launch_dependents_tko token = %stored -> token
  }

  entry @bug(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %from = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %to = offset %y, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    // CHECK: without-wait.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: race on parameter 1 (2xi32)[0] with store_ptr_tko by block (0, 0, 0) of the launch before: nothing orders the two, and no token comes here from a gdc_wait_tko [race]
    // CHECK-NEXT: without-wait.mlir:12:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0) of the launch before
    %v, %loaded = load_ptr_tko weak %from : tile<ptr<i32>> -> tile<i32>, token
    %t = store_ptr_tko weak %to, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [7 8]
  entry @fixed(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %from = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %to = offset %y, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %done = gdc_wait_tko -> token
    %v, %loaded = load_ptr_tko weak %from token=%done : tile<ptr<i32>> -> tile<i32>, token
    %t = store_ptr_tko weak %to, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
