// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Checks.h.

#include "tilewright/reference/machine/Checks.h"
#include "tilewright/tile/text/Spelling.h"

#include "llvm/ADT/SmallVector.h"

using namespace tilewright;
using namespace tilewright::reference;
using report::Rule;

/// In the order of Check. A correct program may violate rules that are warnings
/// (decisions/unspecified-values.md).
static constexpr Rule table[] = {
    {"assert", "assertions hold", "operations, 6.1",
     "the kernel asserts this condition: --break assert writes the asserted values"},
    {"bounds", "accesses stay inside of an allocation", "operations, 7.3",
     "compare the offset with the number of elements, and mask out what lies beyond"},
    {"alignment", "addresses are multiples of the element size", "operations, 7.3",
     "offsets count elements, not bytes: look at how the address was made"},
    {"lifetime", "an alloca is used in its scope and by its own block", "operations, 7.2",
     "allocate outside the loop; use `global` for memory that other tile blocks access"},
    {"constant", "constant globals are not written", "operations, 3.3",
     "remove `constant` from globals that the kernel writes, or write to an array"},
    {"index-space", "indices, slices and extents are in range", "operations, 8.1",
     "take extents from get_index_space_shape (in cuTile: num_tiles), and launch no more tile "
     "blocks than there are tiles"},
    {"undefined", "undefined elements reach no branch, address, mask, store or output",
     "operations, 11",
     "find in the note what makes the value undefined: give a load a padding value (in cuTile: "
     "padding_mode), write memory before it is read (fill an output with zeros before a kernel "
     "adds to it, as with split-K), and keep operands in the range of the operation"},
    {"unspecified", "elements that nothing specifies are not stored or printed; a warning",
     "operations, 11",
     "give the load or the view a padding value that its format has (in cuTile: padding_mode); if "
     "these elements are not used, run with --check no-unspecified",
     /*isWarning=*/true},
    {"overflow", "no-wrap assumptions hold where the result is used", "arithmetic, 2.3",
     "use a wider type, or assume less with overflow<none>"},
    {"division", "integer divisions have a result where it is used", "arithmetic, 4.4",
     "select a divisor other than 0 where the result is not needed"},
    {"shift", "shifts are by less than the width where the result is used", "arithmetic, 4.1",
     "shift twice by less, or select the result for amounts of the width or more",
     /*isWarning=*/true},
    {"assumption", "assumptions hold", "operations, 6.2",
     "assume only what holds for all arguments, or change the arguments"},
    {"race", "conflicting accesses are ordered or morally strong", "memory model, 7",
     "order the two by a token in one tile block; between tile blocks use atomics, or release and "
     "acquire with a scope that includes both"},
    {"scatter", "the sparse indices of a store are distinct", "operations, 8.1",
     "make the indices distinct, or send repeated ones outside of the tensor"},
    {"control", "loops have a positive step", "operations, 5.2",
     "make the step positive, and count backwards in the body"},
    {"print", "format expressions fit their arguments", "operations, 6.3",
     "use %d, %u or %x for integers, with ll for i64, %f, %e or %g for floats, and %p for "
     "pointers"},
    {"origin", "elements in arrays are finite and specified; a warning, and only if it is named",
     "arithmetic, 3.2",
     "follow the notes from the array back to the operation that made the value: mask out elements "
     "that have no value before they are combined, shift by less than the width, and keep operands "
     "of ftoi in the range of its result",
     /*isWarning=*/true},
    {"precision",
     "floats in arrays are close to those of an execution in f64; a warning, and only if "
     "it is named",
     "arithmetic, 3.4",
     "compute this operation in a wider format, or in another order: subtract before squares are "
     "summed, scale before the format is narrowed",
     /*isWarning=*/true},
    {"unsupported", "the reference machine supports what the kernel does"},
    {"step-limit", "the launch ends within its step limit"},
    {"deadlock", "some block can continue until all blocks have ended", "memory model, 1",
     "check what each block waits for, and whether the block that should write it runs and reaches "
     "the write; code that takes a lock must release it on every path"},
};
static_assert(std::size(table) == checkCount + 3);

const Rule &reference::ruleOf(Check check) { return table[unsigned(check)]; }

const Rule &reference::deadlockRule() { return table[checkCount + 2]; }

llvm::ArrayRef<Rule> reference::rules() { return table; }

std::optional<Check> reference::checkOf(const Finding &finding) {
  if (!finding.rule || finding.rule == &deadlockRule())
    return std::nullopt;
  return Check(finding.rule - table);
}

static std::optional<Check> checkNamed(llvm::StringRef name) {
  for (unsigned i = 0; i < checkCount; ++i)
    if (table[i].id == name)
      return Check(i);
  return std::nullopt;
}

/// The names of all checks: `assert, bounds, ...`.
static std::string names() {
  std::string list;
  for (unsigned i = 0; i < checkCount; ++i)
    list += (i ? ", " : "") + table[i].id.str();
  return list;
}

static support::Failure unknownCheck(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> known = {"all", "none"};
  for (const report::Rule &rule : rules().take_front(checkCount))
    known.push_back(rule.id);
  const std::optional<llvm::StringRef> nearest = tile::nearestName(name, known);
  return {"there is no check '" + name.str() + "': expected all, none, or names of " + names() +
          (nearest ? "; did you mean '" + nearest->str() + "'?" : "")};
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
      return unknownCheck(name);
  }
  return checks;
}
