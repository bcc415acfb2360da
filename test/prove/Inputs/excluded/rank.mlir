// Rank 9: the last dimension has four positions.
// LAUNCH: --grid 4,1,1 --arg 'zeros(1xf32)' --arg 1
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %q = divi %n, %n signed : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %v0 = reshape %n : tile<i32> -> tile<1x1x1x1x1x1x1x1x1xi32>
    %i = iota : tile<4xi32>
    %i9 = reshape %i : tile<4xi32> -> tile<1x1x1x1x1x1x1x1x4xi32>
    %x9 = reshape %x : tile<ptr<f32>> -> tile<1x1x1x1x1x1x1x1x1xptr<f32>>
    %xb = broadcast %x9 : tile<1x1x1x1x1x1x1x1x1xptr<f32>> -> tile<1x1x1x1x1x1x1x1x4xptr<f32>>
    %p = offset %xb, %i9 : tile<1x1x1x1x1x1x1x1x4xptr<f32>>, tile<1x1x1x1x1x1x1x1x4xi32> -> tile<1x1x1x1x1x1x1x1x4xptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<1x1x1x1x1x1x1x1x4xptr<f32>> -> tile<1x1x1x1x1x1x1x1x4xf32>, token
  }
}
