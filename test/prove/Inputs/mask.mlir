cuda_tile.module @m {
  entry @mask(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %size = constant <i32: 256> : tile<i32>
    %first = muli %b, %size : tile<i32>
    %first1 = reshape %first : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<256xi32>
    %i = iota : tile<256xi32>
    %offsets = addi %firsts, %i : tile<256xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<256xi32>
    %inside = cmpi less_than %offsets, %ns, signed : tile<256xi32> -> tile<256xi1>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %x1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %p = offset %xs, %offsets : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %v = constant <f32: 1.0> : tile<256xf32>
    %t = store_ptr_tko weak %p, %v, %inside : tile<256xptr<f32>>, tile<256xf32>, tile<256xi1> -> token
  }
}
