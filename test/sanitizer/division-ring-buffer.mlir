// The slot of a ring buffer is a remainder by its capacity, which a caller left at 0.
// RUN: %pair --grid 2 --arg 0 --arg "zeros(2xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%capacity: tile<i32>, %ring: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    // CHECK: ring-buffer.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): remi: 0 by 0 has no result [division]
    // CHECK-NEXT: ring-buffer.mlir:[[#@LINE+3]]:{{.*}} note: used here: store_ptr_tko: the address is undefined
    %slot = remi %x, %capacity unsigned : tile<i32>
    %to = offset %ring, %slot : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %to, %x : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 1]
  entry @fixed(%capacity: tile<i32>, %ring: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %least = constant <i32: 2> : tile<i32>
    %used = maxi %capacity, %least unsigned : tile<i32>
    %slot = remi %x, %used unsigned : tile<i32>
    %to = offset %ring, %slot : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %to, %x : tile<ptr<i32>>, tile<i32> -> token
  }
}
