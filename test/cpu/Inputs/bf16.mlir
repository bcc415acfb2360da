cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<bf16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %xt = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %yt = make_tensor_view %y, shape = [256], strides = [1] : tensor_view<256xbf16, strides=[1]>
    %xv = make_partition_view %xt : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %yv = make_partition_view %yt : partition_view<tile=(256), tensor_view<256xbf16, strides=[1]>>
    %v, %t0 = load_view_tko weak %xv[%0] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %w = ftof %v : tile<256xf32> -> tile<256xbf16>
    %t1 = store_view_tko weak %w, %yv[%0] : tile<256xbf16>, partition_view<tile=(256), tensor_view<256xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
