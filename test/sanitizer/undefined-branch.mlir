// Whether anything was found is kept in an alloca that only the lucky path writes; the branch
// depends on it all the same.
// RUN: %pair --grid 1 --arg "i32[4]" --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %found = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %in : tile<ptr<i32>> -> tile<i32>, token
    %is_zero = cmpi equal %v, %zero, signed : tile<i32> -> tile<i1>
    %t1 = make_token : token
    %t2 = if %is_zero -> (token) {
      %t = store_ptr_tko weak %found, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> token
      yield %t : token
    } else {
      yield %t1 : token
    }
    %f, %t3 = load_ptr_tko weak %found token=%t2 : tile<ptr<i32>> -> tile<i32>, token
    %was_found = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
    // CHECK: branch.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): if: the condition is undefined [undefined]
    // CHECK-NEXT: branch.mlir:[[#@LINE-3]]:{{.*}} note: undefined from here: load_ptr_tko: {{.*}}reads memory that was never written
    if %was_found {
      %t4 = store_ptr_tko weak %out, %one : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [0]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %found = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %in : tile<ptr<i32>> -> tile<i32>, token
    %is_zero = cmpi equal %v, %zero, signed : tile<i32> -> tile<i1>
    %t1 = store_ptr_tko weak %found, %zero : tile<ptr<i32>>, tile<i32> -> token
    %t2 = if %is_zero -> (token) {
      %t = store_ptr_tko weak %found, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> token
      yield %t : token
    } else {
      yield %t1 : token
    }
    %f, %t3 = load_ptr_tko weak %found token=%t2 : tile<ptr<i32>> -> tile<i32>, token
    %was_found = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
    if %was_found {
      %t4 = store_ptr_tko weak %out, %one : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
