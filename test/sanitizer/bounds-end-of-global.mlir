// Linear interpolation between neighbours in a table looks at one entry more than there are
// intervals.
// RUN: %pair --grid 2 --arg "zeros(2xf32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  global private constant @short <f32: [0.0, 1.0]> : tile<2xf32>
  global private constant @long <f32: [0.0, 1.0, 4.0, 9.0]> : tile<4xf32>

  entry @bug(%out: tile<ptr<f32>>) {
    %i, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %half = constant <f32: 0.5> : tile<f32>
    %table = get_global @short : tile<ptr<f32>>
    %at = offset %table, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %next = offset %at, %one : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %a, %t0 = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
    // CHECK: global.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: address 0x{{.*}} lies in no allocation:
    // CHECK-SAME: just past the end of global @short, 8 bytes at 0x{{.*}} [bounds]
    %b, %t1 = load_ptr_tko weak %next : tile<ptr<f32>> -> tile<f32>, token
    %sum = addf %a, %b : tile<f32>
    %middle = mulf %sum, %half : tile<f32>
    %to = offset %out, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %t2 = store_ptr_tko weak %to, %middle : tile<ptr<f32>>, tile<f32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0.5 2.5]
  entry @fixed(%out: tile<ptr<f32>>) {
    %i, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %half = constant <f32: 0.5> : tile<f32>
    %table = get_global @long : tile<ptr<f32>>
    %at = offset %table, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %next = offset %at, %one : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %a, %t0 = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
    %b, %t1 = load_ptr_tko weak %next : tile<ptr<f32>> -> tile<f32>, token
    %sum = addf %a, %b : tile<f32>
    %middle = mulf %sum, %half : tile<f32>
    %to = offset %out, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %t2 = store_ptr_tko weak %to, %middle : tile<ptr<f32>>, tile<f32> -> token
  }
}
