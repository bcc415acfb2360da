// Copies 16x32 tiles of an m x n matrix through masked pointers; rows have any stride that is not negative.
cuda_tile.module @m {
  entry @matrix(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %sx0: tile<i32>, %sy0: tile<i32>) {
    %sx = assume bounded<0, ?>, %sx0 : tile<i32>
    %sy = assume bounded<0, ?>, %sy0 : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %c16 = constant <i32: 16> : tile<i32>
    %c32 = constant <i32: 32> : tile<i32>
    %r0 = muli %b, %c16 : tile<i32>
    %c0 = muli %by, %c32 : tile<i32>
    %ri = iota : tile<16xi32>
    %ci = iota : tile<32xi32>
    %r1 = reshape %r0 : tile<i32> -> tile<1xi32>
    %r2 = broadcast %r1 : tile<1xi32> -> tile<16xi32>
    %r3 = addi %r2, %ri : tile<16xi32>
    %r4 = reshape %r3 : tile<16xi32> -> tile<16x1xi32>
    %rows = broadcast %r4 : tile<16x1xi32> -> tile<16x32xi32>
    %c1 = reshape %c0 : tile<i32> -> tile<1xi32>
    %c2 = broadcast %c1 : tile<1xi32> -> tile<32xi32>
    %c3 = addi %c2, %ci : tile<32xi32>
    %c4 = reshape %c3 : tile<32xi32> -> tile<1x32xi32>
    %columns = broadcast %c4 : tile<1x32xi32> -> tile<16x32xi32>
    %m1 = reshape %m : tile<i32> -> tile<1x1xi32>
    %ms = broadcast %m1 : tile<1x1xi32> -> tile<16x32xi32>
    %n1 = reshape %n : tile<i32> -> tile<1x1xi32>
    %ns = broadcast %n1 : tile<1x1xi32> -> tile<16x32xi32>
    %inRows = cmpi less_than %rows, %ms, signed : tile<16x32xi32> -> tile<16x32xi1>
    %inColumns = cmpi less_than %columns, %ns, signed : tile<16x32xi32> -> tile<16x32xi1>
    %inside = andi %inRows, %inColumns : tile<16x32xi1>
    %sx1 = reshape %sx : tile<i32> -> tile<1x1xi32>
    %sxs = broadcast %sx1 : tile<1x1xi32> -> tile<16x32xi32>
    %sy1 = reshape %sy : tile<i32> -> tile<1x1xi32>
    %sys = broadcast %sy1 : tile<1x1xi32> -> tile<16x32xi32>
    %ox0 = muli %rows, %sxs : tile<16x32xi32>
    %ox = addi %ox0, %columns : tile<16x32xi32>
    %oy0 = muli %rows, %sys : tile<16x32xi32>
    %oy = addi %oy0, %columns : tile<16x32xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %xs = broadcast %x1 : tile<1x1xptr<f32>> -> tile<16x32xptr<f32>>
    %y1 = reshape %y : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %ys = broadcast %y1 : tile<1x1xptr<f32>> -> tile<16x32xptr<f32>>
    %px = offset %xs, %ox : tile<16x32xptr<f32>>, tile<16x32xi32> -> tile<16x32xptr<f32>>
    %py = offset %ys, %oy : tile<16x32xptr<f32>>, tile<16x32xi32> -> tile<16x32xptr<f32>>
    %pad = constant <f32: 0.0> : tile<16x32xf32>
    %v, %t = load_ptr_tko weak %px, %inside, %pad : tile<16x32xptr<f32>>, tile<16x32xi1>, tile<16x32xf32> -> tile<16x32xf32>, token
    %u = store_ptr_tko weak %py, %v, %inside : tile<16x32xptr<f32>>, tile<16x32xf32>, tile<16x32xi1> -> token
  }
}
