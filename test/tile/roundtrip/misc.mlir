// assert, assume and print_tko (operations (core), 6), written as they print.
// RUN: %canonical %s

module {
  cuda_tile.module @misc {
    entry @assert(%arg0: tile<i1>) {
      assert %arg0, "must hold" : tile<i1>
      assert %arg0, "a \22quoted\22 word, 100%\0A" {note} : tile<i1>
      %0 = iota : tile<2xi1>
      assert %0, "" : tile<2xi1>
      return
    }
    entry @div_by(%arg0: tile<i32>, %arg1: tile<ptr<f16>>) {
      %assume = assume div_by<1>, %arg0 : tile<i32>
      %assume_assume = assume div_by<4611686018427387904>, %assume : tile<i32>
      %assume_0 = assume div_by<16>, %arg1 {note} : tile<ptr<f16>>
      %0 = iota : tile<16xi32>
      %assume_1 = assume div_by<8, every 8 along 0>, %0 : tile<16xi32>
      %assume_2 = assume div_by<4, every 0 along 0>, %0 : tile<16xi32>
      return
    }
    entry @div_by_view(%arg0: tile<ptr<f32>>, %arg1: tile<i8>) {
      %tview = make_tensor_view %arg0, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
      %assume_tview = assume div_by<128>, %tview : tensor_view<8xf32, strides=[1]>
      %0 = trunci %arg1 : tile<i8> -> tile<i4>
      %assume = assume div_by<2>, %0 : tile<i4>
      return
    }
    entry @same_elements(%arg0: tile<i64>, %arg1: tile<ptr<i8>>) {
      %assume = assume same_elements<[]>, %arg0 : tile<i64>
      %reshape = reshape %arg1 : tile<ptr<i8>> -> tile<1x1xptr<i8>>
      %bcast = broadcast %reshape : tile<1x1xptr<i8>> -> tile<4x8xptr<i8>>
      %assume_bcast = assume same_elements<[4, 8]>, %bcast : tile<4x8xptr<i8>>
      %assume_bcast_0 = assume same_elements<[0, 1]>, %bcast : tile<4x8xptr<i8>>
      return
    }
    entry @bounded(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i64>) {
      %assume = assume bounded<-1, 0>, %arg0 : tile<i1>
      %assume_0 = assume bounded<-128, 127>, %arg1 : tile<i8>
      %assume_1 = assume bounded<0, ?>, %arg1 : tile<i8>
      %assume_2 = assume bounded<?, 42>, %arg1 : tile<i8>
      %assume_3 = assume bounded<?, ?>, %arg1 : tile<i8>
      %assume_4 = assume bounded<-9223372036854775808, 9223372036854775807>, %arg2 : tile<i64>
      return
    }
    entry @print_tko(%arg0: tile<i32>, %arg1: tile<f32>, %arg2: tile<ptr<i8>>) {
      %0 = print_tko "hello\0A" -> token
      %1 = print_tko "100%% sure" token=%0 -> token
      %2 = print_tko "%d", %arg0 : tile<i32> -> token
      %3 = print_tko "n=%5d v=%.3f (%%) %p", %arg0, %arg1, %arg2 token=%2 : tile<i32>, tile<f32>, tile<ptr<i8>> -> token
      %4 = print_tko "%lld", %arg0 {note} : tile<i32> -> token
      %5 = print_tko "tab\09 quote\22 back\\ nul\00 \C3\A9" token=%4 {note} -> token
      %6 = iota : tile<8xi16>
      %7 = print_tko "%hd", %6 : tile<8xi16> -> token
      return
    }
  }
}
