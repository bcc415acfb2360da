// A scratch row of four elements, of which two are written, is printed whole.
// RUN: %pair --grid 1 | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug() {
    %i = iota : tile<4xi32>
    %two = constant <i32: 2> : tile<4xi32>
    %is_written = cmpi less_than %i, %two, signed : tile<4xi32> -> tile<4xi1>
    %row = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>
    %row1 = reshape %row : tile<ptr<i32>> -> tile<1xptr<i32>>
    %rows = broadcast %row1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %at = offset %rows, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t0 = store_ptr_tko weak %at, %i, %is_written : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
    %v, %t1 = load_ptr_tko weak %at token=%t0 : tile<4xptr<i32>> -> tile<4xi32>, token
    // CHECK: print.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): print_tko: argument 0 is undefined, element [2] [undefined]
    // CHECK-NEXT: print.mlir:[[#@LINE-2]]:{{.*}} note: undefined from here: load_ptr_tko: {{.*}}reads memory that was never written
    %t2 = print_tko "row %d\n", %v token=%t1 : tile<4xi32> -> token
  }

  // CHECK: fixed:
  // CHECK: row [0, 1, 2, 3]
  entry @fixed() {
    %i = iota : tile<4xi32>
    %row = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>
    %row1 = reshape %row : tile<ptr<i32>> -> tile<1xptr<i32>>
    %rows = broadcast %row1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %at = offset %rows, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t0 = store_ptr_tko weak %at, %i : tile<4xptr<i32>>, tile<4xi32> -> token
    %v, %t1 = load_ptr_tko weak %at token=%t0 : tile<4xptr<i32>> -> tile<4xi32>, token
    %t2 = print_tko "row %d\n", %v token=%t1 : tile<4xi32> -> token
  }
}
