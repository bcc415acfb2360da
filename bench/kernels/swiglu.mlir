// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = gate / (1 + exp(-gate)) * up, $N elements per block.

!vector = !cuda_tile.tensor_view<?xf32, strides=[1]>
!parts = !cuda_tile.partition_view<tile=($N), tensor_view<?xf32, strides=[1]>>

cuda_tile.module @rows {
  entry @swiglu(%gate: tile<ptr<f32>>, %up: tile<ptr<f32>>, %y: tile<ptr<f32>>, %size: tile<i32>) {
    %gate_view = make_tensor_view %gate, shape = [%size], strides = [1] : tile<i32> -> !vector
    %up_view = make_tensor_view %up, shape = [%size], strides = [1] : tile<i32> -> !vector
    %y_view = make_tensor_view %y, shape = [%size], strides = [1] : tile<i32> -> !vector
    %gate_parts = make_partition_view %gate_view : !parts
    %up_parts = make_partition_view %up_view : !parts
    %y_parts = make_partition_view %y_view : !parts
    %x, %by, %bz = get_tile_block_id : tile<i32>

    %g, %g_token = load_view_tko weak %gate_parts[%x] : !parts, tile<i32> -> tile<${N}xf32>, token
    %u, %u_token = load_view_tko weak %up_parts[%x] : !parts, tile<i32> -> tile<${N}xf32>, token
    %minus = negf %g : tile<${N}xf32>
    %power = exp %minus : tile<${N}xf32>
    %one = constant <f32: 1.0> : tile<${N}xf32>
    %below = addf %one, %power : tile<${N}xf32>
    %silu = divf %g, %below : tile<${N}xf32>
    %result = mulf %silu, %u : tile<${N}xf32>
    %y_token = store_view_tko weak %result, %y_parts[%x] : tile<${N}xf32>, !parts, tile<i32> -> token
    return
  }
}
