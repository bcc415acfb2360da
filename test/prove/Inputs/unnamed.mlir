cuda_tile.module @m {
  entry @unnamed(%0: tile<ptr<f32>>, %1: tile<i32>, %2: tile<f32>) {
    %p = offset %0, %1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
