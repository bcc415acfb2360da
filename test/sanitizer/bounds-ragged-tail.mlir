// Tiles of four over six elements: the second tile reaches past the end, and nothing masks it.
// RUN: %pair --grid 2 --arg "i32[1, 2, 3, 4, 5, 6]" --arg 6 --arg "zeros(6xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %extent = constant <i32: 4> : tile<i32>
    %first = muli %x, %extent : tile<i32>
    %first1 = reshape %first : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<4xi32>
    %lane = iota : tile<4xi32>
    %i = addi %firsts, %lane : tile<4xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    // CHECK: tail.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: element [2]: address 0x{{.*}} lies in no allocation:
    // CHECK-SAME: just past the end of parameter 1 (6xi32), 24 bytes at 0x{{.*}} [bounds]
    %v, %t0 = load_ptr_tko weak %from : tile<4xptr<i32>> -> tile<4xi32>, token
    %square = muli %v, %v : tile<4xi32>
    // The launch goes on, and shows the other place that forgets the end.
    // CHECK: tail.mlir:[[#@LINE+1]]:{{.*}} error: block (1, 0, 0): store_ptr_tko: element [2]: {{.*}} just past the end of parameter 3 (6xi32), 24 bytes at 0x{{.*}} [bounds]
    %t1 = store_ptr_tko weak %to, %square : tile<4xptr<i32>>, tile<4xi32> -> token
  }

  // CHECK: fixed:
  // CHECK: [ 1  4  9 16 25 36]
  entry @fixed(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
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
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ins = broadcast %in1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %from = offset %ins, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t0 = load_ptr_tko weak %from, %inside : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token
    %square = muli %v, %v : tile<4xi32>
    %t1 = store_ptr_tko weak %to, %square, %inside : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }
}
