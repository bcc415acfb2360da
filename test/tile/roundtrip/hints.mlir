// Optimization hints (types, 9), written as they print: sorted as text on both levels, values
// under a hint key without their types. Whatever is well-formed is kept; hints.mlir beside
// this folder asks which are reported.
// RUN: %canonical %s

module {
  cuda_tile.module @hints {
    entry @known() optimization_hints=<default = {num_cta_in_cga = 16, num_worker_warps_per_cta = 32, occupancy = 32}, sm_100 = {num_cta_in_cga = 4}, sm_103 = {occupancy = 1}, sm_107 = {occupancy = 1}, sm_110 = {occupancy = 1}, sm_120 = {occupancy = 1}, sm_121 = {occupancy = 1}, sm_80 = {num_cta_in_cga = 1}, sm_86 = {num_cta_in_cga = 1}, sm_87 = {num_cta_in_cga = 1}, sm_88 = {num_cta_in_cga = 1}, sm_89 = {num_cta_in_cga = 1}, sm_90 = {num_cta_in_cga = 8}> {
      return
    }
    entry @unknown() optimization_hints=<pluto = {flag = unit, list = [1, 2], nested = {a = 1 : i32}, on = true, s = "text", x = 2.500000e+00}, sm_90 = {}> {
      return
    }
    entry @quoted() optimization_hints=<"two words" = {"a b" = 1}> {
      return
    }
    entry @memory(%arg0: tile<ptr<f32>>, %arg1: tile<i32>) {
      %result, %result_token = load_ptr_tko weak %arg0 optimization_hints = <default = {latency = 1}, sm_90 = {latency = 10}> : tile<ptr<f32>> -> tile<f32>, token
      %0 = store_ptr_tko weak %arg0, %result token=%result_token optimization_hints = <sm_90 = {latency = 6}> : tile<ptr<f32>>, tile<f32> -> token
      %tview = make_tensor_view %arg0, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
      %pview = make_partition_view %tview : partition_view<tile=(32), tensor_view<256xf32, strides=[1]>>
      %tile, %result_token_0 = load_view_tko weak %pview[%arg1] token = %0 optimization_hints = <sm_100 = {allow_tma = false, latency = 4}> : partition_view<tile=(32), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
      %1 = store_view_tko weak %tile, %pview[%arg1] optimization_hints = <sm_100 = {allow_tma = true}> : tile<32xf32>, partition_view<tile=(32), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
      return
    }
  }
}
