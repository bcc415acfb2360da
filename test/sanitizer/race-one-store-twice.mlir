// A reduced row is written back by all lanes of the row: eight elements of one weak store go to
// one address (memory model, 9).
// RUN: %pair --grid 1 --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %v = constant <i32: 5> : tile<8xi32>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %to = broadcast %out1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    // CHECK: store-twice.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): store_ptr_tko: element [1]: race on parameter 1 (1xi32)[0] with another element of the same operation, which is weak [race]
    %t = store_ptr_tko weak %to, %v : tile<8xptr<i32>>, tile<8xi32> -> token
  }

  // CHECK: fixed:
  // CHECK: [5]
  entry @fixed(%out: tile<ptr<i32>>) {
    %v = constant <i32: 5> : tile<8xi32>
    %lane = iota : tile<8xi32>
    %first = constant <i32: 0> : tile<8xi32>
    %is_first = cmpi equal %lane, %first, signed : tile<8xi32> -> tile<8xi1>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %to = broadcast %out1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %t = store_ptr_tko weak %to, %v, %is_first : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> token
  }
}
