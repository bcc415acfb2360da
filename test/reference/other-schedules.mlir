// A clean run says how many other schedules were checked for races, if tile blocks synchronise.
// RUN: %tilewright run %s --device reference --entry flag --grid 2 --arg "i32[0]" --arg "i32[0]" --report json=%t.json --report sarif=%t.sarif 2>&1 | FileCheck %s --match-full-lines
// CHECK: note: the tile blocks synchronise, and 1 other schedule was checked for races; for more: try --schedule random, or --schedule exhaustive for small kernels
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "blocks_synchronise": true
// JSON: "predicted": {
// JSON-NEXT: "limit": null,
// JSON-NEXT: "schedules": 1
// RUN: FileCheck %s --check-prefix=SARIF < %t.sarif
// SARIF: "blocksSynchronise": true

// Only the given schedule is checked if it is not the default one.
// RUN: %tilewright run %s --entry flag --grid 2 --arg "i32[0]" --arg "i32[0]" --schedule random 2>&1 | FileCheck %s --match-full-lines --check-prefix=RANDOM
// RANDOM: note: the tile blocks synchronise, and other schedules were not checked for races: try --schedule random, or --schedule exhaustive for small kernels

// In @hidden_race block 1 happens to come after block 0, and the atomic orders the two stores to %x;
// in the other order of the blocks they race (predict.mlir).
// RUN: not %tilewright run %s --entry hidden_race --grid 2 --arg "i32[0]" --arg "i32[0]" --schedule exhaustive 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: race on parameter 2 (1xi32)[0] with store_ptr_tko by block (0, 0, 0)

// Nothing is said of one block, of atomics of which nobody uses what they read, without the check,
// and when all executions were explored.
// RUN: %tilewright run %s --device reference --entry hidden_race --grid 1 --arg "i32[0]" --arg "i32[0]" --report json=%t.json 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=NONE < %t.json
// NONE: "blocks_synchronise": false
// NONE: "predicted": null
// RUN: %tilewright run %s --device reference --entry count --grid 4 --arg "i32[0]" 2>&1 | count 0
// RUN: %tilewright run %s --device reference --entry hidden_race --grid 2 --arg "i32[0]" --arg "i32[0]" --check no-race 2>&1 | count 0
// RUN: %tilewright run %s --entry flag --grid 2 --arg "i32[0]" --arg "i32[0]" --schedule exhaustive 2>&1 | FileCheck %s --check-prefix=PROVED --implicit-check-not=note
// PROVED: 2 executions, 2 outcomes

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

  entry @count(%x: tile<ptr<i32>>) {
    %c1 = constant <i32: 1> : tile<i32>
    %o, %t = atomic_rmw_tko relaxed device %x, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }

  entry @flag(%flag: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %is0 = cmpi equal %bx, %c0, signed : tile<i32> -> tile<i1>
    if %is0 {
      %f, %t = load_ptr_tko relaxed device %flag : tile<ptr<i32>> -> tile<i32>, token
      %s = store_ptr_tko weak %out, %f : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %s = store_ptr_tko relaxed device %flag, %c1 : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
