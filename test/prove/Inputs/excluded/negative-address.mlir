// Nothing has a negative address.
// LAUNCH: --grid 1,1,1 --arg 'zeros(1xf32)' --arg -1152921504606846976
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %n: tile<i64>) {
    %zero = constant <i64: 0> : tile<i64>
    %neg = subi %zero, %n : tile<i64>
    %p = offset %x, %n : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
    %q = offset %p, %neg : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
  }
}
