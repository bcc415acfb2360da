// A grid-stride loop whose step is grid / 2: a grid of one makes it zero (operations, 5.2).
// RUN: %pair --grid 1 --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %blocks, %by, %bz = get_num_tile_blocks : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %end = constant <i32: 4> : tile<i32>
    %step = shri %blocks, %one unsigned : tile<i32>
    // CHECK: step-zero.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): for: the step must be positive, but is 0 [control]
    for %i in (%x to %end, step %step) : tile<i32> {
      %to = offset %out, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %to, %i : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [0 1 2 3]
  entry @fixed(%out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %blocks, %by, %bz = get_num_tile_blocks : tile<i32>
    %end = constant <i32: 4> : tile<i32>
    for %i in (%x to %end, step %blocks) : tile<i32> {
      %to = offset %out, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %to, %i : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
