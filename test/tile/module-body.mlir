// In a module body order carries no meaning (operations, 3.1): a value may be used before
// it is defined, even by itself. Nothing that looks at definitions may rely on their order.
// RUN: tilewright-opt %s | FileCheck %s
// RUN: tilewright-opt %s --canonicalize --evaluate-constants | FileCheck %s --check-prefix=ALIVE
// ALIVE: cuda_tile.module @order
cuda_tile.module @order {
  // CHECK: %[[SUM:.+]] = addi %cst_1_i32, %cst_1_i32 : tile<i32>
  %sum = addi %one, %one : tile<i32>
  // CHECK: %cst_1_i32 = constant <i32: 1> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  // CHECK: %[[NAME:assume.*]] = assume div_by<4>, %[[NAME]] : tile<i32>
  %circle = assume div_by<4>, %circle : tile<i32>
  // CHECK: = select %{{.*}}, %{{.*}}, %cst_1_i32 : tile<i1>, tile<i32>
  %choice = select %always, %choice, %one : tile<i1>, tile<i32>
  %same = select %always, %same, %same : tile<i1>, tile<i32>
  %always = constant <i1: true> : tile<i1>
  %shape = reshape %shape2 : tile<i32> -> tile<1xi32>
  %shape2 = reshape %shape : tile<1xi32> -> tile<i32>
}
