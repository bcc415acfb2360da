// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Spelling.h. Older names are a table; the distance of names is the edit distance.

#include "tilewright/tile/text/Spelling.h"
#include "tilewright/numerics/Format.h"
#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace tilewright::tile;

/// Whether the words differ only by two swapped neighbours, as in "chekc".
static bool areSwapped(StringRef word, StringRef candidate) {
  if (word.size() != candidate.size())
    return false;
  size_t at = 0;
  while (at + 1 < word.size() && word[at] == candidate[at])
    ++at;
  return at + 1 < word.size() && word[at] == candidate[at + 1] && word[at + 1] == candidate[at] &&
         word.drop_front(at + 2) == candidate.drop_front(at + 2);
}

std::optional<StringRef> tilewright::tile::nearestName(StringRef word,
                                                       ArrayRef<StringRef> candidates) {
  // One typo in three letters: "adi" is near "addi", "xyz" is near nothing.
  unsigned best = std::max<size_t>(1, word.size() / 3) + 1;
  std::optional<StringRef> nearest;
  for (StringRef candidate : candidates) {
    const unsigned distance =
        areSwapped(word, candidate)
            ? 1
            : word.edit_distance_insensitive(candidate, /*AllowReplacements=*/true, best);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

static std::string didYouMean(StringRef word, ArrayRef<StringRef> candidates) {
  std::optional<StringRef> nearest = nearestName(word, candidates);
  return nearest ? ("did you mean '" + *nearest + "'?").str() : std::string();
}

void tilewright::tile::noteNearest(mlir::InFlightDiagnostic &diagnostic, StringRef word,
                                   ArrayRef<StringRef> candidates) {
  if (std::string advice = didYouMean(word, candidates); !advice.empty())
    diagnostic.attachNote() << advice;
}

std::string tilewright::tile::adviceForOp(StringRef mnemonic) {
  StringRef today = StringSwitch<StringRef>(mnemonic)
                        .Cases({"func", "kernel"}, "entry")
                        .Case("print", "print_tko")
                        .Case("fpowf", "pow")
                        .Default("");
  if (!today.empty())
    return ("this operation is spelled '" + today + "' in Tile IR 13.3").str();
  SmallVector<StringRef> names;
  for (const OpRow &row : allOps())
    names.push_back(row.mnemonic);
  return didYouMean(mnemonic, names);
}

std::string tilewright::tile::adviceForType(StringRef name) {
  StringRef today = StringSwitch<StringRef>(name)
                        .Cases({"e4m3", "fp8e4m3fn", "f8e4m3fn", "f8e4m3"}, "f8E4M3FN")
                        .Cases({"e5m2", "fp8e5m2", "f8e5m2"}, "f8E5M2")
                        .Cases({"e5m3", "fp8e5m3", "f8e5m3", "f8e5m3fnu"}, "f8E5M3FNU")
                        .Default("");
  if (!today.empty())
    return ("this element type is spelled '" + today + "'").str();
  if (name == "view")
    return "there is no keyword before the tensor view: drop 'view='";
  if (name == "string")
    return "the string type was removed in Tile IR 13.1.6; there is no replacement";
  SmallVector<StringRef> names = {"ptr",          "tile",  "tensor_view",        "partition_view",
                                  "strided_view", "token", "gather_scatter_view"};
  for (const numerics::FormatInfo &format : numerics::allFormats())
    if (format.format != numerics::Format::Pointer)
      names.push_back(format.spelling);
  return didYouMean(name, names);
}
