// RUN: tilewright-opt --check-assumptions %s | FileCheck %s
// Assumptions about integers become asserts in front of them (operations, 6.2).

!v = !cuda_tile.tensor_view<?x?xf32, strides=[?, ?]>
!row = !cuda_tile.tensor_view<1x?xf32, strides=[?, 1]>
cuda_tile.module @m {
  // CHECK-LABEL: entry @scalars(
  // CHECK: %[[MASK:.*]] = constant <i32: 15> : tile<i32>
  // CHECK-NEXT: %[[REST:.*]] = andi %[[N:.*]], %[[MASK]]
  // CHECK-NEXT: %[[ZERO:.*]] = constant <i32: 0>
  // CHECK-NEXT: %[[HOLDS:.*]] = cmpi equal %[[REST]], %[[ZERO]], unsigned
  // CHECK-NEXT: assert %[[HOLDS]], "assume div_by<16> does not hold"
  // CHECK-NEXT: assume div_by<16>, %[[N]]
  // CHECK: %[[LOW:.*]] = cmpi greater_than_or_equal %{{.*}}, %{{.*}}, signed
  // CHECK: %[[HIGH:.*]] = cmpi less_than_or_equal %{{.*}}, %{{.*}}, signed
  // CHECK-NEXT: %[[BOTH:.*]] = andi %[[LOW]], %[[HIGH]]
  // CHECK-NEXT: assert %[[BOTH]], "assume bounded<0, 7> does not hold"
  // CHECK-NEXT: assume bounded<0, 7>
  entry @scalars(%n: tile<i32>) {
    %n16 = assume div_by<16>, %n : tile<i32>
    %few = assume bounded<0, 7>, %n16 : tile<i32>
    %t = print_tko "%d", %few : tile<i32> -> token
  }

  // Pointers and tiles of several elements stay as they are.
  // CHECK-LABEL: entry @others(
  // CHECK-NOT: assert
  entry @others(%p: tile<ptr<f32>>) {
    %x = iota : tile<4xi32>
    %p16 = assume div_by<16>, %p : tile<ptr<f32>>
    %x16 = assume div_by<16>, %x : tile<4xi32>
    %t = print_tko "%d", %x16 : tile<4xi32> -> token
  }

  // A stride of a dimension with one coordinate is never used (operations, 8.1).
  // CHECK-LABEL: entry @strides(
  // CHECK-SAME: %[[M:[^ ]+]]: tile<i32>, %{{.*}}: tile<i32>, %[[S:[^ ]+]]: tile<i32>)
  // CHECK: cmpi less_than_or_equal %[[M]], %{{.*}}, unsigned
  // CHECK: andi %[[S]],
  // CHECK: %[[FITS:.*]] = cmpi equal
  // CHECK-NEXT: %[[ANY:.*]] = ori %[[FITS]],
  // CHECK-NEXT: assert %[[ANY]], "assume div_by<8> does not hold"
  entry @strides(%p: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %s: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %s8 = assume div_by<8>, %s : tile<i32>
    %v = make_tensor_view %p, shape = [%m, %n], strides = [%s8, %one] : tile<i32> -> !v
  }

  // CHECK-LABEL: entry @row(
  // CHECK-NOT: assert
  entry @row(%p: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i32>) {
    %s8 = assume div_by<8>, %s : tile<i32>
    %v = make_tensor_view %p, shape = [1, %n], strides = [%s8, 1] : tile<i32> -> !row
  }
}
