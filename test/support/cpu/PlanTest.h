// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the tests of the planner: kernels that differ in a few lines, and targets that differ
// in a threshold.

#ifndef TILEWRIGHT_TEST_SUPPORT_CPU_PLANTEST_H
#define TILEWRIGHT_TEST_SUPPORT_CPU_PLANTEST_H

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/Plan.h"

namespace tilewright::cpu {

using analysis::ParsedKernel;

inline const Target &target() {
  static const Target found = *Target::named("x86-64-v3");
  return found;
}

/// The usual target with one other threshold.
inline Target tuned(const char *text) {
  Target changed = target();
  EXPECT_TRUE(bool(codegen::setThreshold(changed.tuning, thresholds(), text))) << text;
  return changed;
}

/// Views of a tensor of floats: rows of 16, tiles of 16x16.
inline const std::string views = R"(
    %f = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<f32>>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %8 = constant <i32: 8> : tile<i32>
    %none = constant <f32: 0.0> : tile<16x16xf32>
    %tv = make_tensor_view %f, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64, 1]>>
)";
inline const std::string view =
    "partition_view<tile=(16x16), tensor_view<64x64xf32, strides=[64, 1]>>";

inline std::string loadOf(const std::string &name, const std::string &row = "%0") {
  return name + ", " + name + "_t = load_view_tko weak %pv[" + row + ", %0] : " + view +
         ", tile<i32> -> tile<16x16xf32>, token\n";
}

inline std::string storeOf(const std::string &name, const std::string &row = "%0") {
  return name + "_s = store_view_tko weak " + name + ", %pv[" + row + ", %0] : tile<16x16xf32>, " +
         view + ", tile<i32> -> token\n";
}

inline const std::string t = " : tile<16x16xf32>\n";

inline mlir::Operation *firstNamed(ParsedKernel &kernel, llvm::StringRef name) {
  mlir::Operation *found = nullptr;
  kernel.entry().walk([&](mlir::Operation *op) {
    if (op->getName().stripDialect() != name)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

} // namespace tilewright::cpu

#endif // TILEWRIGHT_TEST_SUPPORT_CPU_PLANTEST_H
