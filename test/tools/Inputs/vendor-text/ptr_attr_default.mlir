entry @k(%arg0: tile<ptr<f32, <none>>>) {
  %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <none>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<none>>
  %pview = make_partition_view %tview : partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<none>>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<16x16xf32>
  %0 = store_view_tko weak %cst_0_f32, %pview[%cst_0_i32, %cst_0_i32] inbounds = [true, false] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<none>>>, tile<i32> -> token
  return
}
