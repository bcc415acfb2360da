// Each block sums a row of n elements in chunks of 32, with a carried pointer and a mask.
cuda_tile.module @m {
  entry @chunks(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>, %stride0: tile<i32>) {
    %stride = assume bounded<0, ?>, %stride0 : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %size = constant <i32: 32> : tile<i32>
    %i = iota : tile<32xi32>
    %row = muli %b, %stride : tile<i32>
    %start = offset %x, %row : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %s1 = reshape %start : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ss = broadcast %s1 : tile<1xptr<f32>> -> tile<32xptr<f32>>
    %p0 = offset %ss, %i : tile<32xptr<f32>>, tile<32xi32> -> tile<32xptr<f32>>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ns = broadcast %n1 : tile<1xi32> -> tile<32xi32>
    %steps1 = reshape %size : tile<i32> -> tile<1xi32>
    %steps = broadcast %steps1 : tile<1xi32> -> tile<32xi32>
    %none = constant <f32: 0.0> : tile<32xf32>
    %end, %sum = for %at in (%zero to %n, step %size) : tile<i32> iter_values(%p = %p0, %acc = %none) -> (tile<32xptr<f32>>, tile<32xf32>) {
      %at1 = reshape %at : tile<i32> -> tile<1xi32>
      %ats = broadcast %at1 : tile<1xi32> -> tile<32xi32>
      %columns = addi %ats, %i : tile<32xi32>
      %inside = cmpi less_than %columns, %ns, signed : tile<32xi32> -> tile<32xi1>
      %v, %t = load_ptr_tko weak %p, %inside, %none : tile<32xptr<f32>>, tile<32xi1>, tile<32xf32> -> tile<32xf32>, token
      %next = offset %p, %steps : tile<32xptr<f32>>, tile<32xi32> -> tile<32xptr<f32>>
      %more = addf %acc, %v : tile<32xf32>
      continue %next, %more : tile<32xptr<f32>>, tile<32xf32>
    }
    %rest = reduce %sum dim=0 identities=[0.000000e+00 : f32] : tile<32xf32> -> tile<f32> (%a: tile<f32>, %c: tile<f32>) {
      %both = addf %a, %c : tile<f32>
      yield %both : tile<f32>
    }
    %py = offset %y, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %u = store_ptr_tko weak %py, %rest : tile<ptr<f32>>, tile<f32> -> token
  }
}
