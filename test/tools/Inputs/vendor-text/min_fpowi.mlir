entry @k() {
  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<4xf32>
  %cst_0_i32 = constant <i32: 0> : tile<4xi32>
  %0 = fpowi %cst_0_f32, %cst_0_i32 : tile<4xf32>, tile<4xi32>
  return
}
