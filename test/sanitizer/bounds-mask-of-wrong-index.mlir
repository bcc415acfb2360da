// The mask compares the position in the tile with the extent, where the position in the array
// was meant: it is true everywhere.
// RUN: %pair --grid 2 --arg 6 --arg "zeros(6xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%n: tile<i32>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %extent = constant <i32: 4> : tile<i32>
    %first = muli %x, %extent : tile<i32>
    %first1 = reshape %first : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<4xi32>
    %lane = iota : tile<4xi32>
    %i = addi %firsts, %lane : tile<4xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %inside = cmpi less_than %lane, %ns, signed : tile<4xi32> -> tile<4xi1>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    // CHECK: wrong-index.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): store_ptr_tko: element [2]: address 0x{{.*}} lies in no allocation:
    // CHECK-SAME: just past the end of parameter 2 (6xi32), 24 bytes at 0x{{.*}} [bounds]
    %t = store_ptr_tko weak %to, %i, %inside : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }

  // CHECK: fixed:
  // CHECK: [0 1 2 3 4 5]
  entry @fixed(%n: tile<i32>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %extent = constant <i32: 4> : tile<i32>
    %first = muli %x, %extent : tile<i32>
    %first1 = reshape %first : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<4xi32>
    %lane = iota : tile<4xi32>
    %i = addi %firsts, %lane : tile<4xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %inside = cmpi less_than %i, %ns, signed : tile<4xi32> -> tile<4xi1>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko weak %to, %i, %inside : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }
}
