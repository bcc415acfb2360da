// RUN: %check %s
// Static and dynamic extents, zero-extended (operations, 8.4): 200 does not fit i8 as a signed
// number, but is 0xC8 all the same.
// CASE @get_tensor_shape(i32[0], 200) -> i8[0xC8, 96]
// CASE @get_tensor_shape(i32[0], 300, i8[0, 0]) -> error "extent 300 of dimension 0 does not fit i8"

!i8_2 = !cuda_tile.tensor_view<2xi8, strides=[1]>
!i8_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi8, strides=[1]>>

cuda_tile.module @case {
  entry @get_tensor_shape(%a_ptr: tile<ptr<i32>>, %rows: tile<i32>, %r_ptr: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [%rows, 96], strides = [96, 1] : tile<i32> -> tensor_view<?x96xi32, strides=[96, 1]>
    %d0, %d1 = get_tensor_shape %tensor : tensor_view<?x96xi32, strides=[96, 1]> -> tile<i8>
    %x = reshape %d0 : tile<i8> -> tile<1xi8>
    %y = reshape %d1 : tile<i8> -> tile<1xi8>
    %r = cat %x, %y dim = 0 : tile<1xi8>, tile<1xi8> -> tile<2xi8>
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i8_2
    %r_tiles = make_partition_view %r_view : !i8_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi8>, !i8_2_tiles, tile<i32> -> token
  }
}
