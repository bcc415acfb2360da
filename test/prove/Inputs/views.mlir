!vector = !cuda_tile.tensor_view<?xf32, strides=[1]>
!tiles = !cuda_tile.partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
cuda_tile.module @m {
  entry @views(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %view = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> !vector
    %tiles = make_partition_view %view : !tiles
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %t, %t0 = load_view_tko weak %tiles[%b] : !tiles, tile<i32> -> tile<256xf32>, token
  }
}
