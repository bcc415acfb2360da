// Scales in the order of tcgen05.cp, but of tiles that overlap along a row of 16 bytes: a tensor map of merged dimensions
// would copy rows from their beginning, and not from the tile's first element.
// RUN: %tilewright compile %s --target sm_100a --emit plan | FileCheck %s
// CHECK: scales of lhs are stored by the consumers, ahead of the multiplier
// CHECK-SAME: scales of rhs are copied by the producer warp
cuda_tile.module @m {
  entry @k(%a0: tile<ptr<f8E4M3FN>>, %b0: tile<ptr<f8E4M3FN>>, %s0: tile<ptr<f8E8M0FNU>>, %t0: tile<ptr<f8E8M0FNU>>, %c0: tile<ptr<f32>>, %d0: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f8E4M3FN>>
    %b = assume div_by<16>, %b0 : tile<ptr<f8E4M3FN>>
    %s = assume div_by<16>, %s0 : tile<ptr<f8E8M0FNU>>
    %t = assume div_by<16>, %t0 : tile<ptr<f8E8M0FNU>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %d = assume div_by<16>, %d0 : tile<ptr<f32>>
    %av = make_tensor_view %a, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf8E4M3FN, strides=[128, 1]>
    %ap = make_partition_view %av : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf8E4M3FN, strides=[128, 1]>>
    %bv = make_tensor_view %b, shape = [128, 128], strides = [1, 128] : tensor_view<128x128xf8E4M3FN, strides=[1, 128]>
    %bp = make_partition_view %bv : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf8E4M3FN, strides=[1, 128]>>
    %sv = make_tensor_view %s, shape = [1, 1, 32, 4, 4], strides = [512, 512, 16, 4, 1] : tensor_view<1x1x32x4x4xf8E8M0FNU, strides=[512, 512, 16, 4, 1]>
    %sp = make_strided_view %sv : strided_view<tile=(1x1x32x4x4), traversal_strides=[1,1,32,1,4], padding_value = zero, tensor_view<1x1x32x4x4xf8E8M0FNU, strides=[512, 512, 16, 4, 1]>>
    %tv = make_tensor_view %t, shape = [1, 1, 32, 4, 4], strides = [512, 512, 16, 4, 1] : tensor_view<1x1x32x4x4xf8E8M0FNU, strides=[512, 512, 16, 4, 1]>
    %tp = make_partition_view %tv : partition_view<tile=(1x1x32x4x4), padding_value = zero, tensor_view<1x1x32x4x4xf8E8M0FNU, strides=[512, 512, 16, 4, 1]>>
    %cv = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128, 1]>
    %cp = make_partition_view %cv : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf32, strides=[128, 1]>>
    %dv = make_tensor_view %d, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128, 1]>
    %dp = make_partition_view %dv : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf32, strides=[128, 1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %end = constant <i32: 1> : tile<i32>
    %rows = constant <i32: 1> : tile<i32>
    
    %ct, %ck = load_view_tko weak %cp[%x, %y] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf32, strides=[128, 1]>>, tile<i32> -> tile<128x128xf32>, token
    %sums = for %i in (%0 to %end, step %1) : tile<i32> iter_values(%before = %ct) -> (tile<128x128xf32>) {
      %at, %ak = load_view_tko weak %ap[%x, %i] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf8E4M3FN, strides=[128, 1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %bt, %bk = load_view_tko weak %bp[%i, %y] : partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf8E4M3FN, strides=[1, 128]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %sl, %sk = load_view_tko weak %sp[%x, %i, %0, %1, %0] : strided_view<tile=(1x1x32x4x4), traversal_strides=[1,1,32,1,4], padding_value = zero, tensor_view<1x1x32x4x4xf8E8M0FNU, strides=[512, 512, 16, 4, 1]>>, tile<i32> -> tile<1x1x32x4x4xf8E8M0FNU>, token
      %sm = permute %sl [0, 3, 2, 1, 4] : tile<1x1x32x4x4xf8E8M0FNU> -> tile<1x4x32x1x4xf8E8M0FNU>
      %st = reshape %sm : tile<1x4x32x1x4xf8E8M0FNU> -> tile<128x4xf8E8M0FNU>
      %tl, %tk = load_view_tko weak %tp[%y, %i, %0, %0, %0] : partition_view<tile=(1x1x32x4x4), padding_value = zero, tensor_view<1x1x32x4x4xf8E8M0FNU, strides=[512, 512, 16, 4, 1]>>, tile<i32> -> tile<1x1x32x4x4xf8E8M0FNU>, token
      %tm = permute %tl [1, 4, 0, 3, 2] : tile<1x1x32x4x4xf8E8M0FNU> -> tile<1x4x1x4x32xf8E8M0FNU>
      %tt = reshape %tm : tile<1x4x1x4x32xf8E8M0FNU> -> tile<4x128xf8E8M0FNU>
      
      %after = mmaf_scaled %at, %bt, %before, %st, %tt : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      continue %after : tile<128x128xf32>
    }
    %stored = store_view_tko weak %sums, %dp[%x, %y] : tile<128x128xf32>, partition_view<tile=(128x128), padding_value = zero, tensor_view<128x128xf32, strides=[128, 1]>>, tile<i32> -> token
    
    return
  }
}