cuda_tile.module @m {
  entry @before(%x: tile<ptr<f32>>) {
    %minus = constant <i32: -1> : tile<i32>
    %p = offset %x, %minus : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
