// What findings say of loops.
// RUN: not %tilewright run %s --entry unsigned --grid 1 --arg "i32[0]" --report json=%t.json 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=UNSIGNED
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: not %tilewright run %s --entry spins --grid 1 --arg "i32[0]" --max-steps 1000 --device reference 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=SPINS --implicit-check-not=waits

cuda_tile.module @m {
  // The first value of an unsigned loop from -2 is 2^64 - 2 (operations, 5.2).
  // UNSIGNED: error: block (0, 0, 0): store_ptr_tko: address
  // UNSIGNED-NEXT: note: in iteration 1 of this loop, with induction value 18446744073709551614
  // JSON: "induction_value": 18446744073709551614,
  entry @unsigned(%p: tile<ptr<i32>>) {
    %from = constant <i64: -2> : tile<i64>
    %to = constant <i64: -1> : tile<i64>
    %step = constant <i64: 1> : tile<i64>
    %far = constant <i32: 100> : tile<i32>
    for unsigned %i in (%from to %to, step %step) : tile<i64> {
      %q = offset %p, %far : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t = store_ptr_tko weak %q, %far : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // The loop does not read what the atomic read before it: it waits for nothing.
  // SPINS: error: block (0, 0, 0): still running after 1000 operations of the launch, the limit.
  // SPINS-NEXT: note: in iteration {{[0-9]+}} of this loop
  entry @spins(%p: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %old, %t = atomic_rmw_tko relaxed device %p, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    loop {
      %two = addi %one, %one : tile<i32>
      continue
    }
  }
}
