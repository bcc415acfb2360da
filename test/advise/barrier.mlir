// RUN: %python %S/check.py --tilewright %tilewright %s
// Two blocks meet at a counter. Who reads 2 acquires from both increments, from the first one through the second
// (definition 2), so the increments only have to release. Once 2 is read, no order after the own increment is needed.
// ADVISE: --grid 2 --arg i32[0,0] --arg i32[0] --arg i32[0,0]

cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<ptr<i32>>, %r: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %other = subi %1, %bx : tile<i32>
    %own = offset %p, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %its = offset %p, %other : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %res = offset %r, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %mine = addi %bx, %1 : tile<i32>
    %st = store_ptr_tko weak %own, %mine : tile<ptr<i32>>, tile<i32> -> token
    %old, %ot = atomic_rmw_tko acq_rel device %n, add, %1 token=%st : tile<ptr<i32>>, tile<i32> -> tile<i32>, token // ordering: release device; scope: needed; token: needed
    %go = loop iter_values(%tk = %ot) : token -> token {
      %c, %ft = load_ptr_tko acquire device %n token=%tk : tile<ptr<i32>> -> tile<i32>, token // ordering: needed; scope: needed; token: no token
      %all = cmpi equal %c, %2, signed : tile<i32> -> tile<i1>
      if %all { break %ft : token }
      continue %ft : token
    }
    %v, %lt = load_ptr_tko weak %its token=%go : tile<ptr<i32>> -> tile<i32>, token // token: needed
    %w = store_ptr_tko weak %res, %v : tile<ptr<i32>>, tile<i32> -> token
  }
}
