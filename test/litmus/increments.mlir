// RUN: %tilewright run %s --entry add3 --grid 2 --arg "i32[0]" --schedule exhaustive | FileCheck %s --check-prefix=TWO_3
// RUN: %tilewright run %s --entry add4 --grid 2 --arg "i32[0]" --schedule exhaustive | FileCheck %s --check-prefix=TWO_4
// RUN: %tilewright run %s --entry add3 --grid 3 --arg "i32[0]" --schedule exhaustive | FileCheck %s --check-prefix=THREE_3
// Blocks that each add one several times, in the order of a token. An execution is an order of all
// these atomics that keeps each block's: (n * k)! / (k!)^n of them for n blocks that add k times.
// TWO_3: 20 executions, 1 outcome
// TWO_3-NEXT: outcome 1: parameter 1 (1xi32)[0] = 6;
// TWO_4: 70 executions, 1 outcome
// TWO_4-NEXT: outcome 1: parameter 1 (1xi32)[0] = 8;
// THREE_3: 1680 executions, 1 outcome
// THREE_3-NEXT: outcome 1: parameter 1 (1xi32)[0] = 9;

cuda_tile.module @increments {
  entry @add3(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %t0 = make_token : token
    %o0, %t1 = atomic_rmw_tko relaxed device %x, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o1, %t2 = atomic_rmw_tko relaxed device %x, add, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o2, %t3 = atomic_rmw_tko relaxed device %x, add, %one token=%t2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
  entry @add4(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %t0 = make_token : token
    %o0, %t1 = atomic_rmw_tko relaxed device %x, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o1, %t2 = atomic_rmw_tko relaxed device %x, add, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o2, %t3 = atomic_rmw_tko relaxed device %x, add, %one token=%t2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o3, %t4 = atomic_rmw_tko relaxed device %x, add, %one token=%t3 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
  entry @add6(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %t0 = make_token : token
    %o0, %t1 = atomic_rmw_tko relaxed device %x, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o1, %t2 = atomic_rmw_tko relaxed device %x, add, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o2, %t3 = atomic_rmw_tko relaxed device %x, add, %one token=%t2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o3, %t4 = atomic_rmw_tko relaxed device %x, add, %one token=%t3 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o4, %t5 = atomic_rmw_tko relaxed device %x, add, %one token=%t4 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %o5, %t6 = atomic_rmw_tko relaxed device %x, add, %one token=%t5 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
