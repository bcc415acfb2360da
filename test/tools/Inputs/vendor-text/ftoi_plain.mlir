entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<ptr<i8>>) {
  %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<16xptr<f32>>
  %0 = iota : tile<16xi32>
  %1 = offset %bcast, %0 : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
  %result, %result_token = load_ptr_tko weak %1 : tile<16xptr<f32>> -> tile<16xf32>, token
  %2 = ftoi %result signed : tile<16xf32> -> tile<16xi8>
  %reshape_0 = reshape %arg1 : tile<ptr<i8>> -> tile<1xptr<i8>>
  %bcast_1 = broadcast %reshape_0 : tile<1xptr<i8>> -> tile<16xptr<i8>>
  %3 = iota : tile<16xi32>
  %4 = offset %bcast_1, %3 : tile<16xptr<i8>>, tile<16xi32> -> tile<16xptr<i8>>
  %5 = store_ptr_tko weak %4, %2 : tile<16xptr<i8>>, tile<16xi8> -> token
  return
}
