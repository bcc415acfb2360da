// RUN: %check %s
// The examples of types, 5.4: a 100x30 tensor in tiles of 16x8; an empty tensor has no index.
// CASE @partition(i32[0], 100, 30) -> i32[7, 4]
// CASE @partition(i32[0], 0, 8) -> i32[0, 1]
// CASE @partition(i32[0], -1, 1) -> i32[0x10000000, 1]
//
// ... with dim_map = [1, 0].
// CASE @partition_dim_map(i32[0], 100, 30) -> i32[2, 13]
//
// ... 10 and 5 elements apart.
// CASE @strided(i32[0], 100, 30) -> i32[10, 6]
//
// ... both: 4x22, as published, for a 64x16 tensor 4 and 3 apart.
// CASE @strided_dim_map(i32[0], 64, 16) -> i32[4, 22]
//
// The index space of a gather/scatter view is the tensor.
// CASE @gather(i32[0], 100, 30) -> i32[100, 30]

!i32_2 = !cuda_tile.tensor_view<2xi32, strides=[1]>
!i32_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>

cuda_tile.module @case {
  entry @partition(%a_ptr: tile<ptr<i32>>, %rows: tile<i32>, %columns: tile<i32>,
                   %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [%rows, %columns], strides = [32, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[32, 1]>
    %view = make_partition_view %tensor : partition_view<tile=(16x8), tensor_view<?x?xi32, strides=[32, 1]>>
    %d0, %d1 = get_index_space_shape %view : partition_view<tile=(16x8), tensor_view<?x?xi32, strides=[32, 1]>> -> tile<i32>
    %x = reshape %d0 : tile<i32> -> tile<1xi32>
    %y = reshape %d1 : tile<i32> -> tile<1xi32>
    %r = cat %x, %y dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }

  entry @partition_dim_map(%a_ptr: tile<ptr<i32>>, %rows: tile<i32>, %columns: tile<i32>,
                           %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [%rows, %columns], strides = [32, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[32, 1]>
    %view = make_partition_view %tensor : partition_view<tile=(16x8), tensor_view<?x?xi32, strides=[32, 1]>, dim_map=[1, 0]>
    %d0, %d1 = get_index_space_shape %view : partition_view<tile=(16x8), tensor_view<?x?xi32, strides=[32, 1]>, dim_map=[1, 0]> -> tile<i32>
    %x = reshape %d0 : tile<i32> -> tile<1xi32>
    %y = reshape %d1 : tile<i32> -> tile<1xi32>
    %r = cat %x, %y dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }

  entry @strided(%a_ptr: tile<ptr<i32>>, %rows: tile<i32>, %columns: tile<i32>,
                 %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [%rows, %columns], strides = [32, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[32, 1]>
    %view = make_strided_view %tensor : strided_view<tile=(16x8), traversal_strides=[10,5], tensor_view<?x?xi32, strides=[32, 1]>>
    %d0, %d1 = get_index_space_shape %view : strided_view<tile=(16x8), traversal_strides=[10,5], tensor_view<?x?xi32, strides=[32, 1]>> -> tile<i32>
    %x = reshape %d0 : tile<i32> -> tile<1xi32>
    %y = reshape %d1 : tile<i32> -> tile<1xi32>
    %r = cat %x, %y dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }

  entry @strided_dim_map(%a_ptr: tile<ptr<i32>>, %rows: tile<i32>, %columns: tile<i32>,
                         %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [%rows, %columns], strides = [32, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[32, 1]>
    %view = make_strided_view %tensor : strided_view<tile=(4x2), traversal_strides=[4,3], tensor_view<?x?xi32, strides=[32, 1]>, dim_map=[1, 0]>
    %d0, %d1 = get_index_space_shape %view : strided_view<tile=(4x2), traversal_strides=[4,3], tensor_view<?x?xi32, strides=[32, 1]>, dim_map=[1, 0]> -> tile<i32>
    %x = reshape %d0 : tile<i32> -> tile<1xi32>
    %y = reshape %d1 : tile<i32> -> tile<1xi32>
    %r = cat %x, %y dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }

  entry @gather(%a_ptr: tile<ptr<i32>>, %rows: tile<i32>, %columns: tile<i32>,
                %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tensor = make_tensor_view %a_ptr, shape = [%rows, %columns], strides = [32, 1] : tile<i32> -> tensor_view<?x?xi32, strides=[32, 1]>
    %view = make_gather_scatter_view %tensor : gather_scatter_view<tile=(4x8), tensor_view<?x?xi32, strides=[32, 1]>, sparse_dim=0>
    %d0, %d1 = get_index_space_shape %view : gather_scatter_view<tile=(4x8), tensor_view<?x?xi32, strides=[32, 1]>, sparse_dim=0> -> tile<i32>
    %x = reshape %d0 : tile<i32> -> tile<1xi32>
    %y = reshape %d1 : tile<i32> -> tile<1xi32>
    %r = cat %x, %y dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }
}
