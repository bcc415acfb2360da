entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<f32>>, %arg2: tile<ptr<f32>>) {
  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<8xf32>
  %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %0 = iota : tile<8xi32>
  %1 = offset %bcast, %0 : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  %2 = store_ptr_tko weak %1, %cst_0_f32 : tile<8xptr<f32>>, tile<8xf32> -> token
  %3 = memory_fence_alias_tko %2
  %reshape_0 = reshape %arg1 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast_1 = broadcast %reshape_0 : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %4 = iota : tile<8xi32>
  %5 = offset %bcast_1, %4 : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  %result, %result_token = load_ptr_tko weak %5 token=%3 : tile<8xptr<f32>> -> tile<8xf32>, token
  %reshape_2 = reshape %arg2 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast_3 = broadcast %reshape_2 : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %6 = iota : tile<8xi32>
  %7 = offset %bcast_3, %6 : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  %8 = store_ptr_tko weak %7, %result token=%result_token : tile<8xptr<f32>>, tile<8xf32> -> token
  return
}
