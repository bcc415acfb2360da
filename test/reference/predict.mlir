// Races of other schedules are found from one run with the default schedule, each with a schedule
// that repeats it.

// In program order, the atomics order the stores to %x: block 0 is first. If block 1 is first, nothing does.
// RUN: not %tilewright run %s --entry hidden_race --grid 2 --arg "i32[0]" --arg "i32[0],print" --check all --report json=%t.json --report sarif=%t.sarif 2>&1 | FileCheck %s
// CHECK: predict.mlir:[[#@LINE+53]]:{{.*}} error: block (1, 0, 0): store_ptr_tko: race on parameter 2 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
// CHECK: note: the earlier access: store_ptr_tko by block (0, 0, 0)
// CHECK: note: in the schedule replay:0:1,1:2
// CHECK: 1 finding; besides the schedule 'program', {{[0-9]+}} other schedule{{s?}}
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "schedule": "replay:0:1,1:2"
// JSON: "predicted": {
// JSON-NEXT: "limit": null
// JSON: "schedule": "program"
// RUN: FileCheck %s --check-prefix=SARIF < %t.sarif
// SARIF: "schedule": "replay:0:1,1:2"

// That schedule has the race.
// RUN: not %tilewright run %s --entry hidden_race --grid 2 --arg "i32[0]" --arg "i32[0]" --schedule replay:0:1,1:2 2>&1 | FileCheck %s --check-prefix=REPLAY
// REPLAY: race on parameter 2 (1xi32)[0]
// REPLAY: 1 finding in the schedule 'replay:0:1,1:2'. Other schedules were not checked for races.

// A lock protects %x in all schedules. The arrays have the results of the given schedule.
// RUN: %tilewright run %s --entry lock --grid 3 --arg "i32[0]" --arg "i32[0],print" --check all > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=LOCK < %t.out
// LOCK: [12]
// RUN: FileCheck %s --check-prefix=NOTE --match-full-lines < %t.err
// NOTE: note: the tile blocks synchronise, and {{[1-9][0-9]*}} other schedules were checked for races{{( \(the limit of operations was reached\))?}}; for more: try --schedule random, or --schedule exhaustive for small kernels

// Block 2 stores 2, then block 1 stores 21.
// RUN: %tilewright run %s --entry lock --grid 3 --arg "i32[0]" --arg "i32[0],print" --schedule replay:2,1 | FileCheck %s --check-prefix=ORDER
// ORDER: [210]

// A schedule that does not fit the launch is an error, and so is another text.
// RUN: not %tilewright run %s --entry lock --grid 3 --arg "i32[0]" --arg "i32[0]" --schedule replay:3:1 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: the schedule cannot be followed at its step '3:1': the grid has 3 blocks, numbered from 0
// RUN: not %tilewright run %s --entry lock --grid 3 --arg "i32[0]" --arg "i32[0]" --schedule replay:1:9 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: the schedule cannot be followed at its step '1:9': the block executes 4 memory operations only
// RUN: not %tilewright run %s --entry lock --grid 3 --arg "i32[0]" --arg "i32[0]" --schedule replay:1,1:5 2>&1 | FileCheck %s --check-prefix=ENDED
// ENDED: the schedule cannot be followed at its step '1:5': the block has ended before
// RUN: not %tilewright run %s --entry lock --grid 3 --arg "i32[0]" --arg "i32[0]" --schedule replay:x 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: the schedule 'replay:x': expected BLOCK:OPERATION or BLOCK, but got 'x'

cuda_tile.module @m {
  entry @hidden_race(%lock: tile<ptr<i32>>, %x: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %is0 = cmpi equal %bx, %c0, signed : tile<i32> -> tile<i1>
    %t0 = make_token : token
    %s0 = if %is0 -> (token) {
      %s = store_ptr_tko weak %x, %c1 token=%t0 : tile<ptr<i32>>, tile<i32> -> token
      yield %s : token
    } else {
      yield %t0 : token
    }
    %o, %t = atomic_rmw_tko acq_rel device %lock, add, %c1 token=%s0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    if %is0 { } else {
      %s = store_ptr_tko weak %x, %c0 token=%t : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // x := 10 * x + block
  entry @lock(%lock: tile<ptr<i32>>, %x: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c10 = constant <i32: 10> : tile<i32>
    %t0 = make_token : token
    %in = loop iter_values(%tk = %t0) : token -> token {
      %was, %ct = atomic_cas_tko acquire device %lock, %c0, %c1 token=%tk : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %mine = cmpi equal %was, %c0, signed : tile<i32> -> tile<i1>
      if %mine { break %ct : token }
      continue %ct : token
    }
    %old, %lt = load_ptr_tko weak %x token=%in : tile<ptr<i32>> -> tile<i32>, token
    %tens = muli %old, %c10 : tile<i32>
    %new = addi %tens, %bx : tile<i32>
    %st = store_ptr_tko weak %x, %new token=%lt : tile<ptr<i32>>, tile<i32> -> token
    %gone, %ut = atomic_rmw_tko release device %lock, xchg, %c0 token=%st : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
