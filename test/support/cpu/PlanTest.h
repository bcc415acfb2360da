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

/// A kernel that folds `%a`, of 16x256 elements of a type, along a dimension.
struct Folding {
  std::string op, element, body;
  int dim;
};

inline std::string textOf(const Folding &fold) {
  const std::string from = "tile<16x256x" + fold.element + ">", one = "tile<" + fold.element + ">";
  const std::string to = fold.op == "scan" ? from
                         : fold.dim == 0   ? "tile<256x" + fold.element + ">"
                                           : "tile<16x" + fold.element + ">";
  const bool isFloat = fold.element[0] == 'f';
  return "%i = iota : tile<4096xi32>\n"
         "%j = reshape %i : tile<4096xi32> -> tile<16x256xi32>\n" +
         std::string(isFloat ? "%a = itof %j signed : tile<16x256xi32> -> " + from + "\n"
                             : "%k = constant <i32: 3> : tile<16x256xi32>\n"
                               "%a = xori %j, %k : tile<16x256xi32>\n") +
         "%r = " + fold.op + " %a dim=" + std::to_string(fold.dim) +
         (fold.op == "scan" ? " reverse=false" : "") + " identities=[" + (isFloat ? "0.0" : "0") +
         " : " + fold.element + "] : " + from + " -> " + to + "\n(%e: " + one + ", %so: " + one +
         ") {\n" + fold.body + " : " + one + "\nyield %both : " + one + "\n}\n";
}

inline const std::string addf = "%both = addf %e, %so"; ///< The body of a `Folding`.

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

/// A product in a loop, with lines of its body and the number of its iterations.
inline std::string productLoop(const std::string &inBody, const std::string &carried = "%m") {
  return "%r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%acc = %none) -> "
         "(tile<16x16xf32>) {\n" +
         loadOf("%a", "%k") + loadOf("%b", "%k") +
         "%m = mmaf %a, %b, %acc : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n" + inBody +
         "continue " + carried + " : tile<16x16xf32>\n}\n";
}

/// A product whose lhs depends on x and whose rhs on y, with 16 columns; the accumulators go to
/// `tensor`.
inline std::string blockProduct(const std::string &tensor) {
  std::string text = productLoop("");
  auto replace = [&](const std::string &what, const std::string &by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("%pv[%k, %0]", "%pv[%bx, %k]");
  replace("%pv[%k, %0]", "%pv[%k, %by]");
  return "%bx, %by, %bz = get_tile_block_id : tile<i32>\n" + tensor + text;
}

/// Such a product, whose accumulators go to another tensor.
inline std::string storedElsewhere() {
  const std::string type = "tensor_view<64x64xf32, strides=[64, 1]>";
  return blockProduct("%to = make_tensor_view %f, shape = [64, 64], strides = [64, 1] : " + type +
                      "\n%qv = make_partition_view %to : " + view + "\n") +
         "%s = store_view_tko weak %r, %qv[%bx, %by] : tile<16x16xf32>, " + view +
         ", tile<i32> -> token\n";
}

} // namespace tilewright::cpu

#endif // TILEWRIGHT_TEST_SUPPORT_CPU_PLANTEST_H
