// Blocks count themselves with an atomic, and look at the counter again with an ordinary load.
// RUN: %pair --grid 2 --arg "i32[0]" --arg "zeros(2xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%counter: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    // CHECK: read-weakly.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): atomic_rmw_tko: race on parameter 1 (1xi32)[0] with load_ptr_tko by block (0, 0, 0): nothing orders the two, and the earlier one is weak [race]
    // CHECK-NEXT: read-weakly.mlir:[[#@LINE+4]]:{{.*}} note: the earlier access: load_ptr_tko by block (0, 0, 0)
    %before, %t0 = atomic_rmw_tko relaxed device %counter, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    // CHECK: read-weakly.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: race on parameter 1 (1xi32)[0] with atomic_rmw_tko by block (0, 0, 0): nothing orders the two, and the later one is weak [race]
    // CHECK-NEXT: read-weakly.mlir:[[#@LINE-2]]:{{.*}} note: the earlier access: atomic_rmw_tko by block (0, 0, 0)
    %now, %t1 = load_ptr_tko weak %counter token=%t0 : tile<ptr<i32>> -> tile<i32>, token
    %is_counted = cmpi greater_than_or_equal %now, %one, signed : tile<i32> -> tile<i1>
    %counted = exti %is_counted unsigned : tile<i1> -> tile<i32>
    %to = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t2 = store_ptr_tko weak %to, %counted : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [1 1]
  entry @fixed(%counter: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %before, %t0 = atomic_rmw_tko relaxed device %counter, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %now, %t1 = load_ptr_tko relaxed device %counter token=%t0 : tile<ptr<i32>> -> tile<i32>, token
    %is_counted = cmpi greater_than_or_equal %now, %one, signed : tile<i32> -> tile<i1>
    %counted = exti %is_counted unsigned : tile<i1> -> tile<i32>
    %to = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t2 = store_ptr_tko weak %to, %counted : tile<ptr<i32>>, tile<i32> -> token
  }
}
