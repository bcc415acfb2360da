// Rows of an n x 8 matrix by a list of numbers, and windows of 4 elements, 2 apart, in a vector of n elements.
cuda_tile.module @m {
  entry @windows(%list: tile<ptr<i32>>, %x: tile<ptr<f32>>, %w: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>, %first: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %lists = make_tensor_view %list, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %listTiles = make_partition_view %lists : partition_view<tile=(4), padding_value = zero, tensor_view<?xi32, strides=[1]>>
    %rows, %t0 = load_view_tko weak %listTiles[%b] : partition_view<tile=(4), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
    %matrix = make_tensor_view %x, shape = [%n, 8], strides = [8, 1] : tile<i32> -> tensor_view<?x8xf32, strides=[8, 1]>
    %gathered = make_gather_scatter_view %matrix : gather_scatter_view<tile=(4x2), padding_value = zero, tensor_view<?x8xf32, strides=[8, 1]>, sparse_dim=0>
    %v, %t1 = load_view_tko weak %gathered[%rows, %first] : gather_scatter_view<tile=(4x2), padding_value = zero, tensor_view<?x8xf32, strides=[8, 1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x2xf32>, token
    %vector = make_tensor_view %w, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %overlapping = make_strided_view %vector : strided_view<tile=(4), traversal_strides=[2], padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %u, %t2 = load_view_tko weak %overlapping[%b] inbounds = [true] : strided_view<tile=(4), traversal_strides=[2], padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %count = get_index_space_shape %overlapping : strided_view<tile=(4), traversal_strides=[2], padding_value = zero, tensor_view<?xf32, strides=[1]>> -> tile<i32>
    %p = offset %y, %count : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %one = constant <f32: 1.0> : tile<f32>
    %old, %t3 = atomic_rmw_tko relaxed device %p, addf, %one : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}
