cuda_tile.module @m {
  entry @swizzle(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %row = divi %b, %n signed : tile<i32>
    %column = remi %b, %n signed : tile<i32>
    %first = muli %row, %n : tile<i32>
    %offset = addi %first, %column : tile<i32>
    %p = offset %x, %offset : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
