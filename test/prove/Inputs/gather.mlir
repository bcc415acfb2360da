cuda_tile.module @m {
  entry @gather(%i: tile<ptr<i32>>, %x: tile<ptr<f32>>) {
    %o, %t = load_ptr_tko weak %i : tile<ptr<i32>> -> tile<i32>, token
    %p = offset %x, %o : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %u = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
