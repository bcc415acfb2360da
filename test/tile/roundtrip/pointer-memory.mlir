// Tokens, allocations, and loads and stores through pointers (operations (core), 7), written
// as they print: `token=` without blanks, hints with them.
// RUN: %canonical %s

module {
  cuda_tile.module @pointer_memory {
    entry @tokens() {
      %0 = make_token : token
      %1 = make_token {note} : token
      %2 = join_tokens %0, %1 : token
      %3 = join_tokens %0, %1, %2 {note} : token
      return
    }
    // The natural size is in whole bytes (7.2).
    entry @alloca() {
      %0 = alloca num_elem = 256, alignment = 16 : tile<ptr<f32>>
      %1 = alloca num_elem = 1, alignment = 4 global : tile<ptr<i32>>
      %2 = alloca num_elem = 0, alignment = 8 {note} : tile<ptr<f64>>
      %3 = alloca num_elem = 8, alignment = 1 global {note} : tile<ptr<i1>>
      %4 = alloca num_elem = 8, alignment = 4 : tile<ptr<tf32>>
      %5 = alloca num_elem = 8, alignment = 1 : tile<ptr<f4E2M1FN>>
      return
    }
    entry @load(%arg0: tile<ptr<f32>>) {
      %result, %result_token = load_ptr_tko weak %arg0 : tile<ptr<f32>> -> tile<f32>, token
      %result_0, %result_token_1 = load_ptr_tko relaxed tl_blk %arg0 token=%result_token : tile<ptr<f32>> -> tile<f32>, token
      %result_2, %result_token_3 = load_ptr_tko acquire device %arg0 : tile<ptr<f32>> -> tile<f32>, token
      %result_4, %result_token_5 = load_ptr_tko acquire sys %arg0 {note} : tile<ptr<f32>> -> tile<f32>, token
      return
    }
    entry @load_masked(%arg0: tile<ptr<i8>>, %arg1: tile<i1>, %arg2: tile<i8>) {
      %result, %result_token = load_ptr_tko weak %arg0, %arg1 : tile<ptr<i8>>, tile<i1> -> tile<i8>, token
      %result_0, %result_token_1 = load_ptr_tko weak %arg0, %arg1, %arg2 : tile<ptr<i8>>, tile<i1>, tile<i8> -> tile<i8>, token
      %result_2, %result_token_3 = load_ptr_tko relaxed sys %arg0, %arg1, %arg2 token=%result_token optimization_hints = <default = {latency = 4}> {note} : tile<ptr<i8>>, tile<i1>, tile<i8> -> tile<i8>, token
      return
    }
    entry @load_shaped() {
      %0 = iota : tile<16xi64>
      %1 = int_to_ptr %0 : tile<16xi64> -> tile<16xptr<bf16>>
      %cst_0_bf16 = constant <bf16: 0.000000e+00> : tile<16xbf16>
      %true = constant <i1: true> : tile<16xi1>
      %result, %result_token = load_ptr_tko weak %1, %true, %cst_0_bf16 : tile<16xptr<bf16>>, tile<16xi1>, tile<16xbf16> -> tile<16xbf16>, token
      return
    }
    entry @store(%arg0: tile<ptr<f32>>, %arg1: tile<f32>, %arg2: tile<i1>) {
      %0 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<f32>>, tile<f32> -> token
      %1 = store_ptr_tko relaxed tl_blk %arg0, %arg1, %arg2 : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
      %2 = store_ptr_tko release device %arg0, %arg1 token=%1 : tile<ptr<f32>>, tile<f32> -> token
      %3 = store_ptr_tko release sys %arg0, %arg1, %arg2 token=%2 optimization_hints = <sm_90 = {latency = 10}> {note} : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
      return
    }
    entry @empty_hints(%arg0: tile<ptr<f32>>) {
      %result, %result_token = load_ptr_tko weak %arg0 optimization_hints = <> : tile<ptr<f32>> -> tile<f32>, token
      %0 = store_ptr_tko weak %arg0, %result optimization_hints = <> : tile<ptr<f32>>, tile<f32> -> token
      return
    }
  }
}
