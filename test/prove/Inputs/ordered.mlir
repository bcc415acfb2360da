// Copies 16x16 tiles; blocks are ordered in groups of 4 rows of tiles, of which the last may have fewer.
cuda_tile.module @m {
  entry @ordered(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %xv = make_tensor_view %x, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %yv = make_tensor_view %y, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %xp = make_partition_view %xv : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>
    %yp = make_partition_view %yv : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>
    %rows, %columns = get_index_space_shape %xp : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>> -> tile<i32>
    %perGroup = muli %four, %columns : tile<i32>
    %group = divi %b, %perGroup signed : tile<i32>
    %first = muli %group, %four : tile<i32>
    %left = subi %rows, %first : tile<i32>
    %height = mini %left, %four signed : tile<i32>
    %inGroup = remi %b, %perGroup signed : tile<i32>
    %down = remi %inGroup, %height signed : tile<i32>
    %row = addi %first, %down : tile<i32>
    %column = divi %inGroup, %height signed : tile<i32>
    %v, %t = load_view_tko weak %xp[%row, %column] : partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<16x16xf32>, token
    %u = store_view_tko weak %v, %yp[%row, %column] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  }
}
