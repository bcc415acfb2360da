// Where there is no memory left the launch ends with one line and status 2, and no output file is
// written. Sixteen tiles of 64 MiB are alive, of 1 GiB that the process may have.
// UNSUPPORTED: address, thread
// RUN: rm -f %t.npy
// RUN: bash -c 'ulimit -v 1000000; exec %python %S/../tools/Inputs/status.py 2 %tilewright run %s --device reference --grid 1 --arg "zeros(1xf32),out=%t.npy"' 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: count 1 < %t.err
// RUN: not ls %t.npy
// CHECK: tilewright run: out of memory

!t = !cuda_tile.tile<1x1xf32>
!big = !cuda_tile.tile<4096x4096xf32>
cuda_tile.module @m {
  entry @k(%out: tile<ptr<f32>>) {
    %one = constant <f32: 1.0> : !t
    %b0 = broadcast %one : !t -> !big
    %s0 = addf %b0, %b0 : !big
    %b1 = broadcast %one : !t -> !big
    %s1 = addf %b1, %b1 : !big
    %b2 = broadcast %one : !t -> !big
    %s2 = addf %b2, %b2 : !big
    %b3 = broadcast %one : !t -> !big
    %s3 = addf %b3, %b3 : !big
    %b4 = broadcast %one : !t -> !big
    %s4 = addf %b4, %b4 : !big
    %b5 = broadcast %one : !t -> !big
    %s5 = addf %b5, %b5 : !big
    %b6 = broadcast %one : !t -> !big
    %s6 = addf %b6, %b6 : !big
    %b7 = broadcast %one : !t -> !big
    %s7 = addf %b7, %b7 : !big
    %b8 = broadcast %one : !t -> !big
    %s8 = addf %b8, %b8 : !big
    %b9 = broadcast %one : !t -> !big
    %s9 = addf %b9, %b9 : !big
    %b10 = broadcast %one : !t -> !big
    %s10 = addf %b10, %b10 : !big
    %b11 = broadcast %one : !t -> !big
    %s11 = addf %b11, %b11 : !big
    %v = constant <f32: 1.0> : tile<f32>
    %t = store_ptr_tko weak %out, %v : tile<ptr<f32>>, tile<f32> -> token
  }
}
