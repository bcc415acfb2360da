// f8E4M3FN has no Inf. Padding it with one is unspecified (types, 6), and reported where the kernel
// stores what it has computed from it. f8E5M2 has one.
// RUN: %python %S/../tools/Inputs/status.py 0 %tilewright check %s 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=CHECK --match-full-lines --implicit-check-not=warning
// CHECK: {{.*}}:[[#@LINE+18]]:{{.*}}: warning: padding_value neg_inf is unspecified, because f8E4M3FN has no Inf

// RUN: %tilewright run %s --device reference --entry e4m3 --grid 1 --arg "f8E4M3FN[1, 2, 3, 4, 5]" --arg "zeros(8xf32)" 2>&1 | %python %S/../support/messages.py | FileCheck %s --check-prefix=E4M3 --implicit-check-not=error
// E4M3: warning: padding_value neg_inf is unspecified
// E4M3: warning: block (0, 0, 0): store_view_tko: element [5]: an unspecified value is stored to parameter 2 (8xf32) [unspecified]
// E4M3-NEXT: note: unspecified from here: load_view_tko: element [5]: outside of the tensor, at 5 of 5 along dimension 0, and the format has no Inf to pad with

// RUN: %tilewright run %s --device reference --entry e5m2 --grid 1 --arg "f8E5M2[1, 2, 3, 4, 5]" --arg "zeros(8xf32),print" 2>&1 | FileCheck %s --check-prefix=E5M2 --implicit-check-not="[unspecified]"
// E5M2: {{\[ *1 +2 +3 +4 +5 -inf -inf -inf\]}}

!out = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
!e4m3 = !cuda_tile.partition_view<tile=(8), padding_value = neg_inf, tensor_view<5xf8E4M3FN, strides=[1]>>
!e5m2 = !cuda_tile.partition_view<tile=(8), padding_value = neg_inf, tensor_view<5xf8E5M2, strides=[1]>>

cuda_tile.module @padding {
  entry @e4m3(%x: tile<ptr<f8E4M3FN>>, %y: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %x, shape = [5], strides = [1] : tensor_view<5xf8E4M3FN, strides=[1]>
    %p = make_partition_view %v : !e4m3
    %a, %t = load_view_tko weak %p[%0] : !e4m3, tile<i32> -> tile<8xf8E4M3FN>, token
    %f = ftof %a : tile<8xf8E4M3FN> -> tile<8xf32>
    %w = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %q = make_partition_view %w : !out
    %s = store_view_tko weak %f, %q[%0] : tile<8xf32>, !out, tile<i32> -> token
  }

  entry @e5m2(%x: tile<ptr<f8E5M2>>, %y: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %x, shape = [5], strides = [1] : tensor_view<5xf8E5M2, strides=[1]>
    %p = make_partition_view %v : !e5m2
    %a, %t = load_view_tko weak %p[%0] : !e5m2, tile<i32> -> tile<8xf8E5M2>, token
    %f = ftof %a : tile<8xf8E5M2> -> tile<8xf32>
    %w = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %q = make_partition_view %w : !out
    %s = store_view_tko weak %f, %q[%0] : tile<8xf32>, !out, tile<i32> -> token
  }
}
