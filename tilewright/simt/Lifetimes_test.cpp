// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of liveness, and of results when a dead value's storage is reused.

#include "test/support/simt/SimtTest.h"
#include "tilewright/simt/Lifetimes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilewright::simt;

using Values = std::vector<double>;

namespace {

/// A function whose operations are named by an attribute "n", and the values that end at each.
class Ends {
public:
  explicit Ends(llvm::StringRef body)
      : module(parseSourceString<ModuleOp>(
            ("func.func @f(%z: vector<8xindex>, %i: index, %b: i1) {\n" + body + "\nreturn }")
                .str(),
            &sharedContext())) {}

  std::vector<std::string> endingAt(llvm::StringRef name) {
    Lifetimes lifetimes(*module->getOps<func::FuncOp>().begin());
    std::vector<std::string> names;
    module->walk([&](Operation *op) {
      auto label = op->getAttrOfType<StringAttr>("n");
      if (label && label.getValue() == name)
        for (Value value : lifetimes.endingAt(*op))
          names.push_back(nameOf(value));
    });
    llvm::sort(names);
    return names;
  }

private:
  static std::string nameOf(Value value) {
    if (Operation *op = value.getDefiningOp())
      return op->getAttrOfType<StringAttr>("n").str();
    return "argument " + std::to_string(llvm::cast<BlockArgument>(value).getArgNumber());
  }

  OwningOpRef<ModuleOp> module;
};

using Names = std::vector<std::string>;

} // namespace

TEST(Lifetimes, EndAtTheLastUse) {
  Ends ends(R"(%a = vector.insert %i, %z[0] {n = "a"} : index into vector<8xindex>
               %c = vector.insert %i, %a[1] {n = "c"} : index into vector<8xindex>
               %d = vector.insert %i, %a[2] {n = "d"} : index into vector<8xindex>
               %e = arith.addi %c, %d {n = "e"} : vector<8xindex>)");
  EXPECT_EQ(ends.endingAt("a"), Names());
  EXPECT_EQ(ends.endingAt("c"), Names());
  EXPECT_EQ(ends.endingAt("d"), Names{"a"});
  // %e has no use.
  EXPECT_EQ(ends.endingAt("e"), (Names{"c", "d", "e"}));
}

/// Outside values that a loop reads are needed again in its next iteration, and threads that have
/// left the loop hold its arguments.
TEST(Lifetimes, ReachOverRegions) {
  Ends ends(R"(%a = vector.insert %i, %z[0] {n = "a"} : index into vector<8xindex>
               %s = scf.for %k = %i to %i step %i iter_args(%v = %a) -> vector<8xindex> {
                 %c = arith.addi %a, %v {n = "c"} : vector<8xindex>
                 %d = arith.addi %c, %c {n = "d"} : vector<8xindex>
                 scf.yield %d : vector<8xindex>
               } {n = "s"})");
  EXPECT_EQ(ends.endingAt("c"), Names());
  EXPECT_EQ(ends.endingAt("d"), Names{"c"});
  EXPECT_EQ(ends.endingAt("s"), (Names{"a", "argument 0", "argument 1", "d", "s"}));
}

/// Several results are made from the same vector, which must not be modified.
TEST(Lifetimes, AVectorThatIsUsedAgainStays) {
  EXPECT_EQ(perThread(R"(%p = vector.broadcast %t : index to vector<2xindex>
                         %v = vector.insert %c4, %p[0] : index into vector<2xindex>
                         %w = vector.insert %c1, %v[1] : index into vector<2xindex>
                         %x = vector.insert %c1, %v[0] : index into vector<2xindex>
                         %a = vector.reduction <add>, %v : vector<2xindex> into index
                         %b = vector.reduction <add>, %w : vector<2xindex> into index
                         %c = vector.reduction <add>, %x : vector<2xindex> into index
                         %d = arith.addi %a, %b : index
                         %r = arith.addi %d, %c : index)")
                .values(0),
            // (4 + t) + (4 + 1) + (1 + t)
            (Values{10, 12, 14, 16, 18, 20, 22, 24}));
}

/// A constant is evaluated once, even if each iteration inserts something into it.
TEST(Lifetimes, AConstantStays) {
  EXPECT_EQ(perThread(R"(%r = scf.for %i = %c0 to %t step %c1 iter_args(%s = %c0) -> index {
                           %v = arith.constant dense<0> : vector<8xindex>
                           %w = vector.insert %c1, %v[%i] : index into vector<8xindex>
                           %n = vector.reduction <add>, %w, %s : vector<8xindex> into index
                           scf.yield %n : index })")
                .values(0),
            (Values{0, 1, 2, 3, 4, 5, 6, 7}));
}

/// Threads that have left a loop keep their vector, while the others continue to modify theirs.
TEST(Lifetimes, WhoHasLeftALoopKeepsItsVector) {
  EXPECT_EQ(perThread(R"(%v = arith.constant dense<0> : vector<8xindex>
                   %w = scf.for %i = %c0 to %t step %c1 iter_args(%s = %v) -> vector<8xindex> {
                     %n = vector.insert %c1, %s[%i] : index into vector<8xindex>
                     scf.yield %n : vector<8xindex>
                   }
                   %r = vector.reduction <add>, %w : vector<8xindex> into index)")
                .values(0),
            (Values{0, 1, 2, 3, 4, 5, 6, 7}));
}

/// One branch modifies a copy of the vector while the other still needs the original.
TEST(Lifetimes, BranchesShareWhatIsOutside) {
  EXPECT_EQ(perThread(R"(%p = vector.broadcast %c4 : index to vector<2xindex>
                         %v = vector.insert %t, %p[0] : index into vector<2xindex>
                         %r = scf.if %small -> index {
                           %w = vector.insert %c1, %v[0] : index into vector<2xindex>
                           %n = vector.reduction <add>, %w : vector<2xindex> into index
                           scf.yield %n : index
                         } else {
                           %n = vector.reduction <add>, %v : vector<2xindex> into index
                           scf.yield %n : index
                         })")
                .values(0),
            (Values{5, 5, 5, 5, 8, 9, 10, 11}));
}

/// A uniform vector gets one row per thread when the threads diverge.
TEST(Lifetimes, AUniformVectorParts) {
  EXPECT_EQ(perThread(R"(%p = ub.poison : vector<2xindex>
                         %v = vector.insert %c4, %p[0] : index into vector<2xindex>
                         %w = vector.insert %t, %v[1] : index into vector<2xindex>
                         %r = vector.reduction <add>, %w : vector<2xindex> into index)")
                .values(0),
            (Values{4, 5, 6, 7, 8, 9, 10, 11}));
}
