// The forms that Tilewright wrote for 13.4 and 13.5 before the vendor's were known are read as the latter
// (docs/decisions/text-form.md). %S/../roundtrip/since-13.4.mlir is what they print.
// RUN: %tilewright print %s > %t
// RUN: grep -v "^//" %S/../roundtrip/since-13.4.mlir | sed 1d | diff - %t
cuda_tile.module @since {
  entry @k(%p: tile<ptr<i32, multicast>>, %q: tile<ptr<f32, unicast>>, %d: tile<ptr<f32, default>>, %n: tile<i32>, %e: tile<ptr<fnv8E5M3FNU>>) {
    %c = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [%n, 64], strides = [%n, 1] : tile<i32> -> tensor_view<?x64xi32, strides=[?,1], multicast>
    %w = make_partition_view %v : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], multicast>, dim_map=[1, 0]>
    %v0 = make_tensor_view %q, shape = [], strides = [] : tensor_view<f32, unicast>
    %vd = make_tensor_view %d, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1], default>
    %sv = make_strided_view %vd : strided_view<tile=(8), traversal_strides=[4], tensor_view<8xf32, strides=[1], default>>
    %t0 = make_token : token
    %x, %t1 = multimem_load_reduce_view_tko relaxed sys %w[%c, %c], umin token = %t0 : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], multicast>, dim_map=[1, 0]>, tile<i32> -> tile<16x16xi32>, token
    %x2, %t12 = multimem_load_reduce_view_tko weak %w[%c, %c], add : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], multicast>, dim_map=[1, 0]>, tile<i32> -> tile<16x16xi32>, token
    %t2 = multimem_reduce_view_tko release sys %w[%c, %c], xor, %x inbounds = [true, false] token = %t1 : tile<16x16xi32>, partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], multicast>, dim_map=[1, 0]>, tile<i32> -> token
    %t3 = multimem_store_view_tko release device %x, %w[%c, %c] inbounds = [false, true] token = %t2 : tile<16x16xi32>, partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xi32, strides=[?,1], multicast>, dim_map=[1, 0]>, tile<i32> -> token
    %t4 = gdc_wait_tko token = %t3 -> token
    %t5 = gdc_launch_dependents_tko -> token
    %t6 = memory_fence_alias_tko token = %t4 -> token
    %y, %t7 = load_view_tko weak %sv[%c] inbounds = [true] token = %t6 optimization_hints = <sm_100 = {allow_tma = true, latency = 4}> : strided_view<tile=(8), traversal_strides=[4], tensor_view<8xf32, strides=[1], default>>, tile<i32> -> tile<8xf32>, token
    %t8 = store_view_tko release device %y, %sv[%c] inbounds = [true] token = %t7 optimization_hints = <sm_100 = {allow_tma = true, latency = 4}> : tile<8xf32>, strided_view<tile=(8), traversal_strides=[4], tensor_view<8xf32, strides=[1], default>>, tile<i32> -> token
    %t9 = atomic_red_view_tko relaxed device %sv[%c], addf, %y inbounds = [true] token = %t8 : tile<8xf32>, strided_view<tile=(8), traversal_strides=[4], tensor_view<8xf32, strides=[1], default>>, tile<i32> -> token
    %pp = ptr_to_ptr %p : tile<ptr<i32, multicast>> -> tile<ptr<f32, unicast>>
    %z = extract %y[%c] : tile<8xf32> -> tile<1xf32>
  }
  entry @s() {
    %c = constant <i32: 0> : tile<i32>
    %f = constant <f32: 0.0> : tile<f32>
    %r = insert %f, %f[] : tile<f32> -> tile<f32>
    %i = ftoi %f signed rounding<nearest_int_to_zero> saturating : tile<f32> -> tile<i32>
    %g = fpowi %f, %i : tile<f32>, tile<i32> -> tile<f32>
  }
}
