entry @k(%arg0: tile<ptr<i32, <multicast>>>) {
  %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tile<ptr<i32, <multicast>>> -> tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
  %pview = make_partition_view %tview : partition_view<tile=(16x16), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_0_i32_0 = constant <i32: 0> : tile<16x16xi32>
  %0 = multimem_reduce_view_tko relaxed device %pview, %cst_0_i32_0[%cst_0_i32, %cst_0_i32] attributes {reduction = #cuda_tile.multimem_reduction_kind<umax>} : partition_view<tile=(16x16), tensor_view<64x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<16x16xi32>, tile<i32> -> token
  return
}
