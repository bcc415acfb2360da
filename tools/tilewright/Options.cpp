// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Options.h.

#include "Options.h"
#include "tilewright/tile/text/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using llvm::StringRef;
using support::Failure;
using support::Result;
using tools::Command;
using tools::Option;

std::string tools::quoted(StringRef text) {
  constexpr size_t longest = 60;
  std::string shown;
  for (char c : text.take_front(longest))
    shown += (unsigned char)(c) < ' ' || c == 0x7F ? '?' : c;
  return "'" + shown + (text.size() > longest ? "...'" : "'");
}

Failure tools::expected(const std::string &what, StringRef text) {
  return {"expected " + what + ", but got " + quoted(text)};
}

Failure tools::repeated(size_t times) {
  return {"expected once, but is given " + std::to_string(times) + " times"};
}

std::string tools::suggestion(StringRef text, llvm::ArrayRef<std::string> known) {
  // Words of two or three letters nearly all differ by one edit, so a suggestion would be a guess.
  constexpr size_t shortest = 4;
  if (text.size() < shortest)
    return "";
  const llvm::SmallVector<StringRef> names(known.begin(), known.end());
  if (std::optional<StringRef> nearest = tile::nearestName(text, names))
    return "; did you mean '" + nearest->str() + "'?";
  const auto isLonger = [&](StringRef name) { return name.starts_with_insensitive(text); };
  if (llvm::count_if(names, isLonger) == 1)
    return "; did you mean '" + llvm::find_if(names, isLonger)->str() + "'?";
  return "";
}

std::string tools::unknownName(const std::string &kind, StringRef name,
                               llvm::ArrayRef<std::string> known) {
  return "there is no " + kind + " " + quoted(name) + suggestion(name, known);
}

Option tools::addFile(Command command, std::string &file, const std::string &description) {
  return command.addOperand("FILE", file, description).required().isFile();
}

Option tools::addTexts(Command command, const char *name, std::vector<std::string> &values,
                       const char *valueName, const std::string &description) {
  return command
      .addOption(
          name, [&values](const Command::Texts &texts) { values = texts; }, valueName, description)
      .repeatable();
}

//===-- Numbers -----------------------------------------------------------------------------===//

/// None if the text is not a number in the range.
static std::optional<uint64_t> integerIn(StringRef text, tools::Range range) {
  uint64_t number;
  StringRef digits = text;
  const bool isHex = digits.consume_front_insensitive("0x");
  const bool hasDigits = !digits.empty() && llvm::all_of(digits, [&](char c) {
    return isHex ? llvm::isHexDigit(c) : llvm::isDigit(c);
  });
  if (!hasDigits || digits.getAsInteger(isHex ? 16 : 10, number) || number < range.first ||
      number > range.last)
    return std::nullopt;
  return number;
}

static std::string textOf(tools::Range range) {
  return std::to_string(range.first) + ".." + std::to_string(range.last);
}

Result<uint64_t> tools::parseInteger(StringRef text, Range range) {
  if (std::optional<uint64_t> number = integerIn(text, range))
    return *number;
  return expected("an integer in " + textOf(range), text);
}

Result<std::vector<int64_t>> tools::parseIntegers(StringRef text, Range range, Range counts) {
  std::vector<int64_t> numbers;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts)
    if (std::optional<uint64_t> number = integerIn(part.trim(), range))
      numbers.push_back(int64_t(*number));
  if (numbers.size() == parts.size() && parts.size() >= counts.first && parts.size() <= counts.last)
    return numbers;
  return expected((counts.last < UINT64_MAX ? textOf(counts) + " integers" : "integers") + " in " +
                      textOf(range) + ", separated by commas",
                  text);
}

Option tools::addIntegers(Command command, const char *name, std::vector<int64_t> &values,
                          Range range, Range counts, const char *valueName,
                          const std::string &description) {
  auto parse = [range, counts](const std::string &text) {
    return parseIntegers(text, range, counts);
  };
  return addParsed(command, name, values, parse, valueName, description);
}

//===-- Choices -----------------------------------------------------------------------------===//

std::string tools::listOf(llvm::ArrayRef<std::string> names) {
  if (names.size() < 2)
    return names.empty() ? "" : names.front();
  return llvm::join(names.drop_back(), ", ") + " or " + names.back();
}

Failure tools::expectedOneOf(llvm::ArrayRef<std::string> names, StringRef text) {
  return {expected(listOf(names), text).message + suggestion(text, names)};
}
