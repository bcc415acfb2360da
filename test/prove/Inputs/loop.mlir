!matrix = !cuda_tile.tensor_view<?x?xf32, strides=[?, 1]>
!tiles = !cuda_tile.partition_view<tile=(1x32), tensor_view<?x?xf32, strides=[?, 1]>>
cuda_tile.module @m {
  entry @loop(%x: tile<ptr<f32>>, %m: tile<i32>, %k: tile<i32>) {
    %view = make_tensor_view %x, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !matrix
    %tiles = make_partition_view %view : !tiles
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %rows, %columns = get_index_space_shape %tiles : !tiles -> tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %columns, step %one) : tile<i32> {
      %t, %t0 = load_view_tko weak %tiles[%b, %i] : !tiles, tile<i32> -> tile<1x32xf32>, token
    }
  }
}
