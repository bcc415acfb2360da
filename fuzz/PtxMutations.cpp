// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the PTX machine with nearly valid texts. `mutate_ptx COUNT SEED KEPT FILE...` mutates the
// PTX of the files, an entry at a time: it swaps words, replaces numbers by extreme ones, and
// drops, duplicates and moves lines. Each text is executed for a limited time (PtxExecution.h). The
// file KEPT contains the text that was executed last; the program ends if one takes more than 20
// seconds.

#include "PtxExecution.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <unistd.h>

using namespace tilewright;

namespace {
class Mutator {
public:
  Mutator(std::vector<std::string> seeds, uint64_t seed) : seeds(std::move(seeds)), random(seed) {
    for (const std::string &text : this->seeds)
      for (std::string &word : wordsOf(text))
        if (word.size() > 1)
          vocabulary.push_back(std::move(word));
    std::sort(vocabulary.begin(), vocabulary.end()); // rare words are as likely as frequent ones
    vocabulary.erase(std::unique(vocabulary.begin(), vocabulary.end()), vocabulary.end());
  }
  /// A text with one or a few mutations.
  std::string next();

private:
  static std::vector<std::string> wordsOf(const std::string &text);
  size_t below(size_t count) { return count ? random() % count : 0; }
  void changeWords(std::vector<std::string> &words);
  std::string changeLines(const std::string &text);

  std::vector<std::string> seeds, vocabulary;
  std::mt19937_64 random;
};
} // namespace

static bool isInWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '$';
}

/// Splits into words, and single characters between them.
std::vector<std::string> Mutator::wordsOf(const std::string &text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (isInWord(text[at]) && end < text.size() && isInWord(text[end]))
      ++end;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

static bool isNumber(const std::string &word) {
  return std::isdigit(static_cast<unsigned char>(word.front())) != 0;
}

void Mutator::changeWords(std::vector<std::string> &words) {
  // clang-format off
  static const char *const extremes[] = {
      "0", "-1", "1", "31", "32", "33", "127", "0x7FFFFFFF", "0x80000000", "0xFFFFFFFF",
      "4294967296", "0x7FFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFF", "-0x8000000000000000",
      "99999999999999999999", "0f7F800000", "0f7FC00000", "0dFFF0000000000000", "1e308"};
  // clang-format on
  const size_t at = below(words.size());
  switch (below(4)) {
  case 0:
    std::swap(words[at], words[below(words.size())]);
    break;
  case 1:
    words[at] = vocabulary[below(vocabulary.size())];
    break;
  case 2:
    words[at].clear();
    break;
  default: { // the next number from here
    const auto number =
        std::find_if(words.begin() + long(at), words.end(),
                     [](const std::string &word) { return !word.empty() && isNumber(word); });
    if (number != words.end())
      *number = extremes[below(std::size(extremes))];
  }
  }
}

static std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string Mutator::changeLines(const std::string &text) {
  std::vector<std::string> lines = linesOf(text);
  const size_t at = below(lines.size());
  switch (below(3)) {
  case 0:
    lines.erase(lines.begin() + long(at));
    break;
  case 1:
    lines.insert(lines.begin() + long(below(lines.size())), lines[at]);
    break;
  default:
    std::swap(lines[at], lines[below(lines.size())]);
  }
  std::string changed;
  for (const std::string &line : lines)
    changed += line;
  return changed;
}

std::string Mutator::next() {
  std::string text = seeds[below(seeds.size())];
  for (size_t changes = 1 + below(3); changes-- > 0 && text.size() > 1;) {
    if (below(3) == 0) {
      text = changeLines(text);
      continue;
    }
    std::vector<std::string> words = wordsOf(text);
    changeWords(words);
    text.clear();
    for (const std::string &word : words)
      text += word;
  }
  return text;
}

static std::string read(const char *path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Returns a module for each entry, which contains no other entry: the text outside of entries, and
/// the entry, which begins at the start of a line. The long DWARF sections at the end are left out.
static std::vector<std::string> splitEntries(const std::string &text) {
  std::string others;
  std::vector<std::string> entries;
  bool isInEntry = false;
  long depth = 0;
  for (const std::string &line : linesOf(text.substr(0, text.find("\n\t.section")))) {
    if (line.starts_with(".visible .entry") || line.starts_with(".entry")) {
      isInEntry = true;
      entries.emplace_back();
    }
    (isInEntry ? entries.back() : others) += line;
    depth += std::count(line.begin(), line.end(), '{') - std::count(line.begin(), line.end(), '}');
    isInEntry &= depth > 0 || line.find('}') == line.npos;
  }
  for (std::string &entry : entries)
    entry = others + entry;
  return entries;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: mutate_ptx COUNT SEED KEPT FILE...\n");
    return 2;
  }
  std::vector<std::string> seeds;
  for (int file = 4; file < argc; ++file) {
    std::vector<std::string> entries = splitEntries(read(argv[file]));
    if (entries.empty()) {
      std::fprintf(stderr, "mutate_ptx: '%s' cannot be read, or has no entry\n", argv[file]);
      return 2;
    }
    seeds.insert(seeds.end(), entries.begin(), entries.end());
  }
  const uint64_t count = std::strtoull(argv[1], nullptr, 10);
  Mutator mutator(std::move(seeds), std::strtoull(argv[2], nullptr, 10));
  uint64_t refused = 0;
  for (uint64_t number = 0; number < count; ++number) {
    const std::string text = mutator.next();
    if (!(std::ofstream(argv[3]) << text).flush()) {
      std::fprintf(stderr, "mutate_ptx: '%s' cannot be written\n", argv[3]);
      return 2;
    }
    alarm(20);
    refused += !fuzz::executeEntries(text, number).empty();
  }
  std::printf("mutate_ptx: %llu texts, %llu refused, %llu executed\n",
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(refused),
              static_cast<unsigned long long>(count - refused));
  return 0;
}
