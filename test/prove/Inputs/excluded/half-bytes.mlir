// Two f4E2M1FN elements share a byte: element 16 lies 8 bytes after the first one.
// LAUNCH: --grid 1 --arg zeros(64xf4E2M1FN)
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f4E2M1FN>>) {
    %c = constant <i32: 16> : tile<i32>
    %p = offset %x, %c : tile<ptr<f4E2M1FN>>, tile<i32> -> tile<ptr<f4E2M1FN>>
    %q = assume div_by<16>, %p : tile<ptr<f4E2M1FN>>
  }
}
