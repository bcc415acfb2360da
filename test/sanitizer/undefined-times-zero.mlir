// c = alpha * a + beta * c with beta = 0, where nobody has filled c: what is there may be a NaN, and
// 0 * NaN is NaN. The twin selects: with beta = 0 it does not use c.
// RUN: %pair --grid 1 --arg "f32[1, 2]" --arg "empty(2xf32),print" --arg 2 --arg 0 | FileCheck %s
// The PTX machine says so too.
// RUN: not %tilewright run %s --entry bug --device ptx --grid 1 --arg "f32[1, 2]" --arg "empty(2xf32)" --arg 2 --arg 0 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: error: {{.*}}[undefined-value]

!memory = !cuda_tile.tensor_view<2xf32, strides=[1]>
!tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xf32, strides=[1]>>
cuda_tile.module @sanitizer {
  entry @bug(%a_ptr: tile<ptr<f32>>, %c_ptr: tile<ptr<f32>>, %alpha: tile<f32>, %beta: tile<f32>) {
    %first = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2], strides = [1] : !memory
    %a_tiles = make_partition_view %a_view : !tiles
    %c_view = make_tensor_view %c_ptr, shape = [2], strides = [1] : !memory
    %c_tiles = make_partition_view %c_view : !tiles
    %a, %t0 = load_view_tko weak %a_tiles[%first] : !tiles, tile<i32> -> tile<2xf32>, token
    %c, %t1 = load_view_tko weak %c_tiles[%first] : !tiles, tile<i32> -> tile<2xf32>, token
    %alpha1 = reshape %alpha : tile<f32> -> tile<1xf32>
    %alphas = broadcast %alpha1 : tile<1xf32> -> tile<2xf32>
    %beta1 = reshape %beta : tile<f32> -> tile<1xf32>
    %betas = broadcast %beta1 : tile<1xf32> -> tile<2xf32>
    %x = mulf %alphas, %a : tile<2xf32>
    %y = mulf %betas, %c : tile<2xf32>
    %sum = addf %x, %y : tile<2xf32>
    // CHECK: zero.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): store_view_tko: element [0]: an undefined value is stored to parameter 2 (2xf32) [undefined]
    // CHECK-NEXT: zero.mlir:[[#@LINE-9]]:{{.*}} note: undefined from here: load_view_tko: element [0]: reads memory that was never written
    %t2 = store_view_tko weak %sum, %c_tiles[%first] token=%t1 : tile<2xf32>, !tiles, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: {{\[ *2,? +4\]}}
  entry @fixed(%a_ptr: tile<ptr<f32>>, %c_ptr: tile<ptr<f32>>, %alpha: tile<f32>, %beta: tile<f32>) {
    %first = constant <i32: 0> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<2xf32>
    %a_view = make_tensor_view %a_ptr, shape = [2], strides = [1] : !memory
    %a_tiles = make_partition_view %a_view : !tiles
    %c_view = make_tensor_view %c_ptr, shape = [2], strides = [1] : !memory
    %c_tiles = make_partition_view %c_view : !tiles
    %a, %t0 = load_view_tko weak %a_tiles[%first] : !tiles, tile<i32> -> tile<2xf32>, token
    %c, %t1 = load_view_tko weak %c_tiles[%first] : !tiles, tile<i32> -> tile<2xf32>, token
    %alpha1 = reshape %alpha : tile<f32> -> tile<1xf32>
    %alphas = broadcast %alpha1 : tile<1xf32> -> tile<2xf32>
    %beta1 = reshape %beta : tile<f32> -> tile<1xf32>
    %betas = broadcast %beta1 : tile<1xf32> -> tile<2xf32>
    %x = mulf %alphas, %a : tile<2xf32>
    %y = mulf %betas, %c : tile<2xf32>
    %is_zero = cmpf equal ordered %betas, %zeros : tile<2xf32> -> tile<2xi1>
    %added = select %is_zero, %zeros, %y : tile<2xi1>, tile<2xf32>
    %sum = addf %x, %added : tile<2xf32>
    %t2 = store_view_tko weak %sum, %c_tiles[%first] token=%t1 : tile<2xf32>, !tiles, tile<i32> -> token
  }
}
