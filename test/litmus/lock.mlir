// RUN: %python %S/check.py --tilewright %tilewright --seeds 3 %s
// RUN: %python %S/check.py --tilewright %tilewright --device ptx --seeds 1 %s
// Test 31 of the memory model (section 13) with a lock that waits: every block adds one to a
// counter that only the holder of the lock accesses.
// LITMUS: spin l=U L cas(0,1) acq 0 -> a=R C wk -> W C a+1 wk -> U L :=0 rel ||
// LITMUS: spin m=U L cas(0,1) acq 0 -> b=R C wk -> W C b+1 wk -> U L :=0 rel

cuda_tile.module @litmus {
  entry @add_under_lock(%memory: tile<ptr<i32>>, %registers: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %free = constant <i32: 0> : tile<i32>
    %held = constant <i32: 1> : tile<i32>
    %lock = offset %memory, %held : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t0 = make_token : token
    %in = loop iter_values(%tk = %t0) : token -> token {
      %was, %ct = atomic_cas_tko acquire device %lock, %free, %held token=%tk : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %mine = cmpi equal %was, %free, signed : tile<i32> -> tile<i1>
      if %mine { break %ct : token }
      continue %ct : token
    }
    %c, %lt = load_ptr_tko weak %memory token=%in : tile<ptr<i32>> -> tile<i32>, token
    %c1 = addi %c, %held : tile<i32>
    %wt = store_ptr_tko weak %memory, %c1 token=%lt : tile<ptr<i32>>, tile<i32> -> token
    %gone, %ut = atomic_rmw_tko release device %lock, xchg, %free token=%wt : tile<ptr<i32>>, tile<i32> -> tile<i32>, token

    // Registers: l and a of block 0, m and b of block 1.
    %two = constant <i32: 2> : tile<i32>
    %first = muli %bx, %two : tile<i32>
    %l = offset %registers, %first : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %a = offset %l, %held : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s1 = store_ptr_tko weak %l, %free : tile<ptr<i32>>, tile<i32> -> token
    %s2 = store_ptr_tko weak %a, %c : tile<ptr<i32>>, tile<i32> -> token
  }
}
