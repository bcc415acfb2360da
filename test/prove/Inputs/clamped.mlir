// Gathers elements of x by indices from memory, clamped to 0 to n - 1.
cuda_tile.module @m {
  entry @clamped(%indices: tile<ptr<i32>>, %x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>, %count: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %isBlock = cmpi less_than %b, %count, signed : tile<i32> -> tile<i1>
    if %isBlock {
      %pi = offset %indices, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %index, %t0 = load_ptr_tko weak %pi : tile<ptr<i32>> -> tile<i32>, token
      %last = subi %n, %one : tile<i32>
      %low = maxi %index, %zero signed : tile<i32>
      %at = mini %low, %last signed : tile<i32>
      %px = offset %x, %at : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v, %t1 = load_ptr_tko weak %px : tile<ptr<f32>> -> tile<f32>, token
      %py = offset %y, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t2 = store_ptr_tko weak %py, %v : tile<ptr<f32>>, tile<f32> -> token
    }
  }
}
