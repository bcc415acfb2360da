// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that exchange carried tiles, count unsigned, and end in the middle of a step.
cuda_tile.module @m {
  entry @loops(%a: tile<ptr<i32>>, %o: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %most = constant <i32: -2147483645> : tile<i32>
    %near = constant <i32: 2147483646> : tile<i32>
    %pav = make_tensor_view %a, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %pa = make_partition_view %pav : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %pov = make_tensor_view %o, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %po = make_partition_view %pov : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %p, %k0 = load_view_tko weak %pa[%zero] : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %q, %k1 = load_view_tko weak %pa[%one] : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %u, %v = for %i in (%zero to %five, step %two) : tile<i32> iter_values(%c = %p, %d = %q) -> (tile<64xi32>, tile<64xi32>) {
      continue %d, %c : tile<64xi32>, tile<64xi32>
    }
    %w = for unsigned %i in (%near to %most, step %one) : tile<i32> iter_values(%c = %u) -> (tile<64xi32>) {
      %next = addi %c, %v : tile<64xi32>
      continue %next : tile<64xi32>
    }
    %k2 = store_view_tko weak %w, %po[%zero] : tile<64xi32>, partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> token
    %k3 = store_view_tko weak %u, %po[%one] : tile<64xi32>, partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> token
  }
}
