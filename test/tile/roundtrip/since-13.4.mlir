// Forms of 13.4 and 13.5, written as they print, which is as the vendor's disassembler 13.5.37 prints
// them (13.4, section 14; docs/decisions/text-form.md).
// RUN: %canonical %s

module {
  cuda_tile.module @since {
    entry @k(%arg0: tile<ptr<i32, <multicast>>>, %arg1: tile<ptr<f32, <unicast>>>, %arg2: tile<ptr<f32, <none>>>, %arg3: tile<i32>, %arg4: tile<ptr<f8E5M3FNU>>) {
      %cst_0_i32 = constant <i32: 0> : tile<i32>
      %tview = make_tensor_view %arg0, shape = [%arg3, 64], strides = [%arg3, 1] : tile<ptr<i32, <multicast>>>, tile<i32> -> tensor_view<?x64xi32, strides=[?,1], #cuda_tile.ptr_attr<multicast>>
      %pview = make_partition_view %tview : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], #cuda_tile.ptr_attr<multicast>>, dim_map=[1, 0]>
      %tview_0 = make_tensor_view %arg1, shape = [], strides = [] : tile<ptr<f32, <unicast>>> -> tensor_view<f32, #cuda_tile.ptr_attr<unicast>>
      %tview_1 = make_tensor_view %arg2, shape = [8], strides = [1] : tile<ptr<f32, <none>>> -> tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>
      %sview = make_strided_view %tview_1 : strided_view<tile=(8), traversal_strides=[4], tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>>
      %0 = make_token : token
      %reduced_values, %result_token = multimem_load_reduce_view_tko relaxed sys %pview[%cst_0_i32, %cst_0_i32] token = %0 attributes {reduction = #cuda_tile.multimem_reduction_kind<umin>} : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], #cuda_tile.ptr_attr<multicast>>, dim_map=[1, 0]>, tile<i32>, token -> tile<16x16xi32>, token
      %reduced_values_2, %result_token_3 = multimem_load_reduce_view_tko weak %pview[%cst_0_i32, %cst_0_i32] : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], #cuda_tile.ptr_attr<multicast>>, dim_map=[1, 0]>, tile<i32> -> tile<16x16xi32>, token
      %1 = multimem_reduce_view_tko release sys %pview, %reduced_values[%cst_0_i32, %cst_0_i32] token = %result_token inbounds = [true, false] attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], #cuda_tile.ptr_attr<multicast>>, dim_map=[1, 0]>, tile<16x16xi32>, tile<i32>, token -> token
      %2 = multimem_store_view_tko release device %pview, %reduced_values[%cst_0_i32, %cst_0_i32] token = %1 inbounds = [false, true] : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], #cuda_tile.ptr_attr<multicast>>, dim_map=[1, 0]>, tile<16x16xi32>, tile<i32>, token -> token
      %3 = gdc_wait_tko token = %2 -> token
      %4 = gdc_launch_dependents_tko -> token
      %5 = memory_fence_alias_tko %3
      %tile, %result_token_4 = load_view_tko weak %sview[%cst_0_i32] token = %5 optimization_hints = <sm_100 = {allow_tma = true, latency = 4}> inbounds = [true] : strided_view<tile=(8), traversal_strides=[4], tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>>, tile<i32> -> tile<8xf32>, token
      %6 = store_view_tko release device %tile, %sview[%cst_0_i32] token = %result_token_4 optimization_hints = <sm_100 = {allow_tma = true, latency = 4}> inbounds = [true] : tile<8xf32>, strided_view<tile=(8), traversal_strides=[4], tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>>, tile<i32> -> token
      %7 = atomic_red_view_tko relaxed device %sview[%cst_0_i32], addf, %tile token = %6 inbounds = [true] : tile<8xf32>, strided_view<tile=(8), traversal_strides=[4], tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>>, tile<i32> -> token
      %8 = ptr_to_ptr %arg0 : tile<ptr<i32, <multicast>>> -> tile<ptr<f32, <unicast>>>
      %9 = extract %tile[%cst_0_i32] : tile<8xf32> -> tile<1xf32>
      return
    }
    entry @s() {
      %cst_0_i32 = constant <i32: 0> : tile<i32>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<f32>
      %0 = insert %cst_0_f32, %cst_0_f32[] : tile<f32>, tile<f32>
      %1 = ftoi %cst_0_f32 signed saturating : tile<f32> -> tile<i32>
      %2 = fpowi %cst_0_f32, %1 : tile<f32>, tile<i32>
      return
    }
  }
}
