// RUN: tilewright-opt --evaluate-constants %s | FileCheck %s
// Powers that one other operation computes, bit by bit (arithmetic, 3.5), and powers that stay.

cuda_tile.module @powers {
  // CHECK-LABEL: entry @of_floats(
  // CHECK-SAME: %[[X:.*]]: tile<f32>)
  // CHECK: %[[SQUARE:.*]] = mulf %[[X]], %[[X]] : tile<f32>
  // CHECK-NEXT: %[[ONE:.*]] = constant <f32: 1.000000e+00> : tile<f32>
  // CHECK-NEXT: %[[RECIPROCAL:.*]] = divf %[[ONE]], %[[X]] : tile<f32>
  // The power 0.5 of -0 is 0, and that of -Inf is Inf.
  // CHECK: %[[SQRT:.*]] = sqrt %[[X]] : tile<f32>
  // CHECK: %[[SUM:.*]] = addf %[[SQRT]], %{{.*}} : tile<f32>
  // CHECK: %[[IS:.*]] = cmpf equal ordered %[[X]], %{{.*}} : tile<f32> -> tile<i1>
  // CHECK: %[[ROOT:.*]] = select %[[IS]], %{{.*}}, %[[SUM]] : tile<i1>, tile<f32>
  // The NaNs of a product are canonical, those of a parameter need not be.
  // CHECK: %[[X1:.*]] = pow %[[X]], %{{.*}} : tile<f32>
  // CHECK: %[[CUBE:.*]] = pow %[[X]], %{{.*}} : tile<f32>
  // CHECK: print_tko {{.*}} %[[SQUARE]], %[[RECIPROCAL]], %[[ROOT]], %[[X1]], %[[SQUARE]], %[[CUBE]] :
  entry @of_floats(%x: tile<f32>) {
    %two = constant <f32: 2.0> : tile<f32>
    %minus_one = constant <f32: -1.0> : tile<f32>
    %half = constant <f32: 0.5> : tile<f32>
    %one = constant <f32: 1.0> : tile<f32>
    %three = constant <f32: 3.0> : tile<f32>
    %square = pow %x, %two : tile<f32>
    %reciprocal = pow %x, %minus_one : tile<f32>
    %root = pow %x, %half : tile<f32>
    %x1 = pow %x, %one : tile<f32>
    %square1 = pow %square, %one : tile<f32>
    %cube = pow %x, %three : tile<f32>
    %t = print_tko "%f %f %f %f %f %f", %square, %reciprocal, %root, %x1, %square1, %cube : tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32> -> token
  }

  // CHECK-LABEL: entry @of_integers(
  // CHECK-NEXT: %[[ROW:.*]] = reshape %{{.*}} : tile<f64> -> tile<1xf64>
  // CHECK-NEXT: %[[X:.*]] = broadcast %[[ROW]] : tile<1xf64> -> tile<4xf64>
  // CHECK-NEXT: %[[SQUARE:.*]] = mulf %[[X]], %[[X]] : tile<4xf64>
  // CHECK-NEXT: %[[ONES:.*]] = constant <f64: 1.000000e+00> : tile<4xf64>
  // CHECK-NEXT: %[[RECIPROCAL:.*]] = divf %[[ONES]], %[[X]] : tile<4xf64>
  // CHECK-NEXT: print_tko "%f %f", %[[SQUARE]], %[[RECIPROCAL]] :
  entry @of_integers(%y: tile<f64>) {
    %row = reshape %y : tile<f64> -> tile<1xf64>
    %x = broadcast %row : tile<1xf64> -> tile<4xf64>
    %two = constant <i32: 2> : tile<4xi32>
    %minus_one = constant <i32: -1> : tile<4xi32>
    %square = fpowi %x, %two : tile<4xf64>, tile<4xi32>
    %reciprocal = fpowi %x, %minus_one : tile<4xf64>, tile<4xi32>
    %t = print_tko "%f %f", %square, %reciprocal : tile<4xf64>, tile<4xf64> -> token
  }
}
