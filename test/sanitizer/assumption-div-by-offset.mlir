// The kernel assumes that tile offsets are multiples of 16; with tiles of 8, every other one is not.
// RUN: %pair --grid 2 --arg "iota(16xi32)" --arg "zeros(2xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %extent = constant <i32: 8> : tile<i32>
    %first = muli %x, %extent : tile<i32>
    // CHECK: div-by-offset.mlir:[[#@LINE+1]]:{{.*}} error: block (1, 0, 0): assume: the assumption is false: 8 is not divisible by 16 [assumption]
    %aligned = assume div_by<16>, %first : tile<i32>
    %from = offset %in, %aligned : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %from : tile<ptr<i32>> -> tile<i32>, token
    %to = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t1 = store_ptr_tko weak %to, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 8]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %extent = constant <i32: 8> : tile<i32>
    %first = muli %x, %extent : tile<i32>
    %aligned = assume div_by<8>, %first : tile<i32>
    %from = offset %in, %aligned : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %from : tile<ptr<i32>> -> tile<i32>, token
    %to = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t1 = store_ptr_tko weak %to, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
