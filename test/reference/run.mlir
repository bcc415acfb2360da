// What `tilewright run` says and with which exit status it ends.
// 0 success, 1 the launch failed, 2 wrong usage, 3 the kernel misbehaved.

// RUN: not %tilewright run --device reference %s --grid 1 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: tilewright run: {{.*}}run.mlir: --entry must say which entry to run: @nothing, @asserts, @spins, @strays, @drops
// RUN: not %tilewright run --device reference %s --entry other --grid 1 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: there is no entry 'other'; there is @nothing, @asserts
// RUN: not %tilewright run --device reference %s --entry nothing --grid 0 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: tilewright run: grid extent x must be in 1..16777215, but is 0
// RUN: not %tilewright run --device reference %s.missing --entry nothing --grid 1 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: run.mlir.missing: cannot read: No such file or directory
// RUN: %tilewright run --device reference - --entry nothing --grid 1 < %s

// RUN: sh -c '%tilewright run --device reference %s --entry other --grid 1 2>/dev/null; test $? -eq 2'
// RUN: sh -c '%tilewright run --device reference %s --entry asserts --grid 2 2>/dev/null; test $? -eq 1'
// RUN: sh -c '%tilewright run %s --entry spins --grid 1 --max-steps 100 2>/dev/null; test $? -eq 1'
// RUN: sh -c '%tilewright run --device reference %s --entry strays --grid 1,2 --arg "f32[1, 2]" 2>/dev/null; test $? -eq 3'

cuda_tile.module @case {
  entry @nothing() { return }

  // Every block goes on after a failed assertion, and so does the launch.
  // RUN: not %tilewright run --device reference %s --entry asserts --grid 2 2>&1 | FileCheck %s --check-prefix=ASSERT
  entry @asserts() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %isOne = cmpi equal %x, %one, signed : tile<i32> -> tile<i1>
    // ASSERT: run.mlir:[[#@LINE+2]]:5: error: block (0, 0, 0): assertion failed: not block 1{{$}}
    // ASSERT-NOT: error
    assert %isOne, "not block 1" : tile<i1>
  }

  // A loop without end is given up, at the operation that was next.
  // RUN: not %tilewright run %s --entry spins --grid 1 --max-steps 100 2>&1 | FileCheck %s --check-prefix=STEPS
  entry @spins() {
    // STEPS: run.mlir:{{[0-9]+}}:{{[0-9]+}}: error: block (0, 0, 0): still running after 100 operations of the launch, the limit.
    loop {
      continue
    }
  }

  // The report names the line, the block, the element and the nearest array; no output
  // file appears.
  // RUN: rm -f %t.npy
  // RUN: not %tilewright run --device reference %s --entry strays --grid 1,2 --arg "f32[1, 2],out=%t.npy" 2>&1 | FileCheck %s --check-prefix=STRAY
  // RUN: test ! -e %t.npy
  entry @strays(%p: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %far = muli %y, %two : tile<i32>
    %at = offset %p, %far : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    // STRAY: run.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: block (0, 1, 0): load_ptr_tko: address 0x{{[0-9A-F]+}} lies in no allocation: just past the end of parameter 1 (2xf32), 8 bytes at 0x{{[0-9A-F]+}}
    %v, %t = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
  }

  // Memory of one block is not another's: the address travels through an array.
  // RUN: not %tilewright run --device reference %s --entry drops --grid 2 --arg "i64[0]" 2>&1 | FileCheck %s --check-prefix=OWNER
  entry @drops(%p: tile<ptr<i64>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %none = constant <i32: 0> : tile<i32>
    %first = cmpi equal %x, %none, signed : tile<i32> -> tile<i1>
    %mine = alloca num_elem = 1, alignment = 8 : tile<ptr<i64>>
    if %first {
      %address = ptr_to_int %mine : tile<ptr<i64>> -> tile<i64>
      %t = store_ptr_tko weak %p, %address : tile<ptr<i64>>, tile<i64> -> token
    } else {
      %address, %t = load_ptr_tko weak %p : tile<ptr<i64>> -> tile<i64>, token
      %theirs = int_to_ptr %address : tile<i64> -> tile<ptr<i64>>
      // OWNER: run.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: block (1, 0, 0): load_ptr_tko: {{.*}} lies in the alloca at {{.*}}run.mlir:[[#@LINE-7]]:{{[0-9]+}}, whose scope has ended
      %v, %t1 = load_ptr_tko weak %theirs : tile<ptr<i64>> -> tile<i64>, token
    }
  }
}
