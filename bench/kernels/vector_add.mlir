// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a + b, $N elements per block.

!vector = !cuda_tile.tensor_view<?xf32, strides=[1]>
!parts = !cuda_tile.partition_view<tile=($N), tensor_view<?xf32, strides=[1]>>

cuda_tile.module @memory {
  entry @vector_add(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>, %size: tile<i32>) {
    %a_view = make_tensor_view %a, shape = [%size], strides = [1] : tile<i32> -> !vector
    %b_view = make_tensor_view %b, shape = [%size], strides = [1] : tile<i32> -> !vector
    %c_view = make_tensor_view %c, shape = [%size], strides = [1] : tile<i32> -> !vector
    %a_parts = make_partition_view %a_view : !parts
    %b_parts = make_partition_view %b_view : !parts
    %c_parts = make_partition_view %c_view : !parts
    %x, %by, %bz = get_tile_block_id : tile<i32>

    %s, %s_token = load_view_tko weak %a_parts[%x] : !parts, tile<i32> -> tile<${N}xf32>, token
    %t, %t_token = load_view_tko weak %b_parts[%x] : !parts, tile<i32> -> tile<${N}xf32>, token
    %sum = addf %s, %t : tile<${N}xf32>
    %c_token = store_view_tko weak %sum, %c_parts[%x] : tile<${N}xf32>, !parts, tile<i32> -> token
    return
  }
}
