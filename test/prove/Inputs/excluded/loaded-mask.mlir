// The loaded mask is not symmetric.
// LAUNCH: --grid 1,1,1 --arg 'zeros(1xf32)' --arg 'i1[0, 1, 0, 0]'
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %mm: tile<ptr<i1>>) {
    %m1 = reshape %mm : tile<ptr<i1>> -> tile<1x1xptr<i1>>
    %ms = broadcast %m1 : tile<1x1xptr<i1>> -> tile<2x2xptr<i1>>
    %c = constant <i32: [[0, 1], [2, 3]]> : tile<2x2xi32>
    %mp = offset %ms, %c : tile<2x2xptr<i1>>, tile<2x2xi32> -> tile<2x2xptr<i1>>
    %m, %t0 = load_ptr_tko weak %mp : tile<2x2xptr<i1>> -> tile<2x2xi1>, token
    %zero = constant <i32: 0> : tile<2x2xi32>
    %big = constant <i32: 1000> : tile<2x2xi32>
    %e = select %m, %big, %zero : tile<2x2xi1>, tile<2x2xi32>
    %et = permute %e [1, 0] : tile<2x2xi32> -> tile<2x2xi32>
    %d = subi %e, %et : tile<2x2xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %xs = broadcast %x1 : tile<1x1xptr<f32>> -> tile<2x2xptr<f32>>
    %p = offset %xs, %d : tile<2x2xptr<f32>>, tile<2x2xi32> -> tile<2x2xptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<2x2xptr<f32>> -> tile<2x2xf32>, token
  }
}
