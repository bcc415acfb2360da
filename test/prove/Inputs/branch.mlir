cuda_tile.module @m {
  entry @branch(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %most = constant <i32: 100> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %low = maxi %n, %zero signed : tile<i32>
    %index = mini %low, %most signed : tile<i32>
    %isFirst = cmpi equal %b, %zero, signed : tile<i32> -> tile<i1>
    if %isFirst {
      %p = offset %x, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    } else {
      %q = offset %x, %index : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %w, %u = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
    }
  }
}
