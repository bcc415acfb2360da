// RUN: tilewright-opt --evaluate-constants %s | FileCheck %s
// Integers that grow evenly along one dimension are written as arithmetic on an iota.

cuda_tile.module @progressions {
  // CHECK-LABEL: entry @wide()
  // CHECK-NEXT: %[[I:.*]] = iota : tile<16xi64>
  // CHECK-NEXT: print_tko "%d", %[[I]]
  entry @wide() {
    %i = iota : tile<16xi32>
    %wide = exti %i signed : tile<16xi32> -> tile<16xi64>
    %t = print_tko "%d", %wide : tile<16xi64> -> token
  }

  // 7 - 3 i down the columns of 16 x 2.
  // CHECK-LABEL: entry @columns()
  // CHECK-NEXT: %[[I:.*]] = iota : tile<16xi32>
  // CHECK-NEXT: %[[STEP:.*]] = constant <i32: -3> : tile<16xi32>
  // CHECK-NEXT: %[[FALLS:.*]] = muli %[[I]], %[[STEP]] : tile<16xi32>
  // CHECK-NEXT: %[[START:.*]] = constant <i32: 7> : tile<16xi32>
  // CHECK-NEXT: %[[ROW:.*]] = addi %[[FALLS]], %[[START]] : tile<16xi32>
  // CHECK-NEXT: %[[COLUMN:.*]] = reshape %[[ROW]] : tile<16xi32> -> tile<16x1xi32>
  // CHECK-NEXT: %[[TILE:.*]] = broadcast %[[COLUMN]] : tile<16x1xi32> -> tile<16x2xi32>
  // CHECK-NEXT: print_tko "%d", %[[TILE]]
  entry @columns() {
    %i = iota : tile<16xi32>
    %three = constant <i32: 3> : tile<16xi32>
    %seven = constant <i32: 7> : tile<16xi32>
    %product = muli %i, %three : tile<16xi32>
    %row = subi %seven, %product : tile<16xi32>
    %column = reshape %row : tile<16xi32> -> tile<16x1xi32>
    %tile = broadcast %column : tile<16x1xi32> -> tile<16x2xi32>
    %t = print_tko "%d", %tile : tile<16x2xi32> -> token
  }

  // Not those that end elsewhere, wrap around at another width, grow along two dimensions, or are few.
  // CHECK-LABEL: entry @lists()
  // CHECK-NEXT: constant <i32: [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]>
  // CHECK-NEXT: constant <i64: [120, 121, 122, 123, 124, 125, 126, 127, -128, -127, -126, -125, -124, -123, -122, -121]>
  // CHECK-NEXT: constant <i32: {{\[\[}}0, 1], [2, 3], [4, 5]
  // CHECK-NEXT: constant <i64: [0, 1, 2, 3]>
  // CHECK-NEXT: print_tko
  entry @lists() {
    %i = iota : tile<16xi32>
    %three = constant <i32: 3> : tile<16xi32>
    %again = andi %i, %three : tile<16xi32>
    %narrow = iota : tile<16xi8>
    %start = constant <i8: 120> : tile<16xi8>
    %sum = addi %narrow, %start : tile<16xi8>
    %wraps = exti %sum signed : tile<16xi8> -> tile<16xi64>
    %j = iota : tile<32xi32>
    %matrix = reshape %j : tile<32xi32> -> tile<16x2xi32>
    %k = iota : tile<4xi32>
    %few = exti %k signed : tile<4xi32> -> tile<4xi64>
    %t = print_tko "%d %d %d %d", %again, %wraps, %matrix, %few : tile<16xi32>, tile<16xi64>, tile<16x2xi32>, tile<4xi64> -> token
  }
}
