entry @k() {
  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<4xf32>
  %cst_0_f32_0 = constant <f32: 0.000000e+00> : tile<8xf32>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %0 = insert %cst_0_f32, %cst_0_f32_0[%cst_0_i32] : tile<4xf32>, tile<8xf32>
  return
}
