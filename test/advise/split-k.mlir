// RUN: %python %S/check.py --tilewright %tilewright %s
// Test 34: the block that increments the counter last adds up the parts of all blocks. With release, acquire or relaxed
// in place of acq_rel, or without one of the tokens, it is test 35: undefined.
// ADVISE: --grid 2 --arg i32[0,0] --arg i32[0] --arg i32[0]

cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %part = offset %p, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %mine = addi %bx, %1 : tile<i32>
    %st = store_ptr_tko weak %part, %mine : tile<ptr<i32>>, tile<i32> -> token
    %old, %ot = atomic_rmw_tko acq_rel device %n, add, %1 token=%st : tile<ptr<i32>>, tile<i32> -> tile<i32>, token // ordering: needed; scope: needed; token: needed
    %am = cmpi equal %old, %1, signed : tile<i32> -> tile<i1>
    if %am {
      %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
      %p2 = broadcast %p1 : tile<1xptr<i32>> -> tile<2xptr<i32>>
      %ids = iota : tile<2xi32>
      %parts = offset %p2, %ids : tile<2xptr<i32>>, tile<2xi32> -> tile<2xptr<i32>>
      %v, %lt = load_ptr_tko weak %parts token=%ot : tile<2xptr<i32>> -> tile<2xi32>, token // token: needed
      %sum = reduce %v dim=0 identities=[0 : i32] : tile<2xi32> -> tile<i32>
        (%l: tile<i32>, %r: tile<i32>) {
        %s = addi %l, %r : tile<i32>
        yield %s : tile<i32>
      }
      %w = store_ptr_tko weak %out, %sum token=%lt : tile<ptr<i32>>, tile<i32> -> token // token: no token
    }
  }
}
