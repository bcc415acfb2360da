// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds options with values to a command. Each option has a function that parses its text. Names,
// numbers and choices report invalid values in the same form, as usage errors:
//
//     --runs: expected an integer in 1..1048576, but got 'many'
//
// Options whose values have a grammar or list of their own (--arg, --grid, --check, --cpu,
// --target) have their own messages.

#ifndef TILEWRIGHT_TOOLS_OPTIONS_H
#define TILEWRIGHT_TOOLS_OPTIONS_H

#include "Command.h"
#include "tilewright/support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::tools {

/// "expected WHAT, but got 'TEXT'"
support::Failure expected(const std::string &what, llvm::StringRef text);

/// The text in quotes, for messages: on one line, with control characters replaced and long texts
/// shortened.
std::string quoted(llvm::StringRef text);

/// "expected once, but is given 2 times"
support::Failure repeated(size_t times);

/// "there is no KIND 'NAME'", followed by a suggestion if a known name is similar.
std::string unknownName(const std::string &kind, llvm::StringRef name,
                        llvm::ArrayRef<std::string> known);
/// "; did you mean 'NAME'?", or an empty text if no known name is similar.
std::string suggestion(llvm::StringRef text, llvm::ArrayRef<std::string> known);

/// Adds the required operand FILE.
Option addFile(Command command, std::string &file, const std::string &description);

/// Adds an option with one value, which may be given once. `parse` returns a Result.
template <typename Value, typename Parse>
Option addParsed(Command command, const char *name, Value &value, Parse parse,
                 const char *valueName, const std::string &description) {
  auto store = [name, &value, parse](const Command::Texts &texts) {
    if (texts.size() > 1)
      refuse(name, repeated(texts.size()).message);
    auto parsed = parse(texts.front());
    if (!parsed)
      refuse(name, parsed.failure().message);
    value = std::move(*parsed);
  };
  return command.addOption(name, std::move(store), valueName, description);
}

/// Adds an option that accepts any text; the command checks it later.
template <typename Text>
Option addText(Command command, const char *name, Text &value, const char *valueName,
               const std::string &description) {
  auto keep = [](const std::string &text) { return support::Result<std::string>(text); };
  return addParsed(command, name, value, keep, valueName, description);
}

/// Adds an option that accepts any text that is not empty, such as a file or a name.
template <typename Text>
Option addName(Command command, const char *name, Text &value, const char *valueName,
               const std::string &description) {
  auto keep = [](const std::string &text) -> support::Result<std::string> {
    if (text.empty())
      return expected("a value that is not empty", text);
    return text;
  };
  return addParsed(command, name, value, keep, valueName, description);
}

/// Adds an option that accepts any text and may be given several times.
Option addTexts(Command command, const char *name, std::vector<std::string> &values,
                const char *valueName, const std::string &description);

//===-- Numbers -----------------------------------------------------------------------------===//

/// The bounds are inclusive.
struct Range {
  uint64_t first, last;
};
inline constexpr Range anyInteger = {0, UINT64_MAX};
inline constexpr Range anyExtent = {0, INT64_MAX};
/// For counts of threads along one dimension or in a subgroup, and of runs.
inline constexpr Range anyCount = {1, uint64_t(1) << 20};

/// Decimal, or hexadecimal after 0x.
support::Result<uint64_t> parseInteger(llvm::StringRef text, Range range);
/// Parses integers that are separated by commas; their number must be in the range `counts`.
support::Result<std::vector<int64_t>> parseIntegers(llvm::StringRef text, Range range,
                                                    Range counts);

template <typename Number>
Option addInteger(Command command, const char *name, Number &value, Range range,
                  const char *valueName, const std::string &description) {
  auto parse = [range](const std::string &text) { return parseInteger(text, range); };
  return addParsed(command, name, value, parse, valueName, description);
}

Option addIntegers(Command command, const char *name, std::vector<int64_t> &values, Range range,
                   Range counts, const char *valueName, const std::string &description);

//===-- Choices -----------------------------------------------------------------------------===//

/// "A, B or C"
std::string listOf(llvm::ArrayRef<std::string> names);

/// "expected A, B or C, but got 'TEXT'", followed by a suggestion if one of the names is similar.
support::Failure expectedOneOf(llvm::ArrayRef<std::string> names, llvm::StringRef text);

template <typename Choice> using Choices = std::vector<std::pair<std::string, Choice>>;

template <typename Choice> std::vector<std::string> namesOf(const Choices<Choice> &choices) {
  std::vector<std::string> names;
  for (const auto &[name, choice] : choices)
    names.push_back(name);
  return names;
}

/// Adds an option whose value is one of a few names.
template <typename Choice, typename Value>
Option addChoice(Command command, const char *name, Value &value, Choices<Choice> choices,
                 const char *valueName, const std::string &description) {
  auto parse = [choices](const std::string &text) -> support::Result<Choice> {
    for (const auto &[choiceName, choice] : choices)
      if (choiceName == text)
        return choice;
    return expectedOneOf(namesOf(choices), text);
  };
  return addParsed(command, name, value, parse, valueName, description)
      .completedBy({Values::Choice, namesOf(choices)});
}

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_OPTIONS_H
