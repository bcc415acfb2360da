// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer operations on numbers of both signs.
cuda_tile.module @m {
  entry @integers(%a_p: tile<ptr<i32>>, %b_p: tile<ptr<i32>>, %o0_p: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a_p, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %a_t = make_partition_view %a_v : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %a, %a_k = load_view_tko weak %a_t[%x] : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %b_v = make_tensor_view %b_p, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %b_t = make_partition_view %b_v : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %b, %b_k = load_view_tko weak %b_t[%x] : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %c = subi %a, %b : tile<64xi32>
    %d = subi %b, %a : tile<64xi32>
    %one = constant <i32: 1> : tile<64xi32>
    %many = constant <i32: 7> : tile<64xi32>
    %odd = ori %b, %one : tile<64xi32>
    %hi = mulhii %c, %d : tile<64xi32>
    %abs = absi %c : tile<64xi32>
    %max = maxi %c, %b signed : tile<64xi32>
    %min = mini %c, %b unsigned : tile<64xi32>
    %shift = shri %c, %many signed : tile<64xi32>
    %down = divi %c, %odd signed rounding<negative_inf> : tile<64xi32>
    %up = divi %d, %odd signed rounding<positive_inf> : tile<64xi32>
    %rem = remi %c, %odd signed : tile<64xi32>
    %flip = xori %c, %b : tile<64xi32>
    %less = cmpi less_than %c, %b, signed : tile<64xi32> -> tile<64xi1>
    %pick = select %less, %hi, %flip : tile<64xi1>, tile<64xi32>
    %s0 = addi %abs, %max : tile<64xi32>
    %s1 = addi %min, %shift : tile<64xi32>
    %s2 = addi %down, %up : tile<64xi32>
    %s3 = xori %s0, %s1 : tile<64xi32>
    %s4 = xori %s2, %rem : tile<64xi32>
    %s5 = xori %s3, %s4 : tile<64xi32>
    %sum = addi %pick, %s5 : tile<64xi32>
    %o0_v = make_tensor_view %o0_p, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %o0_t = make_partition_view %o0_v : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %o0_k = store_view_tko weak %sum, %o0_t[%x] : tile<64xi32>, partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> token
  }
}
