// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/cpu/Symbols.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using llvm::StringRef;

static bool isLetterOrDigit(char c) { return llvm::isAlnum(c); }

/// Keywords of C and C++ are valid, because every symbol has a suffix.
static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return isLetterOrDigit(c) || c == '_'; });
}

static bool isOfRuntime(StringRef name) { return name == "tw" || name.starts_with("tw_"); }

static std::string spelledOut(StringRef name) {
  std::string spelled;
  for (char c : name) {
    if (isLetterOrDigit(c))
      spelled += c;
    else if (c == '_')
      spelled += "__";
    else
      spelled += "_" + llvm::utohexstr(uint8_t(c), /*LowerCase=*/true, /*Width=*/2);
  }
  return spelled;
}

std::string cpu::cName(StringRef entry) {
  if (isIdentifier(entry) && !isOfRuntime(entry))
    return entry.str();
  return "tw_entry_" + spelledOut(entry);
}
