// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the tests of exploring.

#ifndef TILEWRIGHT_API_EXPLORE_TESTING_H
#define TILEWRIGHT_API_EXPLORE_TESTING_H

#include "tilewright/api/devices/Testing.h"
#include "tilewright/api/explore/Explore.h"

#include "llvm/Support/JSON.h"

namespace tilewright::api::testing {

/// The document about the only entry of the text, on a grid of so many blocks.
inline llvm::json::Object explored(const char *text, int64_t blocks,
                                   std::vector<Argument> arguments) {
  auto result = exploreKernel(entryOf(text), *runtime::Grid::create(blocks), arguments);
  EXPECT_TRUE(result) << result.failure().message;
  return *llvm::cantFail(llvm::json::parse(result->json)).getAsObject();
}

} // namespace tilewright::api::testing

#endif // TILEWRIGHT_API_EXPLORE_TESTING_H
