cuda_tile.module @m {
  entry @carried(%x: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %step = constant <i32: 64> : tile<64xi32>
    %i = iota : tile<64xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %x1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %first = offset %xs, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %last = for %k in (%zero to %four, step %one) : tile<i32>
        iter_values(%p = %first) -> (tile<64xptr<f32>>) {
      %v, %t = load_ptr_tko weak %p : tile<64xptr<f32>> -> tile<64xf32>, token
      %next = offset %p, %step : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
      continue %next : tile<64xptr<f32>>
    }
  }
}
