// f8E5M3FNU has no sign, and what becomes of that of a negative number nothing specifies (13.4, section
// 8.2): the magnitude here, and perhaps something else elsewhere. The twin takes it away itself.
// RUN: %pair --status=0 --grid 1 --arg "f32[1, -0.0, -1.5, nan]" --arg "zeros(4xf8E5M3FNU),print" | FileCheck %s

!in = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!out = !cuda_tile.partition_view<tile=(4), tensor_view<4xf8E5M3FNU, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>, %out: tile<ptr<f8E5M3FNU>>) {
    %zero = constant <i32: 0> : tile<i32>
    %from = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %ins = make_partition_view %from : !in
    %x, %t0 = load_view_tko weak %ins[%zero] : !in, tile<i32> -> tile<4xf32>, token
    // CHECK: e5m3.mlir:[[#@LINE+1]]:{{.*}} warning: block (0, 0, 0): ftof: element [2]: -1.5 is negative, and f8E5M3FNU has no sign [unspecified]
    %r = ftof %x : tile<4xf32> -> tile<4xf8E5M3FNU>
    %to = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xf8E5M3FNU, strides=[1]>
    %outs = make_partition_view %to : !out
    // CHECK-NEXT: e5m3.mlir:[[#@LINE+1]]:{{.*}} note: used here: store_view_tko: element [2]: an unspecified value is stored to parameter 2 (4xf8E5M3FNU)
    %t1 = store_view_tko weak %r, %outs[%zero] : tile<4xf8E5M3FNU>, !out, tile<i32> -> token
    // CHECK: e5m3.mlir:[[#@LINE+2]]:{{.*}} warning: block (0, 0, 0): itof: -3 is negative, and f8E5M3FNU has no sign [unspecified]
    %minus = constant <i8: -3> : tile<i8>
    %n = itof %minus signed : tile<i8> -> tile<f8E5M3FNU>
    %t2 = print_tko "%f\n", %n : tile<f8E5M3FNU> -> token
  }

  // CHECK: fixed:
  // CHECK-NOT: warning
  // CHECK: {{\[ *1 +0 +1.5 +nan\]}}
  entry @fixed(%in: tile<ptr<f32>>, %out: tile<ptr<f8E5M3FNU>>) {
    %zero = constant <i32: 0> : tile<i32>
    %from = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %ins = make_partition_view %from : !in
    %x, %t0 = load_view_tko weak %ins[%zero] : !in, tile<i32> -> tile<4xf32>, token
    %size = absf %x : tile<4xf32>
    %r = ftof %size : tile<4xf32> -> tile<4xf8E5M3FNU>
    %to = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xf8E5M3FNU, strides=[1]>
    %outs = make_partition_view %to : !out
    %t1 = store_view_tko weak %r, %outs[%zero] : tile<4xf8E5M3FNU>, !out, tile<i32> -> token
    %minus = constant <i8: -3> : tile<i8>
    %size8 = absi %minus : tile<i8>
    %n = itof %size8 signed : tile<i8> -> tile<f8E5M3FNU>
    %t2 = print_tko "%f\n", %n : tile<f8E5M3FNU> -> token
  }
}
