// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests proofs as the library has them: names of parameters, launches that fail, and cancellation.
// Which conditions are found is tested in test/prove/.

#include "tilewright/api/devices/Testing.h"
#include "tilewright/api/prove/Prove.h"

#include "llvm/Support/JSON.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;
using Texts = std::vector<std::string>;

namespace {

/// Block i loads element n + i, which must not exceed 2^31 - 1.
const char shifted[] = R"(cuda_tile.module @m {
  entry @shifted(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %i, %iy, %iz = get_tile_block_id : tile<i32>
    %at = addi %n, %i : tile<i32>
    %p = offset %x, %at : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  }
})";

/// Loads the element before the array.
const char before[] = R"(cuda_tile.module @m {
  entry @before(%x: tile<ptr<i32>>) {
    %c = constant <i32: -1> : tile<i32>
    %p = offset %x, %c : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  }
})";

/// Loads the element whose number the first one is.
const char gather[] = R"(cuda_tile.module @m {
  entry @gather(%x: tile<ptr<i32>>) {
    %i, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %p = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  }
})";

KernelProof proved(const char *text, const ProveOptions &options = {}) {
  auto proof = proveKernel(entryOf(text), options);
  EXPECT_TRUE(proof) << proof.failure().message;
  return *proof;
}

TEST(Prove, UsesNamesOfTheText) {
  const KernelProof proof = proved(shifted);
  EXPECT_EQ(verdictOf(proof), ProofVerdict::HoldsIf);
  EXPECT_EQ(proof.parameters, (Texts{"x", "n"}));
  EXPECT_EQ(proof.conditions,
            (Texts{"grid.x <= -n + 2147483648", "len(x) >= grid.x + n", "n >= 0"}));
}

TEST(Prove, UsesGivenNames) {
  ProveOptions options;
  options.names = {"values", "first.shape[0]"};
  const KernelProof proof = proved(shifted, options);
  EXPECT_EQ(proof.conditions,
            (Texts{"first.shape[0] >= 0", "grid.x <= -first.shape[0] + 2147483648",
                   "len(values) >= grid.x + first.shape[0]"}));
  ASSERT_TRUE(proof.operations[0].counterexample);
  EXPECT_NE(proof.operations[0].counterexample->finding.find("array values ("), std::string::npos);
  options.names = {"", "first"};
  EXPECT_EQ(proved(shifted, options).parameters, (Texts{"x", "first"}));
  options.names = {"x"};
  const auto failed = proveKernel(entryOf(shifted), options);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.failure().message, "expected a name for each of 2 parameters, but got 1");
}

TEST(Prove, NamesAreDifferent) {
  const auto failureOf = [](const char *text, const Texts &names) {
    ProveOptions options;
    options.names = names;
    const auto proof = proveKernel(entryOf(text), options);
    return proof ? "" : proof.failure().message;
  };
  const std::string both = "expected different names of the parameters, but parameters 1 and 2 "
                           "have the name 'x'";
  EXPECT_EQ(failureOf(shifted, {"x", "x"}), both);
  EXPECT_EQ(failureOf(shifted, {"", "x"}), both);
  EXPECT_EQ(failureOf(shifted, {"n", "x"}), "");
  // The name of the second one would be arg2.
  const char *text = R"(cuda_tile.module @m { entry @k(%arg2: tile<i32>, %1: tile<i32>) {} })";
  EXPECT_EQ(proved(text).parameters, (Texts{"arg2", "arg2_"}));
}

TEST(Prove, HasTheWorstVerdict) {
  EXPECT_EQ(verdictOf(proved(before)), ProofVerdict::Counterexample);
  EXPECT_EQ(verdictOf(proved(gather)), ProofVerdict::Unknown);
  EXPECT_EQ(verdictOf(KernelProof{}), ProofVerdict::Holds);
}

TEST(Prove, HasCommandsForFilesOnly) {
  const KernelProof proof = proved(before);
  EXPECT_NE(toString(proof, "a.mlir").find("fails: tilewright run a.mlir --entry before"),
            std::string::npos);
  EXPECT_NE(
      toString(proof, "a b's $x.mlir").find("fails: tilewright run 'a b'\\''s $x.mlir' --entry "),
      std::string::npos);
  EXPECT_NE(toString(proof, "").find("fails: grid 1,1,1 with (zeros("), std::string::npos);
  const auto document = llvm::cantFail(llvm::json::parse(toJson(proof, "")));
  const auto &row = *(*document.getAsObject()->getArray("operations"))[0].getAsObject();
  EXPECT_EQ(*row.getObject("counterexample")->get("command"), llvm::json::Value(nullptr));
}

TEST(Prove, CanBeCancelled) {
  const std::atomic<bool> cancelled = true;
  ProveOptions options;
  options.cancelled = &cancelled;
  const KernelProof proof = proved(shifted, options);
  EXPECT_TRUE(proof.isCancelled);
  EXPECT_TRUE(proof.operations.empty());
  // Before there is an operation to search launches for.
  EXPECT_TRUE(proved("cuda_tile.module @m { entry @k() {} }", options).isCancelled);
}

TEST(Prove, OutcomesOfVerdicts) {
  EXPECT_EQ(outcomeOf(ProofVerdict::Holds), Outcome::Succeeded);
  EXPECT_EQ(outcomeOf(ProofVerdict::HoldsIf), Outcome::Succeeded);
  EXPECT_EQ(outcomeOf(ProofVerdict::Unknown), Outcome::Failed);
  EXPECT_EQ(outcomeOf(ProofVerdict::Counterexample), Outcome::Misbehaved);
}

} // namespace
