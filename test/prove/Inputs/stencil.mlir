// y[i] = x[i - 1] + x[i + 1] for 0 < i < n - 1.
cuda_tile.module @m {
  entry @stencil(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %size = constant <i32: 64> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %first = muli %b, %size : tile<i32>
    %i = iota : tile<64xi32>
    %f1 = reshape %first : tile<i32> -> tile<1xi32>
    %fs = broadcast %f1 : tile<1xi32> -> tile<64xi32>
    %at = addi %fs, %i : tile<64xi32>
    %o1 = reshape %one : tile<i32> -> tile<1xi32>
    %ones = broadcast %o1 : tile<1xi32> -> tile<64xi32>
    %before = subi %at, %ones : tile<64xi32>
    %after = addi %at, %ones : tile<64xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<64xi32>
    %isNotFirst = cmpi greater_than_or_equal %at, %ones, signed : tile<64xi32> -> tile<64xi1>
    %isNotLast = cmpi less_than %after, %ns, signed : tile<64xi32> -> tile<64xi1>
    %inner = andi %isNotFirst, %isNotLast : tile<64xi1>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %x1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %y1 = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ys = broadcast %y1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %p0 = offset %xs, %before : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %p1 = offset %xs, %after : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %q = offset %ys, %at : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %pad = constant <f32: 0.0> : tile<64xf32>
    %v0, %t0 = load_ptr_tko weak %p0, %inner, %pad : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token
    %v1, %t1 = load_ptr_tko weak %p1, %inner, %pad : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token
    %v = addf %v0, %v1 : tile<64xf32>
    %t2 = store_ptr_tko weak %q, %v, %inner : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> token
  }
}
