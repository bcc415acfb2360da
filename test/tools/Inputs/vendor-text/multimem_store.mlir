entry @k(%arg0: tile<ptr<f32, <multicast>>>) {
  %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
  %pview = make_partition_view %tview : partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<16x16xf32>
  %0 = multimem_store_view_tko weak %pview, %cst_0_f32[%cst_0_i32, %cst_0_i32] : partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<16x16xf32>, tile<i32> -> token
  return
}
