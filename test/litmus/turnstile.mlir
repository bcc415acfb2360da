// RUN: %python %S/check.py --tilewright %tilewright --seeds 3 %s
// RUN: %python %S/check.py --tilewright %tilewright --device ptx --seeds 1 %s
// Test 36 of the memory model (section 13): block b waits for turn b, so that the sum, which
// doubles what was there, is always made in the order of the blocks.
// LITMUS: spin s=R T acq 0 -> a=R S wk -> W S 2a+1 wk -> W T 1 rel ||
// LITMUS: spin t=R T acq 1 -> b=R S wk -> W S 2b+2 wk -> W T 2 rel

cuda_tile.module @litmus {
  entry @sum_in_order(%memory: tile<ptr<i32>>, %registers: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %sem = offset %memory, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %z = make_token : token
    %turn:2 = loop iter_values(%tk = %z) : token -> tile<i32>, token {
      %s, %at = load_ptr_tko acquire device %sem token=%tk : tile<ptr<i32>> -> tile<i32>, token
      %my = cmpi equal %s, %bx, signed : tile<i32> -> tile<i1>
      if %my { break %s, %at : tile<i32>, token }
      continue %at : token
    }
    %cur, %l = load_ptr_tko weak %memory token=%turn#1 : tile<ptr<i32>> -> tile<i32>, token
    %bn = addi %bx, %one : tile<i32>
    %double = addi %cur, %cur : tile<i32>
    %nxt = addi %double, %bn : tile<i32>
    %wr = store_ptr_tko weak %memory, %nxt token=%l : tile<ptr<i32>>, tile<i32> -> token
    %rel = store_ptr_tko release device %sem, %bn token=%wr : tile<ptr<i32>>, tile<i32> -> token

    // Registers: turn and old sum of each block.
    %first = muli %bx, %two : tile<i32>
    %seen = offset %registers, %first : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old = offset %seen, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s1 = store_ptr_tko weak %seen, %turn#0 : tile<ptr<i32>>, tile<i32> -> token
    %s2 = store_ptr_tko weak %old, %cur : tile<ptr<i32>>, tile<i32> -> token
  }
}
