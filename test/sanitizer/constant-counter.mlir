// A counter of the module was declared together with its tables, as `constant`.
// RUN: %pair --grid 3 --arg "zeros(3xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  global private constant @frozen <i32: 0> : tile<1xi32>
  global private @counter <i32: 0> : tile<1xi32>

  entry @bug(%out: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %counter = get_global @frozen : tile<ptr<i32>>
    // CHECK: counter.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): atomic_rmw_tko: address 0x{{.*}} lies in constant global @frozen, which must not be written [constant]
    %ticket, %t0 = atomic_rmw_tko relaxed device %counter, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %to = offset %out, %ticket : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    // Without numbers of their own, all blocks write one element.
    // CHECK: counter.mlir:[[#@LINE+1]]:{{.*}} error: block (1, 0, 0): store_ptr_tko: race on parameter 1 (3xi32)[0]
    %t1 = store_ptr_tko weak %to, %one : tile<ptr<i32>>, tile<i32> -> token
  }

  // Every block draws a number of its own.
  // CHECK: fixed:
  // CHECK: [1 1 1]
  entry @fixed(%out: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %counter = get_global @counter : tile<ptr<i32>>
    %ticket, %t0 = atomic_rmw_tko relaxed device %counter, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %to = offset %out, %ticket : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t1 = store_ptr_tko weak %to, %one : tile<ptr<i32>>, tile<i32> -> token
  }
}
