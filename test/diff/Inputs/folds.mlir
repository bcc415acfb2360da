// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans whose results do not depend on the order.
cuda_tile.module @m {
  entry @folds(%a_p: tile<ptr<i32>>, %b_p: tile<ptr<f32>>, %o0_p: tile<ptr<i32>>, %o1_p: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a_p, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %a_t = make_partition_view %a_v : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %a, %a_k = load_view_tko weak %a_t[%x] : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %b_v = make_tensor_view %b_p, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %b_t = make_partition_view %b_v : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>
    %b, %b_k = load_view_tko weak %b_t[%x] : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %m = reshape %a : tile<64xi32> -> tile<8x8xi32>
    %run = scan %m dim=1 reverse=false identities=[0 : i32] : tile<8x8xi32> -> tile<8x8xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %s = addi %p, %q : tile<i32>
      yield %s : tile<i32>
    }
    %back = scan %m dim=0 reverse=true identities=[0 : i32] : tile<8x8xi32> -> tile<8x8xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %s = addi %p, %q : tile<i32>
      yield %s : tile<i32>
    }
    %long = scan %a dim=0 reverse=false identities=[0 : i32] : tile<64xi32> -> tile<64xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %s = addi %p, %q : tile<i32>
      yield %s : tile<i32>
    }
    %sum = reduce %run dim=1 identities=[0 : i32] : tile<8x8xi32> -> tile<8xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %s = addi %p, %q : tile<i32>
      yield %s : tile<i32>
    }
    %sums = reshape %sum : tile<8xi32> -> tile<8x1xi32>
    %all = broadcast %sums : tile<8x1xi32> -> tile<8x8xi32>
    %turned = permute %all [1, 0] : tile<8x8xi32> -> tile<8x8xi32>
    %both = addi %turned, %back : tile<8x8xi32>
    %row = reshape %both : tile<8x8xi32> -> tile<64xi32>
    %flat = addi %row, %long : tile<64xi32>
    %least = reduce %b dim=0 identities=[0x7F800000 : f32] : tile<64xf32> -> tile<f32>
    (%p: tile<f32>, %q: tile<f32>) {
      %s = minf %p, %q : tile<f32>
      yield %s : tile<f32>
    }
    %one = reshape %least : tile<f32> -> tile<1xf32>
    %spread = broadcast %one : tile<1xf32> -> tile<64xf32>
    %rest = subf %spread, %b : tile<64xf32>
    %o0_v = make_tensor_view %o0_p, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %o0_t = make_partition_view %o0_v : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %o0_k = store_view_tko weak %flat, %o0_t[%x] : tile<64xi32>, partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> token
    %o1_v = make_tensor_view %o1_p, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %o1_t = make_partition_view %o1_v : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>
    %o1_k = store_view_tko weak %rest, %o1_t[%x] : tile<64xf32>, partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>, tile<i32> -> token
  }
}
