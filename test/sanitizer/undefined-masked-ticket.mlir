// Each kept element draws a slot from a counter, and all elements are stored to their slots. What
// a disabled element of an atomic returns is not specified (operations, 9.1).
// RUN: %pair --grid 1 --arg "i32[0]" --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%counter: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %odd_bit = andi %i, %one : tile<4xi32>
    %is_odd = cmpi equal %odd_bit, %one, signed : tile<4xi32> -> tile<4xi1>
    %counter1 = reshape %counter : tile<ptr<i32>> -> tile<1xptr<i32>>
    %counters = broadcast %counter1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %slot, %t0 = atomic_rmw_tko relaxed device %counters, add, %one, %is_odd : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %slot : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    // CHECK: ticket.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): store_ptr_tko: element [0]: the address is undefined [undefined]
    // CHECK-NEXT: ticket.mlir:[[#@LINE-5]]:{{.*}} note: undefined from here: atomic_rmw_tko
    %t1 = store_ptr_tko weak %to, %one : tile<4xptr<i32>>, tile<4xi32> -> token
  }

  // CHECK: fixed:
  // CHECK: [1 1 0 0]
  entry @fixed(%counter: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %one = constant <i32: 1> : tile<4xi32>
    %odd_bit = andi %i, %one : tile<4xi32>
    %is_odd = cmpi equal %odd_bit, %one, signed : tile<4xi32> -> tile<4xi1>
    %counter1 = reshape %counter : tile<ptr<i32>> -> tile<1xptr<i32>>
    %counters = broadcast %counter1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %slot, %t0 = atomic_rmw_tko relaxed device %counters, add, %one, %is_odd : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outs = broadcast %out1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %outs, %slot : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t1 = store_ptr_tko weak %to, %one, %is_odd : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  }
}
