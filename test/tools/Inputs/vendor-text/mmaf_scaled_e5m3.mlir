entry @k(%arg0: tile<ptr<f32>>) {
  %cst_0_f4E2M1FN = constant <f4E2M1FN: 0.000000e+00> : tile<128x128xf4E2M1FN>
  %cst_0_f4E2M1FN_0 = constant <f4E2M1FN: 0.000000e+00> : tile<128x128xf4E2M1FN>
  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<128x128xf32>
  %cst_0_fnv8E5M3FNU = constant <fnv8E5M3FNU: 0.000000e+00> : tile<128x8xfnv8E5M3FNU>
  %cst_0_fnv8E5M3FNU_1 = constant <fnv8E5M3FNU: 0.000000e+00> : tile<8x128xfnv8E5M3FNU>
  %0 = mmaf_scaled %cst_0_f4E2M1FN, %cst_0_f4E2M1FN_0, %cst_0_f32, %cst_0_fnv8E5M3FNU, %cst_0_fnv8E5M3FNU_1 : tile<128x128xf4E2M1FN>, tile<128x128xf4E2M1FN>, tile<128x128xf32>, tile<128x8xfnv8E5M3FNU>, tile<8x128xfnv8E5M3FNU>
  %reshape = reshape %0 : tile<128x128xf32> -> tile<16384xf32>
  %reshape_2 = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast = broadcast %reshape_2 : tile<1xptr<f32>> -> tile<16384xptr<f32>>
  %1 = iota : tile<16384xi32>
  %2 = offset %bcast, %1 : tile<16384xptr<f32>>, tile<16384xi32> -> tile<16384xptr<f32>>
  %3 = store_ptr_tko weak %2, %reshape : tile<16384xptr<f32>>, tile<16384xf32> -> token
  return
}
