// A trace under a random schedule says of a token whether what it waits for has been performed.
// RUN: %tilewright run %s --grid 1 --arg "zeros(1xi32)" --schedule random --trace --trace-op store_ptr_tko,load_ptr_tko,addi 2>&1 | FileCheck %s

// The sum needs what was loaded, and the load waits for the store: both are performed by then.
// CHECK: store_ptr_tko performs; writes parameter 1 (1xi32)[0], 1 element
// CHECK: load_ptr_tko performs; reads parameter 1 (1xi32)[0], 1 element
// CHECK: addi(%result = i32 7,
// CHECK: store_ptr_tko({{.*}}, %result_token = token 1.2) ->
cuda_tile.module @trace {
  entry @trace(%p: tile<ptr<i32>>) {
    %seven = constant <i32: 7> : tile<i32>
    %s = store_ptr_tko weak %p, %seven : tile<ptr<i32>>, tile<i32> -> token
    %v, %l = load_ptr_tko weak %p token=%s : tile<ptr<i32>> -> tile<i32>, token
    %sum = addi %v, %v : tile<i32>
    %t = store_ptr_tko weak %p, %sum token=%l : tile<ptr<i32>>, tile<i32> -> token
  }
}
