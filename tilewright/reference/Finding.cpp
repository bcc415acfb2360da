// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/Finding.h"
#include "tilewright/tile/Attributes.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::reference;

std::string reference::toString(const Finding &finding) {
  llvm::StringRef level = isWarning(finding.kind) ? "warning" : "error";
  std::string text = locationText(finding.location) + ": " + level.str() + ": " + finding.message;
  // A failed assertion is the kernel's own word.
  if (finding.check && finding.kind != FindingKind::FailedAssert)
    text += (" [" + nameOf(*finding.check) + "]").str();
  for (const Related &related : finding.related)
    text += "\n" + locationText(related.location) + ": note: " + related.message;
  return text;
}

//===-- Checks --------------------------------------------------------------------------------===//

namespace {
struct CheckRow {
  llvm::StringLiteral name, summary, rule;
};
} // namespace

/// In the order of Check.
static constexpr CheckRow checkRows[checkCount] = {
    {"assert", "assertions hold", "operations, 6.1"},
    {"bounds", "accesses stay inside of an allocation", "operations, 7.3"},
    {"alignment", "addresses are multiples of the element size", "operations, 7.3"},
    {"lifetime", "an alloca is used in its scope and by its own block", "operations, 7.2"},
    {"constant", "constant globals are not written", "operations, 3.3"},
    {"index-space", "indices, slices and extents are in range", "operations, 8.1"},
    {"undefined", "undefined elements reach no branch, address, mask, store or output",
     "operations, 11"},
    {"unspecified", "elements that nothing specifies are not stored or printed; a warning",
     "operations, 11"},
    {"overflow", "no-wrap promises hold where the result is used", "arithmetic, 2.3"},
    {"division", "integer divisions have a result where it is used", "arithmetic, 4.4"},
    {"shift", "shifts are by less than the width where the result is used", "arithmetic, 4.1"},
    {"promise", "assumptions hold", "operations, 6.2"},
    {"race", "conflicting accesses are ordered, or meant to meet", "memory model, 7"},
    {"scatter", "the sparse indices of a store are distinct", "operations, 8.1"},
    {"control", "loops have a positive step", "operations, 5.2"},
    {"print", "format expressions fit their arguments", "operations, 6.3"},
};

llvm::StringRef reference::nameOf(Check check) { return checkRows[unsigned(check)].name; }
llvm::StringRef reference::summaryOf(Check check) { return checkRows[unsigned(check)].summary; }
llvm::StringRef reference::ruleOf(Check check) { return checkRows[unsigned(check)].rule; }

static std::optional<Check> checkNamed(llvm::StringRef name) {
  for (unsigned i = 0; i < checkCount; ++i)
    if (checkRows[i].name == name)
      return Check(i);
  return std::nullopt;
}

support::Result<Checks> Checks::parse(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ',');
  Checks checks = text.starts_with("no-") ? all() : none();
  for (llvm::StringRef word : words) {
    llvm::StringRef name = word;
    bool on = !name.consume_front("no-");
    std::optional<Check> check = checkNamed(name);
    if (check)
      checks.set(*check, on);
    else if (word == "all" || word == "none")
      checks = on && word == "all" ? all() : none();
    else
      return support::Failure{"there is no check '" + name.str() + "'"};
  }
  return checks;
}
