entry @k(%arg0: tile<ptr<bf16, <multicast>>>) {
  %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tile<ptr<bf16, <multicast>>> -> tensor_view<64x64xbf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
  %pview = make_partition_view %tview : partition_view<tile=(16x16), tensor_view<64x64xbf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %0 = make_token : token
  %reduced_values, %result_token = multimem_load_reduce_view_tko acquire sys %pview[%cst_0_i32, %cst_0_i32] token = %0 inbounds = [true, true] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(16x16), tensor_view<64x64xbf16, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<16x16xbf16>, token
  return
}
