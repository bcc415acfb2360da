// What threads get of each other goes through shared memory in several turns, if it does not fit into
// what is left. An element comes in one of them, and is zero before: ptxas 13.0 would give one
// register to two elements that come in different turns.

// RUN: %tilewright compile %s --target sm_80 --emit plan -o - | FileCheck %s --check-prefix=PLAN
// RUN: %tilewright compile %s --target sm_80 --emit llvm -o - | FileCheck %s --check-prefix=LLVM
// RUN: %tilewright run %s --device ptx --target sm_80 --grid 1 --arg 'iota(1024xf64)' --arg 'zeros(1024xf64),out=%t.npy'
// RUN: %python -c "import numpy, sys; x = numpy.arange(1024.0).reshape(32, 32); numpy.testing.assert_array_equal(numpy.load(sys.argv[1]).reshape(32, 32), numpy.concatenate([x[:, 16:], x[:, :16]], 1))" %t.npy

// PLAN: cat at {{.*}}: through 1024 bytes of shared memory, 4 chunks, because its elements move between threads
// LLVM: %[[BEFORE:.*]] = phi double [ 0.000000e+00, %{{.*}} ], [ %[[AFTER:.*]], %{{.*}} ]
// LLVM: %[[AFTER]] = phi double [ %{{.*}}, %{{.*}} ], [ %[[BEFORE]], %{{.*}} ]
// RUN: %tilewright compile %s --target sm_80 --emit llvm -o - | not grep -E "phi.*\[ (undef|poison)"
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f64>>, %y: tile<ptr<f64>>) {
    %keep = alloca num_elem = 48000, alignment = 16 : tile<ptr<i8>>
    %one = constant <i8: 1> : tile<i8>
    %kept = store_ptr_tko weak %keep, %one : tile<ptr<i8>>, tile<i8> -> token
    %v = make_tensor_view %x, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf64, strides=[32,1]>
    %p = make_partition_view %v : partition_view<tile=(32x16), tensor_view<32x32xf64, strides=[32,1]>>
    %w = make_tensor_view %y, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf64, strides=[32,1]>
    %q = make_partition_view %w : partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32,1]>>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %a, %ta = load_view_tko weak %p[%0, %0] : partition_view<tile=(32x16), tensor_view<32x32xf64, strides=[32,1]>>, tile<i32> -> tile<32x16xf64>, token
    %b, %tb = load_view_tko weak %p[%0, %1] : partition_view<tile=(32x16), tensor_view<32x32xf64, strides=[32,1]>>, tile<i32> -> tile<32x16xf64>, token
    %c = cat %b, %a dim = 1 : tile<32x16xf64>, tile<32x16xf64> -> tile<32x32xf64>
    %s = store_view_tko weak %c, %q[%0, %0] : tile<32x32xf64>, partition_view<tile=(32x32), tensor_view<32x32xf64, strides=[32,1]>>, tile<i32> -> token
  }
}
