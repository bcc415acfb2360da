// Views, their shapes, and loads and stores through them (operations (core), 8), written as
// they print: `token = ` with blanks, one index type if all are equal.
// RUN: %canonical %s

module {
  cuda_tile.module @views {
    entry @make_tensor_view(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i64>, %arg3: tile<i1>) {
      %tview = make_tensor_view %arg0, shape = [], strides = [] : tensor_view<f32>
      %tview_0 = make_tensor_view %arg0, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
      %tview_1 = make_tensor_view %arg0, shape = [%arg1, 64, 8], strides = [512, %arg1, 1] : tile<i32> -> tensor_view<?x64x8xf32, strides=[512,?,1]>
      %tview_2 = make_tensor_view %arg0, shape = [%arg2], strides = [%arg2] {note} : tile<i64> -> tensor_view<?xf32, strides=[?]>
      %tview_3 = make_tensor_view %arg0, shape = [%arg3], strides = [1] : tile<i1> -> tensor_view<?xf32, strides=[1]>
      %tview_4 = make_tensor_view %arg0, shape = [7], strides = [9223372036854775807] : tensor_view<7xf32, strides=[9223372036854775807]>
      return
    }
    entry @make_views(%arg0: tile<ptr<f32>>) {
      %tview = make_tensor_view %arg0, shape = [100, 30], strides = [32, 1] : tensor_view<100x30xf32, strides=[32,1]>
      %pview = make_partition_view %tview : partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>
      %pview_0 = make_partition_view %tview : partition_view<tile=(16x8), padding_value = zero, tensor_view<100x30xf32, strides=[32,1]>>
      %pview_1 = make_partition_view %tview : partition_view<tile=(16x8), padding_value = neg_zero, tensor_view<100x30xf32, strides=[32,1]>, dim_map=[1, 0]>
      %sview = make_strided_view %tview : strided_view<tile=(16x8), traversal_strides=[10,5], tensor_view<100x30xf32, strides=[32,1]>>
      %sview_2 = make_strided_view %tview : strided_view<tile=(16x8), traversal_strides=[10,5], padding_value = pos_inf, tensor_view<100x30xf32, strides=[32,1]>, dim_map=[1, 0]>
      %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(4x8), tensor_view<100x30xf32, strides=[32,1]>, sparse_dim=0>
      %gsview_3 = make_gather_scatter_view %tview : gather_scatter_view<tile=(4x8), padding_value = neg_inf, tensor_view<100x30xf32, strides=[32,1]>, sparse_dim=1>
      return
    }
    entry @shapes(%arg0: tile<ptr<i8>>) {
      %tview = make_tensor_view %arg0, shape = [100, 30], strides = [32, 1] : tensor_view<100x30xi8, strides=[32,1]>
      %0:2 = get_tensor_shape %tview : tensor_view<100x30xi8, strides=[32,1]> -> tile<i32>
      %pview = make_partition_view %tview : partition_view<tile=(16x8), tensor_view<100x30xi8, strides=[32,1]>>
      %1:2 = get_index_space_shape %pview : partition_view<tile=(16x8), tensor_view<100x30xi8, strides=[32,1]>> -> tile<i64>
      %sview = make_strided_view %tview : strided_view<tile=(16x8), traversal_strides=[1,1], tensor_view<100x30xi8, strides=[32,1]>>
      %2:2 = get_index_space_shape %sview : strided_view<tile=(16x8), traversal_strides=[1,1], tensor_view<100x30xi8, strides=[32,1]>> -> tile<i8>
      %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(4x8), tensor_view<100x30xi8, strides=[32,1]>, sparse_dim=0>
      %3:2 = get_index_space_shape %gsview : gather_scatter_view<tile=(4x8), tensor_view<100x30xi8, strides=[32,1]>, sparse_dim=0> -> tile<i16>
      %tview_0 = make_tensor_view %arg0, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
      %4 = get_tensor_shape %tview_0 : tensor_view<64xi8, strides=[1]> -> tile<i1>
      return
    }
    entry @load_store(%arg0: tile<ptr<f32>>, %arg1: tile<i32>) {
      %tview = make_tensor_view %arg0, shape = [100, 30], strides = [32, 1] : tensor_view<100x30xf32, strides=[32,1]>
      %pview = make_partition_view %tview : partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>
      %tile, %result_token = load_view_tko weak %pview[%arg1, %arg1] : partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>, tile<i32> -> tile<16x8xf32>, token
      %tile_0, %result_token_1 = load_view_tko relaxed tl_blk %pview[%arg1, %arg1] token = %result_token : partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>, tile<i32> -> tile<16x8xf32>, token
      %tile_2, %result_token_3 = load_view_tko acquire device %pview[%arg1, %arg1] token = %result_token optimization_hints = <sm_100 = {allow_tma = false, latency = 4}> attributes {note} : partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>, tile<i32> -> tile<16x8xf32>, token
      %tile_4, %result_token_5 = load_view_tko acquire sys %pview[%arg1, %arg1] attributes {note} : partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>, tile<i32> -> tile<16x8xf32>, token
      %0 = store_view_tko weak %tile, %pview[%arg1, %arg1] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>, tile<i32> -> token
      %1 = store_view_tko relaxed tl_blk %tile, %pview[%arg1, %arg1] token = %0 : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>, tile<i32> -> token
      %2 = store_view_tko release device %tile, %pview[%arg1, %arg1] token = %1 optimization_hints = <> attributes {note} : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>, tile<i32> -> token
      %3 = store_view_tko release sys %tile, %pview[%arg1, %arg1] attributes {note} : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>>, tile<i32> -> token
      return
    }
    entry @strided(%arg0: tile<ptr<f32>>, %arg1: tile<i1>) {
      %tview = make_tensor_view %arg0, shape = [100], strides = [1] : tensor_view<100xf32, strides=[1]>
      %sview = make_strided_view %tview : strided_view<tile=(16), traversal_strides=[3], padding_value = nan, tensor_view<100xf32, strides=[1]>>
      %tile, %result_token = load_view_tko weak %sview[%arg1] : strided_view<tile=(16), traversal_strides=[3], padding_value = nan, tensor_view<100xf32, strides=[1]>>, tile<i1> -> tile<16xf32>, token
      %0 = store_view_tko weak %tile, %sview[%arg1] : tile<16xf32>, strided_view<tile=(16), traversal_strides=[3], padding_value = nan, tensor_view<100xf32, strides=[1]>>, tile<i1> -> token
      return
    }
    // The sparse index is a list; its integer type need not be that of the others
    // (types, 4.11).
    entry @gather_scatter(%arg0: tile<ptr<f16>>, %arg1: tile<i64>) {
      %tview = make_tensor_view %arg0, shape = [10, 100, 64], strides = [6400, 64, 1] : tensor_view<10x100x64xf16, strides=[6400,64,1]>
      %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(2x8x16), tensor_view<10x100x64xf16, strides=[6400,64,1]>, sparse_dim=1>
      %0 = iota : tile<8xi32>
      %tile, %result_token = load_view_tko weak %gsview[%arg1, %0, %arg1] : gather_scatter_view<tile=(2x8x16), tensor_view<10x100x64xf16, strides=[6400,64,1]>, sparse_dim=1>, tile<i64>, tile<8xi32>, tile<i64> -> tile<2x8x16xf16>, token
      %1 = store_view_tko weak %tile, %gsview[%arg1, %0, %arg1] token = %result_token : tile<2x8x16xf16>, gather_scatter_view<tile=(2x8x16), tensor_view<10x100x64xf16, strides=[6400,64,1]>, sparse_dim=1>, tile<i64>, tile<8xi32>, tile<i64> -> token
      return
    }
    entry @gather_line(%arg0: tile<ptr<f16>>) {
      %tview = make_tensor_view %arg0, shape = [100], strides = [1] : tensor_view<100xf16, strides=[1]>
      %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(8), tensor_view<100xf16, strides=[1]>, sparse_dim=0>
      %0 = iota : tile<8xi32>
      %tile, %result_token = load_view_tko weak %gsview[%0] : gather_scatter_view<tile=(8), tensor_view<100xf16, strides=[1]>, sparse_dim=0>, tile<8xi32> -> tile<8xf16>, token
      return
    }
  }
}
