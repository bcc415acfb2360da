// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the tests of plans with roles: loops over products, and their plans.

#ifndef TILEWRIGHT_NVIDIA_PLAN_ROLESTESTING_H
#define TILEWRIGHT_NVIDIA_PLAN_ROLESTESTING_H

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

namespace tilewright::nvidia::testing {

inline const std::string array = "tensor_view<512x512xf16, strides=[512,1]>";
inline const std::string view = "partition_view<tile=(64x64), padding_value = zero, " + array + ">";
inline const std::string tile16 = "tile<64x64xf16>", tile32 = "tile<64x64xf32>";

/// Operations are named by locations: `(name)` behind one of them.
inline std::string at(const std::string &name) { return " loc(\"" + name + "\")\n"; }

inline std::string makeView(const std::string &name, const std::string &pointer) {
  return "%" + name + "v = make_tensor_view %" + pointer +
         ", shape = [512, 512], strides = [512, 1] : " + array + at(name + "v") + "%" + name +
         " = make_partition_view %" + name + "v : " + view + at(name);
}

/// A pointer that is loaded: what a question is about must be known at the beginning.
inline std::string makeLateView() {
  return "%o, %ot = load_ptr_tko weak %e : tile<ptr<i32>> -> tile<i32>, token" + at("o") +
         "%late = offset %q, %o : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>" + at("late") +
         makeView("c", "late");
}

inline std::string load(const std::string &name, const std::string &from,
                        const std::string &indices, const std::string &token = "") {
  return "%" + name + ", %" + name + "t = load_view_tko weak %" + from + "[" + indices + "]" +
         (token.empty() ? "" : " token=%" + token) + " : " + view + ", tile<i32> -> " + tile16 +
         ", token" + at(name);
}

inline std::string product(const std::string &name, const std::string &lhs,
                           const std::string &rhs) {
  return "%" + name + " = mmaf %" + lhs + ", %" + rhs + ", %acc : " + tile16 + ", " + tile16 +
         ", " + tile32 + at(name);
}

/// A loop over the products of tiles of `lhs` and `rhs`.
inline std::string loop(const std::string &name, const std::string &lhs = "a",
                        const std::string &rhs = "b", const std::string &token = "",
                        const std::string &bounds = "%zero to %n, step %one",
                        const std::string &more = "") {
  return "%" + name + " = for %i" + name + " in (" + bounds +
         ") : tile<i32> iter_values(%acc = %none) -> (" + tile32 + ") {\n" +
         load("x" + name, lhs, "%zero, %i" + name, token) +
         load("y" + name, rhs, "%i" + name + ", %zero") + more +
         product("d" + name, "x" + name, "y" + name) + "continue %d" + name + " : " + tile32 +
         "\n}" + at(name);
}

class RolesTest : public ::testing::Test {
protected:
  RolesTest() { context.loadDialect<tile::TileDialect>(); }

  /// The plan of an entry with the pointers %p and %q, of which only %p and the scalar %n are known
  /// to be multiples of 16, the views %a and %b of %p, and %c of %q.
  Plan planOf(const std::string &body, const std::string &target = "sm_90a") {
    return planAfter(makeView("a", "p") + makeView("b", "p") + makeView("c", "q"), body, target);
  }
  Plan planAfter(const std::string &views, const std::string &body,
                 const std::string &target = "sm_90a") {
    targetOf = *Target::named(target);
    targetOf.tuning.mostStages = stages;
    targetOf.tuning.mostDelayedRegisters = delayedRegisters;
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "cuda_tile.module @m {\nentry @k(%raw: tile<ptr<f16>>, %q: tile<ptr<f16>>, %e: "
        "tile<ptr<i32>>, %n: tile<i32>, %if: "
        "tile<i1>) {\n%p = assume div_by<16>, %raw : tile<ptr<f16>>" +
            at("p") + "%zero = constant <i32: 0> : tile<i32>" + at("zero") +
            "%one = constant <i32: 1> : tile<i32>" + at("one") + "%none = constant <f32: 0.0> : " +
            tile32 + at("none") + views + body + "return\n}\n}\n",
        &context);
    EXPECT_TRUE(bool(module)) << body;
    tile::EntryOp entry;
    module->walk([&](tile::EntryOp found) { entry = found; });
    return Plan(entry, targetOf);
  }
  static std::string nameOf(mlir::Operation *op) {
    auto name = llvm::dyn_cast<mlir::NameLoc>(op->getLoc());
    return name ? name.getName().str() : "";
  }
  /// The names of the operations that the producer executes, in order.
  std::string sliceOf(const Plan &plan) {
    std::string names;
    module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (plan.roles.slice.contains(op) && !nameOf(op).empty())
        names += (names.empty() ? "" : " ") + nameOf(op);
    });
    return names;
  }
  /// Why the loop of this name has no producer.
  static std::string reasonOf(const Plan &plan, const std::string &name) {
    for (const auto &[op, reason] : plan.roles.reasons)
      if (nameOf(op) == name)
        return reason;
    return "";
  }
  std::string reason(const std::string &body) {
    Plan plan = planOf(body);
    EXPECT_FALSE(plan.roles.areSpecialised());
    EXPECT_TRUE(plan.roles.maps.empty());
    EXPECT_EQ(plan.launchedThreads(), plan.threads);
    return reasonOf(plan, "s");
  }

  int64_t stages = 2; ///< Few enough that two loops have room for theirs.
  int64_t delayedRegisters = Tuning().mostDelayedRegisters;
  Target targetOf = *Target::named("sm_90a");
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tilewright::nvidia::testing

#endif // TILEWRIGHT_NVIDIA_PLAN_ROLESTESTING_H
