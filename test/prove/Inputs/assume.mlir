cuda_tile.module @m {
  entry @assume(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %a = assume div_by<16>, %n : tile<i32>
    %c = assume bounded<0, ?>, %a : tile<i32>
    %p = offset %x, %c : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
