// Without checks that keep a history, blocks run on all cores. Nobody can tell: outputs and
// findings are those of blocks that run one after the other.

// RUN: %tilewright run %s --entry squares --grid 512 --arg "zeros(4096xi32),out=%t.one.npy" --check all
// RUN: %tilewright run %s --entry squares --grid 512 --arg "zeros(4096xi32),out=%t.many.npy" --check none
// RUN: cmp %t.one.npy %t.many.npy

// Every block fails its assertion, and all are named in the order of their numbers.
// RUN: not %tilewright run %s --entry asserts --grid 300 --check assert,race 2> %t.one.txt
// RUN: not %tilewright run %s --entry asserts --grid 300 --check assert 2> %t.many.txt
// RUN: grep error %t.one.txt > %t.one.errors
// RUN: grep error %t.many.txt > %t.many.errors
// RUN: cmp %t.one.errors %t.many.errors
// RUN: FileCheck %s --check-prefix=ASSERTS < %t.many.errors
// ASSERTS: block (0, 0, 0): assertion failed: never
// ASSERTS-NEXT: block (1, 0, 0): assertion failed: never

// From block 40 on all stray: the first one is reported, whichever was found first.
// RUN: not %tilewright run %s --entry strays --grid 300 --arg "zeros(40xi32)" --check bounds 2>&1 | FileCheck %s --check-prefix=STRAYS --implicit-check-not=error:
// STRAYS: error: block (40, 0, 0): store_ptr_tko: {{.*}} just past the end of parameter 1

// Findings beyond the first thousand are counted, whoever found them: 300 blocks have 8 each.
// RUN: not %tilewright run %s --entry rows --grid 300 --check assert,race 2> %t.one.txt
// RUN: not %tilewright run %s --entry rows --grid 300 --check assert 2> %t.many.txt
// RUN: grep -v finding %t.one.txt > %t.one.errors
// RUN: grep -v finding %t.many.txt > %t.many.errors
// RUN: cmp %t.one.errors %t.many.errors
// RUN: grep -c error %t.many.errors | FileCheck %s --check-prefix=LISTED
// LISTED: {{^}}1000{{$}}
// RUN: FileCheck %s --check-prefix=MORE < %t.many.txt
// MORE: ... and 1400 more

// Neighbours that had no value before are written by blocks on different cores: each keeps its own.
// RUN: %tilewright run %s --entry bytes --grid 100000 --arg "empty(100000xi8)" --arg "zeros(100000xi8)" --check undefined,assert

// The limit holds for all blocks together, a small one exactly: 166 blocks have 12 operations each.
// RUN: not %tilewright run %s --entry squares --grid 512 --arg "zeros(4096xi32)" --check none --max-steps 2000 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: error: block (166, 0, 0): still running after 2000 operations of the launch, the limit
// RUN: not %tilewright run %s --entry spins --grid 512 --check none --max-steps 2000000 2>&1 | FileCheck %s --check-prefix=SPINS --implicit-check-not=error:
// SPINS: error: block (0, 0, 0): still running after 2000000 operations of the launch, the limit

!memory = !cuda_tile.tensor_view<4096xi32, strides=[1]>
!tiles = !cuda_tile.partition_view<tile=(8), tensor_view<4096xi32, strides=[1]>>
cuda_tile.module @parallel {
  entry @squares(%p: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %eight = constant <i32: 8> : tile<i32>
    %first = muli %x, %eight : tile<i32>
    %r = reshape %first : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<8xi32>
    %i = iota : tile<8xi32>
    %n = addi %b, %i : tile<8xi32>
    %s = muli %n, %n : tile<8xi32>
    %view = make_tensor_view %p, shape = [4096], strides = [1] : !memory
    %v = make_partition_view %view : !tiles
    %t = store_view_tko weak %s, %v[%x] : tile<8xi32>, !tiles, tile<i32> -> token
  }

  entry @asserts() {
    %no = constant <i1: false> : tile<i1>
    assert %no, "never" : tile<i1>
  }

  entry @rows() {
    %no = constant <i1: false> : tile<8xi1>
    assert %no, "never" : tile<8xi1>
  }

  entry @bytes(%p: tile<ptr<i8>>, %q: tile<ptr<i8>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i8: 1> : tile<i8>
    %at = offset %p, %x : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %to = offset %q, %x : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %t = store_ptr_tko weak %at, %one : tile<ptr<i8>>, tile<i8> -> token
    %v, %l = load_ptr_tko weak %at token=%t : tile<ptr<i8>> -> tile<i8>, token
    %s = store_ptr_tko weak %to, %v : tile<ptr<i8>>, tile<i8> -> token
  }

  entry @spins() {
    loop {
      continue
    }
  }

  entry @strays(%p: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %at = offset %p, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %at, %x : tile<ptr<i32>>, tile<i32> -> token
  }
}
