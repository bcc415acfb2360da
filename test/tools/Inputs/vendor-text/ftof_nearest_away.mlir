entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<f32>>) {
  %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<16xptr<f32>>
  %0 = iota : tile<16xi32>
  %1 = offset %bcast, %0 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
  %result, %result_token = load_ptr_tko weak %1 : tile<16xptr<f32>> -> tile<16xf32>, token
  %2 = ftof %result rounding<nearest_away> : tile<16xf32> -> tile<16xtf32>
  %3 = ftof %2 : tile<16xtf32> -> tile<16xf32>
  %reshape_0 = reshape %arg1 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast_1 = broadcast %reshape_0 : tile<1xptr<f32>> -> tile<16xptr<f32>>
  %4 = iota : tile<16xi32>
  %5 = offset %bcast_1, %4 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
  %6 = store_ptr_tko weak %5, %3 : tile<16xptr<f32>>, tile<16xf32> -> token
  return
}
