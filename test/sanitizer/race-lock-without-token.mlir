// Blocks count under a lock, which is released after the load, not after the store: the store may
// happen when the lock is free (memory model, 13, test 32).
// RUN: %pair --grid 4 --arg "i32[0]" --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%lock: tile<ptr<i32>>, %count: tile<ptr<i32>>) {
    %free = constant <i32: 0> : tile<i32>
    %held = constant <i32: 1> : tile<i32>
    %start = make_token : token
    %in = loop iter_values(%before = %start) : token -> token {
      %was, %after = atomic_cas_tko acquire device %lock, %free, %held token=%before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %is_mine = cmpi equal %was, %free, signed : tile<i32> -> tile<i1>
      if %is_mine { break %after : token }
      continue %after : token
    }
    // CHECK: lock-without-token.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): load_ptr_tko: race on parameter 2 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
    // CHECK-NEXT: lock-without-token.mlir:[[#@LINE+5]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
    %c, %loaded = load_ptr_tko weak %count token=%in : tile<ptr<i32>> -> tile<i32>, token
    %more = addi %c, %held : tile<i32>
    // CHECK: lock-without-token.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): store_ptr_tko: race on parameter 2 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
    // CHECK-NEXT: lock-without-token.mlir:[[#@LINE+1]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
    %stored = store_ptr_tko weak %count, %more token=%loaded : tile<ptr<i32>>, tile<i32> -> token
    %was_held, %out = atomic_rmw_tko release device %lock, xchg, %free token=%loaded : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }

  // CHECK: fixed:
  // CHECK: [4]
  entry @fixed(%lock: tile<ptr<i32>>, %count: tile<ptr<i32>>) {
    %free = constant <i32: 0> : tile<i32>
    %held = constant <i32: 1> : tile<i32>
    %start = make_token : token
    %in = loop iter_values(%before = %start) : token -> token {
      %was, %after = atomic_cas_tko acquire device %lock, %free, %held token=%before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %is_mine = cmpi equal %was, %free, signed : tile<i32> -> tile<i1>
      if %is_mine { break %after : token }
      continue %after : token
    }
    %c, %loaded = load_ptr_tko weak %count token=%in : tile<ptr<i32>> -> tile<i32>, token
    %more = addi %c, %held : tile<i32>
    %stored = store_ptr_tko weak %count, %more token=%loaded : tile<ptr<i32>>, tile<i32> -> token
    %was_held, %out = atomic_rmw_tko release device %lock, xchg, %free token=%stored : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
