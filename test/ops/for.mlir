// RUN: %check %s
// First and last induction value, and the number of turns. The last turn of 100 to 127 by 20 is
// 120, although 120 + 20 does not fit i8 (operations, 5.2). A step must be positive.
// CASE @for(100, 127, 20) -> i8[100, 120], i8[2]
// CASE @for(-128, 127, 127) -> i8[-128, 126], i8[3]
// CASE @for(5, 5, 1) -> i8[0, 0], i8[0]
// CASE @for(6, 5, 1) -> i8[0, 0], i8[0]
// CASE @for(0, 10, 4) -> i8[0, 8], i8[3]
// CASE @for(0, 5, 0, i8[0, 0], i8[0]) -> error "for: the step must be positive, but is 0"
// CASE @for(5, 0, -1, i8[0, 0], i8[0]) -> error "for: the step must be positive, but is -1"
//
// The same read unsigned: 100 to 200 by 60 is 100, 160.
// CASE @unsigned(100, 200, 60) -> i8[100, 160], i8[2]
// CASE @unsigned(0, 0xFF, 0xFF) -> i8[0, 0], i8[1]

!i8_2 = !cuda_tile.tensor_view<2xi8, strides=[1]>
!i8_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>
!i8_1 = !cuda_tile.tensor_view<1xi8, strides=[1]>
!i8_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi8, strides=[1]>>

cuda_tile.module @case {
  entry @for(%lb: tile<i8>, %ub: tile<i8>, %st: tile<i8>, %r0_ptr: tile<ptr<i8>>,
             %n1_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %start = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %first, %last, %n = for %i in (%lb to %ub, step %st) : tile<i8> iter_values(%f = %start, %l = %start, %k = %start) -> (tile<i8>, tile<i8>, tile<i8>) {
      %begun = cmpi not_equal %k, %start, unsigned : tile<i8> -> tile<i1>
      %nf = select %begun, %f, %i : tile<i1>, tile<i8>
      %nk = addi %k, %one : tile<i8>
      continue %nf, %i, %nk : tile<i8>, tile<i8>, tile<i8>
    }
    %f1 = reshape %first : tile<i8> -> tile<1xi8>
    %l1 = reshape %last : tile<i8> -> tile<1xi8>
    %r0 = cat %f1, %l1 dim = 0 : tile<1xi8>, tile<1xi8> -> tile<2xi8>
    %n1 = reshape %n : tile<i8> -> tile<1xi8>
    %r0_view = make_tensor_view %r0_ptr, shape = [2], strides = [1] : !i8_2
    %r0_tiles = make_partition_view %r0_view : !i8_2_tiles
    %r0_token = store_view_tko weak %r0, %r0_tiles[%zero] : tile<2xi8>, !i8_2_tiles, tile<i32> -> token
    %n1_view = make_tensor_view %n1_ptr, shape = [1], strides = [1] : !i8_1
    %n1_tiles = make_partition_view %n1_view : !i8_1_tiles
    %n1_token = store_view_tko weak %n1, %n1_tiles[%zero] : tile<1xi8>, !i8_1_tiles, tile<i32> -> token
  }

  entry @unsigned(%lb: tile<i8>, %ub: tile<i8>, %st: tile<i8>, %r0_ptr: tile<ptr<i8>>,
                  %n1_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %start = constant <i8: 0> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %first, %last, %n = for unsigned %i in (%lb to %ub, step %st) : tile<i8> iter_values(%f = %start, %l = %start, %k = %start) -> (tile<i8>, tile<i8>, tile<i8>) {
      %begun = cmpi not_equal %k, %start, unsigned : tile<i8> -> tile<i1>
      %nf = select %begun, %f, %i : tile<i1>, tile<i8>
      %nk = addi %k, %one : tile<i8>
      continue %nf, %i, %nk : tile<i8>, tile<i8>, tile<i8>
    }
    %f1 = reshape %first : tile<i8> -> tile<1xi8>
    %l1 = reshape %last : tile<i8> -> tile<1xi8>
    %r0 = cat %f1, %l1 dim = 0 : tile<1xi8>, tile<1xi8> -> tile<2xi8>
    %n1 = reshape %n : tile<i8> -> tile<1xi8>
    %r0_view = make_tensor_view %r0_ptr, shape = [2], strides = [1] : !i8_2
    %r0_tiles = make_partition_view %r0_view : !i8_2_tiles
    %r0_token = store_view_tko weak %r0, %r0_tiles[%zero] : tile<2xi8>, !i8_2_tiles, tile<i32> -> token
    %n1_view = make_tensor_view %n1_ptr, shape = [1], strides = [1] : !i8_1
    %n1_tiles = make_partition_view %n1_view : !i8_1_tiles
    %n1_token = store_view_tko weak %n1, %n1_tiles[%zero] : tile<1xi8>, !i8_1_tiles, tile<i32> -> token
  }
}
