// RUN: tilewright-opt --hoist-reductions %s | FileCheck %s
// Reductions of one tile follow each other, and near misses.

!vector = !cuda_tile.tensor_view<?xf32, strides=[1]>
!one = !cuda_tile.partition_view<tile=(1), tensor_view<?xf32, strides=[1]>>

cuda_tile.module @m {
  // A store of the first result, and arithmetic on it, are between them.
  // CHECK-LABEL: entry @store(
  // CHECK: %[[SUM:[a-z0-9_]*]] = reduce %[[X:[a-z0-9_]*]] dim=0
  // CHECK: %[[MOST:[a-z0-9_]*]] = reduce %[[X]] dim=0
  // CHECK: %[[FIRST:.*]] = reshape %[[SUM]]
  // CHECK: store_view_tko weak %[[FIRST]]
  // CHECK: %[[SECOND:.*]] = reshape %[[MOST]]
  // CHECK: store_view_tko weak %[[SECOND]]
  entry @store(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> !vector
    %ones = make_partition_view %v : !one
    %i = iota : tile<64xi32>
    %x = itof %i signed : tile<64xi32> -> tile<64xf32>
    %sum = reduce %x dim=0 identities=[0.0 : f32] : tile<64xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %c = addf %a, %b : tile<f32>
      yield %c : tile<f32>
    }
    %sum1 = reshape %sum : tile<f32> -> tile<1xf32>
    %t0 = store_view_tko weak %sum1, %ones[%n] : tile<1xf32>, !one, tile<i32> -> token
    %most = reduce %x dim=0 identities=[0xFF800000 : f32] : tile<64xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %c = maxf %a, %b : tile<f32>
      yield %c : tile<f32>
    }
    %most1 = reshape %most : tile<f32> -> tile<1xf32>
    %t1 = store_view_tko weak %most1, %ones[%n] : tile<1xf32>, !one, tile<i32> -> token
    return
  }

  // Of other tiles, along other dimensions, with another operand that comes later, in another block, behind a branch.
  // CHECK-LABEL: entry @stay(
  // CHECK: reduce %[[X:[a-z0-9_]*]] dim=0
  // CHECK: %[[Y:.*]] = addf %[[X]], %[[X]]
  // CHECK: reduce %[[X]] dim=1
  // CHECK: print_tko
  // CHECK: reduce %[[Y]] dim=0
  // CHECK: print_tko
  // CHECK: reduce %[[X]], %[[Y]] dim=0
  // CHECK: if
  // CHECK: print_tko
  // CHECK: reduce %[[X]] dim=0
  // CHECK: }
  // CHECK: reduce %[[X]] dim=0
  entry @stay(%c: tile<i1>) {
    %i = iota : tile<64xi32>
    %f = itof %i signed : tile<64xi32> -> tile<64xf32>
    %x = reshape %f : tile<64xf32> -> tile<8x8xf32>
    %0 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x8xf32> -> tile<8xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %y = addf %x, %x : tile<8x8xf32>
    %1 = reduce %x dim=1 identities=[0.0 : f32] : tile<8x8xf32> -> tile<8xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %t0 = print_tko "%f", %1 : tile<8xf32> -> token
    %2 = reduce %y dim=0 identities=[0.0 : f32] : tile<8x8xf32> -> tile<8xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %t1 = print_tko "%f", %2 : tile<8xf32> -> token
    %3:2 = reduce %x, %y dim=0 identities=[0.0 : f32, 0.0 : f32] : tile<8x8xf32>, tile<8x8xf32> -> tile<8xf32>, tile<8xf32>
    (%a: tile<f32>, %b: tile<f32>, %d: tile<f32>, %e: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      %u = addf %d, %e : tile<f32>
      yield %s, %u : tile<f32>, tile<f32>
    }
    if %c {
      %t2 = print_tko "%f %f %f", %0, %3#0, %3#1 : tile<8xf32>, tile<8xf32>, tile<8xf32> -> token
      %4 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x8xf32> -> tile<8xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
      %t3 = print_tko "%f", %4 : tile<8xf32> -> token
    }
    %5 = reduce %x dim=0 identities=[0.0 : f32] : tile<8x8xf32> -> tile<8xf32>
    (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %t4 = print_tko "%f", %5 : tile<8xf32> -> token
    return
  }

  // The body of the second one uses what is computed after the first one.
  // CHECK-LABEL: entry @captures(
  // CHECK: %[[SUM:[a-z0-9_]*]] = reduce
  // CHECK: %[[LIMIT:.*]] = mulf %[[SUM]], %[[SUM]]
  // CHECK: reduce
  // CHECK: minf %{{.*}}, %[[LIMIT]]
  entry @captures(%p: tile<ptr<f32>>) {
    %i = iota : tile<64xi32>
    %x = itof %i signed : tile<64xi32> -> tile<64xf32>
    %sum = reduce %x dim=0 identities=[0.0 : f32] : tile<64xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %c = addf %a, %b : tile<f32>
      yield %c : tile<f32>
    }
    %limit = mulf %sum, %sum : tile<f32>
    %most = reduce %x dim=0 identities=[0xFF800000 : f32] : tile<64xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %c = maxf %a, %b : tile<f32>
      %d = minf %c, %limit : tile<f32>
      yield %d : tile<f32>
    }
    %t = store_ptr_tko weak %p, %most : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
