// What code.test looks for.
cuda_tile.module @m {
  entry @k(%a: tile<f32>, %b: tile<f32>, %c: tile<f16>, %d: tile<f16>, %e: tile<bf16>, %f: tile<bf16>, %g: tile<f64>, %h: tile<f64>, %pa: tile<ptr<f32>>, %pc: tile<ptr<f16>>, %pe: tile<ptr<bf16>>, %pg: tile<ptr<f64>>) {
    %1 = maxf %a, %b : tile<f32>
    %2 = minf %1, %b flush_to_zero propagate_nan : tile<f32>
    %3 = store_ptr_tko weak %pa, %2 : tile<ptr<f32>>, tile<f32> -> token
    %4 = maxf %c, %d propagate_nan : tile<f16>
    %5 = store_ptr_tko weak %pc, %4 : tile<ptr<f16>>, tile<f16> -> token
    %6 = minf %e, %f : tile<bf16>
    %7 = store_ptr_tko weak %pe, %6 : tile<ptr<bf16>>, tile<bf16> -> token
    %8 = maxf %g, %h : tile<f64>
    %9 = minf %8, %h propagate_nan : tile<f64>
    %10 = store_ptr_tko weak %pg, %9 : tile<ptr<f64>>, tile<f64> -> token
  }
}
