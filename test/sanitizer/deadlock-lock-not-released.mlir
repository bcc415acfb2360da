// Blocks count under a lock. Who finds that the limit is reached does not count, and forgets to give
// the lock back: all others go on exchanging 1 for 1, for ever. What they count is right until then.
// RUN: %pair --status=1 --grid 5 --arg "i32[0]" --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%lock: tile<ptr<i32>>, %count: tile<ptr<i32>>) {
    %free = constant <i32: 0> : tile<i32>
    %held = constant <i32: 1> : tile<i32>
    %limit = constant <i32: 2> : tile<i32>
    %start = make_token : token
    %in = loop iter_values(%before = %start) : token -> token {
      // CHECK: not-released.mlir:[[#@LINE+2]]:{{.*}} error: block (3, 0, 0): waits for ever: all 2 blocks that are left wait, and nothing that they repeat changes memory [deadlock]
      // CHECK-NEXT: not-released.mlir:[[#@LINE+1]]:{{.*}} note: waits here: atomic_rmw_tko reads parameter 1 (1xi32)[0], which is 1, and so does 1 other block
      %was, %after = atomic_rmw_tko acquire device %lock, xchg, %held token=%before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %is_mine = cmpi equal %was, %free, signed : tile<i32> -> tile<i1>
      if %is_mine { break %after : token }
      continue %after : token
    }
    %c, %loaded = load_ptr_tko weak %count token=%in : tile<ptr<i32>> -> tile<i32>, token
    %may = cmpi less_than %c, %limit, signed : tile<i32> -> tile<i1>
    if %may {
      %more = addi %c, %held : tile<i32>
      %stored = store_ptr_tko weak %count, %more token=%loaded : tile<ptr<i32>>, tile<i32> -> token
      %was_held, %out = atomic_rmw_tko release device %lock, xchg, %free token=%stored : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    }
  }

  // CHECK: fixed:
  // CHECK: [2]
  entry @fixed(%lock: tile<ptr<i32>>, %count: tile<ptr<i32>>) {
    %free = constant <i32: 0> : tile<i32>
    %held = constant <i32: 1> : tile<i32>
    %limit = constant <i32: 2> : tile<i32>
    %start = make_token : token
    %in = loop iter_values(%before = %start) : token -> token {
      %was, %after = atomic_rmw_tko acquire device %lock, xchg, %held token=%before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %is_mine = cmpi equal %was, %free, signed : tile<i32> -> tile<i1>
      if %is_mine { break %after : token }
      continue %after : token
    }
    %c, %loaded = load_ptr_tko weak %count token=%in : tile<ptr<i32>> -> tile<i32>, token
    %may = cmpi less_than %c, %limit, signed : tile<i32> -> tile<i1>
    %done = if %may -> (token) {
      %more = addi %c, %held : tile<i32>
      %stored = store_ptr_tko weak %count, %more token=%loaded : tile<ptr<i32>>, tile<i32> -> token
      yield %stored : token
    } else {
      yield %loaded : token
    }
    %was_held, %out = atomic_rmw_tko release device %lock, xchg, %free token=%done : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
