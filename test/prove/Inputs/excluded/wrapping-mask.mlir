// n + 3 wraps around, so that the mask is not 3.
// LAUNCH: --grid 1,1,1 --arg 'zeros(4xf32)' --arg 2147483647 --arg -1
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i64>) {
    %three = constant <i32: 3> : tile<i32>
    %n3 = addi %n, %three : tile<i32>
    %a = exti %n3 signed : tile<i32> -> tile<i64>
    %b = exti %n signed : tile<i32> -> tile<i64>
    %mask = subi %a, %b : tile<i64>
    %i = andi %m, %mask : tile<i64>
    %p = offset %x, %i : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
