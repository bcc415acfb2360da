// A store through a list of rows: threads get indices of others through shared memory, and the
// elements, which memory has in another order, by shuffles.

// RUN: %tilewright compile %s --target sm_90 --emit plan -o - | FileCheck %s
// CHECK: entry @k: sm_90a, 128 threads, 64 bytes of shared memory
// CHECK: store_view_tko at {{.*}}: through 64 bytes of shared memory, 1 chunk, because indices are shared across threads
// CHECK: store_view_tko at {{.*}}: lane shuffles swap lane bit 4 and register bit 1, because the access uses a coalesced layout

// RUN: %tilewright run %s --device ptx --grid 1 --arg 'iota(360xf64)' --arg 12 --arg 1 --arg 'zeros(160xf64),out=%t.npy' --arg 32 --arg 5
// Of the 32 rows of 5 elements, column 4 gets the first 12 of them, and infinity behind.
// RUN: %python -c "import numpy, sys; x = numpy.load(sys.argv[1]).reshape(32, 5); rows = [22, 10, 27, 31, 3, 11, 18, 1, 30, 5, 4, 25, 17, 0, 26, 29, 15, 20, 12, 14, 23, 24, 8, 6, 19, 9, 16, 28, 7, 21, 13, 2]; assert (x[:, :4] == 0).all() and (x[rows[:12], 4] == numpy.arange(12)).all() and numpy.isinf(x[rows[12:], 4]).all()" %t.npy
cuda_tile.module @m {
  entry @k(%a0: tile<ptr<f64>>, %a1: tile<i8>, %a2: tile<i8>, %a3: tile<ptr<f64>>, %a4: tile<i16>, %a5: tile<i16>) {
    %6 = make_tensor_view %a0, shape = [30, %a1], strides = [12, %a2] : tile<i8> -> tensor_view<30x?xf64, strides=[12,?]>
    %7 = make_partition_view %6 : partition_view<tile=(32x32), padding_value = pos_inf, tensor_view<30x?xf64, strides=[12,?]>, dim_map=[1, 0]>
    %8 = constant <i32: 0> : tile<i32>
    %9 = constant <i32: 0> : tile<i32>
    %10, %11 = load_view_tko weak %7[%8, %9] optimization_hints = <sm_90 = {allow_tma = false}> : partition_view<tile=(32x32), padding_value = pos_inf, tensor_view<30x?xf64, strides=[12,?]>, dim_map=[1, 0]>, tile<i32> -> tile<32x32xf64>, token
    %12 = constant <i16: 5> : tile<i16>
    %13 = constant <i16: 1> : tile<i16>
    %14 = make_tensor_view %a3, shape = [%a4, %a5], strides = [%12, %13] : tile<i16> -> tensor_view<?x?xf64, strides=[?,?]>
    %15 = make_gather_scatter_view %14 : gather_scatter_view<tile=(32x32), tensor_view<?x?xf64, strides=[?,?]>, sparse_dim=0>
    %16 = constant <i16: 4> : tile<i16>
    %17 = constant <i16: [22, 10, 27, 31, 3, 11, 18, 1, 30, 5, 4, 25, 17, 0, 26, 29, 15, 20, 12, 14, 23, 24, 8, 6, 19, 9, 16, 28, 7, 21, 13, 2]> : tile<32xi16>
    %18 = store_view_tko weak %10, %15[%17, %16] : tile<32x32xf64>, gather_scatter_view<tile=(32x32), tensor_view<?x?xf64, strides=[?,?]>, sparse_dim=0>, tile<32xi16>, tile<i16> -> token
  }
}
