// A mask of the lowest n bits is made by shifting ones; for n = 32 all of them are asked for, but a
// shift of i32 by 32 is not specified (arithmetic, 4.1). That is a warning: an implementation may
// well give what the kernel wants. The twin shifts twice, by less.
// RUN: %pair --status=0 --grid 1 --arg "i32[4, 32]" --arg "zeros(2xi32),print" | FileCheck %s

!pair = !cuda_tile.partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %from = make_tensor_view %in, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %ins = make_partition_view %from : !pair
    %n, %t0 = load_view_tko weak %ins[%zero] : !pair, tile<i32> -> tile<2xi32>, token
    %ones = constant <i32: -1> : tile<2xi32>
    // CHECK: width.mlir:[[#@LINE+1]]:{{.*}} warning: block (0, 0, 0): shli: element [1]: a shift by 32, and i32 has 32 bits [shift]
    %above = shli %ones, %n : tile<2xi32>
    %mask = xori %above, %ones : tile<2xi32>
    %to = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %outs = make_partition_view %to : !pair
    // CHECK-NEXT: width.mlir:[[#@LINE+1]]:{{.*}} note: used here: store_view_tko: element [1]: an unspecified value is stored to parameter 2 (2xi32)
    %t1 = store_view_tko weak %mask, %outs[%zero] : tile<2xi32>, !pair, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: {{\[ *15 +-1\]}}
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %from = make_tensor_view %in, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %ins = make_partition_view %from : !pair
    %n, %t0 = load_view_tko weak %ins[%zero] : !pair, tile<i32> -> tile<2xi32>, token
    %ones = constant <i32: -1> : tile<2xi32>
    %one = constant <i32: 1> : tile<2xi32>
    %half = shri %n, %one unsigned : tile<2xi32>
    %rest = subi %n, %half : tile<2xi32>
    %some = shli %ones, %half : tile<2xi32>
    %above = shli %some, %rest : tile<2xi32>
    %mask = xori %above, %ones : tile<2xi32>
    %to = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xi32, strides=[1]>
    %outs = make_partition_view %to : !pair
    %t1 = store_view_tko weak %mask, %outs[%zero] : tile<2xi32>, !pair, tile<i32> -> token
  }
}
