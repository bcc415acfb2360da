// RUN: tilewright-opt --hoist-epilogue-loads %s | FileCheck %s
// What a product's epilogue loads comes before the loop of the product, and near misses.

!factors = !cuda_tile.partition_view<tile=(16x16), tensor_view<?x?xf32, strides=[?,1]>>
!matrix = !cuda_tile.tensor_view<?x?xf32, strides=[?,1]>
!vector = !cuda_tile.tensor_view<?xf32, strides=[1]>
!row = !cuda_tile.partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>

cuda_tile.module @m {
  // A bias, with what makes its view: the promise about its extent is in nobody's way.
  // CHECK-LABEL: entry @bias(
  // CHECK: %[[LENGTH:.*]] = assume bounded<0, ?>
  // CHECK-NEXT: %[[TENSOR:.*]] = make_tensor_view %{{.*}}, shape = [%[[LENGTH]]]
  // CHECK-NEXT: %[[VIEW:.*]] = make_partition_view %[[TENSOR]]
  // CHECK-NEXT: %[[BIAS:.*]], %{{.*}} = load_view_tko weak %[[VIEW]][%{{.*}}]
  // CHECK-NEXT: %[[ONE:.*]] = reshape %[[BIAS]]
  // CHECK-NEXT: %[[WIDE:.*]] = broadcast %[[ONE]]
  // CHECK-NEXT: %[[SUMS:.*]] = for
  // CHECK: continue
  // CHECK-NEXT: }
  // CHECK-NEXT: addf %[[SUMS]], %[[WIDE]]
  entry @bias(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<16x16xf32>
    %at = make_tensor_view %a, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %av = make_partition_view %at : !factors
    %sums = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> (tile<16x16xf32>) {
      %x, %tx = load_view_tko weak %av[%0, %k] : !factors, tile<i32> -> tile<16x16xf32>, token
      %more = mmaf %x, %x, %s : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>
      continue %more : tile<16x16xf32>
    }
    %length = assume bounded<0, ?>, %n : tile<i32>
    %bt = make_tensor_view %b, shape = [%length], strides = [1] : tile<i32> -> !vector
    %bv = make_partition_view %bt : !row
    %bias, %tb = load_view_tko weak %bv[%0] : !row, tile<i32> -> tile<16xf32>, token
    %bias1 = reshape %bias : tile<16xf32> -> tile<1x16xf32>
    %wide = broadcast %bias1 : tile<1x16xf32> -> tile<16x16xf32>
    %all = addf %sums, %wide : tile<16x16xf32>
    %t = store_view_tko weak %all, %av[%0, %0] : tile<16x16xf32>, !factors, tile<i32> -> token
  }

  // A load that comes after what the loop stores, by its token.
  // CHECK-LABEL: entry @after(
  // CHECK: for
  // CHECK: continue
  // CHECK: load_view_tko
  entry @after(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %first = make_token : token
    %zeros = constant <f32: 0.0> : tile<16x16xf32>
    %none = constant <f32: 0.0> : tile<16xf32>
    %at = make_tensor_view %a, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %av = make_partition_view %at : !factors
    %bt = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !vector
    %bv = make_partition_view %bt : !row
    %sums, %stored = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros, %u = %first) -> (tile<16x16xf32>, token) {
      %x, %tx = load_view_tko weak %av[%0, %k] : !factors, tile<i32> -> tile<16x16xf32>, token
      %more = mmaf %x, %x, %s : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>
      %v = store_view_tko weak %none, %bv[%0] token = %u : tile<16xf32>, !row, tile<i32> -> token
      continue %more, %v : tile<16x16xf32>, token
    }
    %bias, %tb = load_view_tko weak %bv[%0] token = %stored : !row, tile<i32> -> tile<16xf32>, token
    %bias1 = reshape %bias : tile<16xf32> -> tile<1x16xf32>
    %wide = broadcast %bias1 : tile<1x16xf32> -> tile<16x16xf32>
    %all = addf %sums, %wide : tile<16x16xf32>
    %t = store_view_tko weak %all, %av[%0, %0] : tile<16x16xf32>, !factors, tile<i32> -> token
  }

  // As many elements as are stored: they would not stay in the first cache.
  // CHECK-LABEL: entry @residual(
  // CHECK: for
  // CHECK: continue
  // CHECK: load_view_tko
  entry @residual(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<16x16xf32>
    %at = make_tensor_view %a, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %av = make_partition_view %at : !factors
    %sums = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> (tile<16x16xf32>) {
      %x, %tx = load_view_tko weak %av[%0, %k] : !factors, tile<i32> -> tile<16x16xf32>, token
      %more = mmaf %x, %x, %s : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>
      continue %more : tile<16x16xf32>
    }
    %r, %tr = load_view_tko weak %av[%1, %1] : !factors, tile<i32> -> tile<16x16xf32>, token
    %all = addf %sums, %r : tile<16x16xf32>
    %t = store_view_tko weak %all, %av[%0, %0] : tile<16x16xf32>, !factors, tile<i32> -> token
  }

  // All that an epilogue loads, or nothing: with the residual behind the loop, the bias stays there.
  // CHECK-LABEL: entry @bias_and_residual(
  // CHECK: for
  // CHECK: continue
  // CHECK: load_view_tko
  // CHECK: load_view_tko
  entry @bias_and_residual(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<16x16xf32>
    %at = make_tensor_view %a, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %av = make_partition_view %at : !factors
    %bt = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !vector
    %bv = make_partition_view %bt : !row
    %sums = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> (tile<16x16xf32>) {
      %x, %tx = load_view_tko weak %av[%0, %k] : !factors, tile<i32> -> tile<16x16xf32>, token
      %more = mmaf %x, %x, %s : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>
      continue %more : tile<16x16xf32>
    }
    %bias, %tb = load_view_tko weak %bv[%0] : !row, tile<i32> -> tile<16xf32>, token
    %bias1 = reshape %bias : tile<16xf32> -> tile<1x16xf32>
    %wide = broadcast %bias1 : tile<1x16xf32> -> tile<16x16xf32>
    %biased = addf %sums, %wide : tile<16x16xf32>
    %r, %tr = load_view_tko weak %av[%1, %1] : !factors, tile<i32> -> tile<16x16xf32>, token
    %all = addf %biased, %r : tile<16x16xf32>
    %t = store_view_tko weak %all, %av[%0, %0] : tile<16x16xf32>, !factors, tile<i32> -> token
  }

  // What is much to compute would have to be kept while the loop runs.
  // CHECK-LABEL: entry @much(
  // CHECK: for
  // CHECK: continue
  // CHECK: load_view_tko
  entry @much(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<16x16xf32>
    %at = make_tensor_view %a, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %av = make_partition_view %at : !factors
    %bt = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> !vector
    %bv = make_partition_view %bt : !row
    %sums = for %k in (%0 to %n, step %1) : tile<i32> iter_values(%s = %zeros) -> (tile<16x16xf32>) {
      %x, %tx = load_view_tko weak %av[%0, %k] : !factors, tile<i32> -> tile<16x16xf32>, token
      %more = mmaf %x, %x, %s : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>
      continue %more : tile<16x16xf32>
    }
    %bias, %tb = load_view_tko weak %bv[%0] : !row, tile<i32> -> tile<16xf32>, token
    %bias1 = reshape %bias : tile<16xf32> -> tile<1x16xf32>
    %wide = broadcast %bias1 : tile<1x16xf32> -> tile<16x16xf32>
    %power = exp %wide : tile<16x16xf32>
    %all = addf %sums, %power : tile<16x16xf32>
    %t = store_view_tko weak %all, %av[%0, %0] : tile<16x16xf32>, !factors, tile<i32> -> token
  }
}
