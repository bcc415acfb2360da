// A byte looks up a table of 256 entries. Offsets are read signed (operations, 4.9), so that
// bytes from 0x80 on look in front of the table.
// RUN: %pair --grid 1 --arg "i8[1, 127, 200, 255]" --arg "iota(256xi32)" --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%bytes: tile<ptr<i8>>, %table: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %bytes1 = reshape %bytes : tile<ptr<i8>> -> tile<1xptr<i8>>
    %bytess = broadcast %bytes1 : tile<1xptr<i8>> -> tile<4xptr<i8>>
    %from = offset %bytess, %i : tile<4xptr<i8>>, tile<4xi32> -> tile<4xptr<i8>>
    %byte, %t0 = load_ptr_tko weak %from : tile<4xptr<i8>> -> tile<4xi8>, token
    %table1 = reshape %table : tile<ptr<i32>> -> tile<1xptr<i32>>
    %tables = broadcast %table1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %entry = offset %tables, %byte : tile<4xptr<i32>>, tile<4xi8> -> tile<4xptr<i32>>
    // CHECK: byte-index.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): load_ptr_tko: element [2]: address 0x{{.*}} lies in no allocation:
    // CHECK-SAME: 224 bytes in front of parameter 2 (256xi32), 1024 bytes at 0x{{.*}} [bounds]
    %v, %t1 = load_ptr_tko weak %entry : tile<4xptr<i32>> -> tile<4xi32>, token
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t2 = store_ptr_tko weak %to, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  }

  // CHECK: fixed:
  // CHECK: [  1 127 200 255]
  entry @fixed(%bytes: tile<ptr<i8>>, %table: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %bytes1 = reshape %bytes : tile<ptr<i8>> -> tile<1xptr<i8>>
    %bytess = broadcast %bytes1 : tile<1xptr<i8>> -> tile<4xptr<i8>>
    %from = offset %bytess, %i : tile<4xptr<i8>>, tile<4xi32> -> tile<4xptr<i8>>
    %byte, %t0 = load_ptr_tko weak %from : tile<4xptr<i8>> -> tile<4xi8>, token
    %index = exti %byte unsigned : tile<4xi8> -> tile<4xi32>
    %table1 = reshape %table : tile<ptr<i32>> -> tile<1xptr<i32>>
    %tables = broadcast %table1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %entry = offset %tables, %index : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t1 = load_ptr_tko weak %entry : tile<4xptr<i32>> -> tile<4xi32>, token
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t2 = store_ptr_tko weak %to, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  }
}
