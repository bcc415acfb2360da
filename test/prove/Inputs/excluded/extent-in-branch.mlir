// The extent is not negative only in the branch that is not taken.
// LAUNCH: --grid 1,1,1 --arg 'zeros(100xf32)' --arg -5
!vector = !cuda_tile.tensor_view<?xf32, strides=[1]>
!tiles = !cuda_tile.partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %c = cmpi greater_than_or_equal %n, %zero, signed : tile<i32> -> tile<i1>
    %bad = constant <i32: 1000> : tile<i32>
    %r = if %c -> (tile<i32>) {
      %view = make_tensor_view %x, shape = [%n], strides = [1] : tile<i32> -> !vector
      %tiles = make_partition_view %view : !tiles
      %q = get_index_space_shape %tiles : !tiles -> tile<i32>
      yield %q : tile<i32>
    } else {
      yield %bad : tile<i32>
    }
    %p = offset %x, %r : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
