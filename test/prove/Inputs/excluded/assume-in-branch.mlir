// The assumption is made only in the branch that is not taken.
// LAUNCH: --grid 1,1,1 --arg 'zeros(100xf32)' --arg -1
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %c = cmpi greater_than %n, %zero, signed : tile<i32> -> tile<i1>
    %bad = constant <i32: 1000> : tile<1xi32>
    %r = if %c -> (tile<1xi32>) {
      %q = assume bounded<0, ?>, %n1 : tile<1xi32>
      yield %q : tile<1xi32>
    } else {
      yield %bad : tile<1xi32>
    }
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p = offset %x1, %r : tile<1xptr<f32>>, tile<1xi32> -> tile<1xptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<1xptr<f32>> -> tile<1xf32>, token
  }
}
