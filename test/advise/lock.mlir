// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 31 with a lock that waits. With relaxed atomics it is test 33, without the tokens to and from the critical section
// test 32: undefined. Attempts to take the lock need no order among themselves: only the successful one matters.
// ADVISE: --grid 2 --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%l: tile<ptr<i32>>, %c: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %t0 = make_token : token
    %in = loop iter_values(%tk = %t0) : token -> token {
      %was, %ct = atomic_cas_tko acquire device %l, %0, %1 token=%tk : tile<ptr<i32>>, tile<i32> -> tile<i32>, token // ordering: needed; scope: needed; token: no token
      %mine = cmpi equal %was, %0, signed : tile<i32> -> tile<i1>
      if %mine { break %ct : token }
      continue %ct : token
    }
    %v, %lt = load_ptr_tko weak %c token=%in : tile<ptr<i32>> -> tile<i32>, token // token: needed
    %n = addi %v, %1 : tile<i32>
    %wt = store_ptr_tko weak %c, %n token=%lt : tile<ptr<i32>>, tile<i32> -> token // token: needed
    %gone, %ut = atomic_rmw_tko release device %l, xchg, %0 token=%wt : tile<ptr<i32>>, tile<i32> -> tile<i32>, token // ordering: needed; scope: needed; token: needed
  }
}
