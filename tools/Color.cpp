// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Color.h.

#include "tools/Color.h"

#include "llvm/Support/WithColor.h"

#include <cstdlib>

using namespace tilewright;

/// Whether it is set and not empty.
static bool isSet(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value;
}

bool tools::wantsColor(const llvm::raw_ostream &stream) {
  if (isSet("NO_COLOR"))
    return false;
  const bool isStandard = &stream == &llvm::outs() || &stream == &llvm::errs();
  if (isStandard && isSet("CLICOLOR_FORCE") &&
      llvm::StringRef(std::getenv("CLICOLOR_FORCE")) != "0")
    return true;
  return stream.has_colors();
}

void tools::chooseColors() { llvm::WithColor::setAutoDetectFunction(wantsColor); }
