// e - transposed e is -1 at [1, 0].
// LAUNCH: --grid 1,1,1 --arg 'zeros(1xf32)'
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>) {
    %m = constant <i1: [[0, 1], [0, 0]]> : tile<2x2xi1>
    %e = exti %m signed : tile<2x2xi1> -> tile<2x2xi32>
    %et = permute %e [1, 0] : tile<2x2xi32> -> tile<2x2xi32>
    %d = subi %e, %et : tile<2x2xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %xs = broadcast %x1 : tile<1x1xptr<f32>> -> tile<2x2xptr<f32>>
    %p = offset %xs, %d : tile<2x2xptr<f32>>, tile<2x2xi32> -> tile<2x2xptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<2x2xptr<f32>> -> tile<2x2xf32>, token
  }
}
