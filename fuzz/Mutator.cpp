// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutates bytecode files. A file is most likely wrong in one small part, in a valid frame.
// libFuzzer's own mutations mostly damage lengths and offsets, and then nothing inside of the frame
// is tested; so most mutants are made from a Draft.

#include "Draft.h"

#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace tilewright;
using namespace tilewright::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static constexpr size_t versionAt = 8; // bytes of major, minor, tag

using Random = std::minstd_rand;

static size_t below(size_t bound, Random &random) {
  return std::uniform_int_distribution<size_t>(0, bound - 1)(random);
}

// --- Bytes --------------------------------------------------------------------------------

/// Increments or decrements a byte: an index, a tag or a count.
static void nudge(Bytes &bytes, Random &random) {
  if (!bytes.empty())
    bytes[below(bytes.size(), random)] += below(2, random) ? 1 : -1;
}

/// Repeats a sequence of bytes, possibly a whole operation, somewhere.
static void repeatStretch(Bytes &bytes, Random &random) {
  size_t start = below(bytes.size() + 1, random);
  size_t length = below(std::min<size_t>(bytes.size() - start, 16) + 1, random);
  Bytes stretch(bytes.begin() + start, bytes.begin() + start + length);
  bytes.insert(bytes.begin() + below(bytes.size() + 1, random), stretch.begin(), stretch.end());
}

static void mutate(Bytes &bytes, Random &random) {
  switch (below(5, random)) {
  case 0:
    return nudge(bytes, random);
  case 1:
    return repeatStretch(bytes, random);
  default:
    size_t size = bytes.size();
    bytes.resize(size + 32);
    bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
  }
}

// --- Parts --------------------------------------------------------------------------------

static void mutatePart(Bytes &entry, Random &random) { mutate(entry, random); }

static void mutatePart(DraftFunction &function, Random &random) {
  mutate(below(4, random) ? function.body : function.header, random);
}

/// Mutates a part, or duplicates, drops or swaps parts, which changes the meaning of indexes.
template <typename Part> static void mutateList(std::vector<Part> &parts, Random &random) {
  if (parts.empty())
    return parts.emplace_back(), void();
  size_t at = below(parts.size(), random), other = below(parts.size(), random);
  switch (below(8, random)) {
  case 0:
    parts.push_back(Part(parts[at]));
    return;
  case 1:
    parts.erase(parts.begin() + at);
    return;
  case 2:
    std::swap(parts[at], parts[other]);
    return;
  default:
    mutatePart(parts[at], random);
  }
}

static void mutate(DraftSection &section, Random &random) {
  if (section.functions)
    mutateList(*section.functions, random);
  else if (section.entries)
    mutateList(*section.entries, random);
  else
    mutate(section.payload, random);
}

static void mutate(Draft &draft, Random &random) {
  if (draft.sections.empty() || !below(32, random)) {
    draft.header[versionAt + below(4, random)] += below(2, random) ? 1 : -1;
    return;
  }
  // Most errors are possible in the bodies.
  DraftSection *functions = draft.find(bytecode::SectionId::Function);
  if (functions && below(2, random))
    return mutate(*functions, random);
  mutate(draft.sections[below(draft.sections.size(), random)], random);
}

/// Replaces a section by that of the other file, or appends the other file's parts to it.
static void cross(Draft &draft, const Draft &other, Random &random) {
  if (other.sections.empty())
    return;
  const DraftSection &theirs = other.sections[below(other.sections.size(), random)];
  DraftSection *ours = draft.find(theirs.id);
  auto join = [](auto &to, const auto &from) { to.insert(to.end(), from.begin(), from.end()); };
  if (!ours)
    draft.sections.push_back(theirs);
  else if (ours->functions && theirs.functions && below(2, random))
    join(*ours->functions, *theirs.functions);
  else if (ours->entries && theirs.entries && below(2, random))
    join(*ours->entries, *theirs.entries);
  else
    *ours = theirs;
}

// --- What libFuzzer calls -------------------------------------------------------------------

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  Random random(seed);
  std::optional<Draft> draft = Draft::takeApart({data, size});
  if (!draft || !below(8, random))
    return LLVMFuzzerMutate(data, size, maxSize);
  for (size_t damages = 1 + below(3, random); damages; --damages)
    mutate(*draft, random);
  Bytes mutant = draft->putTogether();
  if (mutant.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  llvm::copy(mutant, data);
  return mutant.size();
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
                                            const uint8_t *data2, size_t size2, uint8_t *out,
                                            size_t maxOutSize, unsigned seed) {
  Random random(seed);
  std::optional<Draft> draft = Draft::takeApart({data1, size1});
  std::optional<Draft> other = Draft::takeApart({data2, size2});
  if (!draft || !other)
    return 0; // libFuzzer tries another mutation
  cross(*draft, *other, random);
  Bytes child = draft->putTogether();
  if (child.size() > maxOutSize)
    return 0;
  llvm::copy(child, out);
  return child.size();
}
