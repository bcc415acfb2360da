// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Signature.h. The function's name is followed by `_K`, the calling convention, and for each
// argument `_` and a type. A type begins with a capital letter, and its syntax determines where it
// ends.

#include "tools/cuda/driver/Signature.h"

#include <algorithm>

using namespace tilewright::cuda;

namespace {
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f'); }
constexpr bool isLower(char c) { return c >= 'a' && c <= 'z'; }

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  /// Parses the argument types, which follow the function's name.
  bool parse(Signature &signature);

private:
  char peek(size_t ahead = 0) const { return ahead < text.size() ? text[ahead] : '\0'; }
  bool take(char c) {
    if (peek() != c)
      return false;
    text.remove_prefix(1);
    return true;
  }
  template <typename Belongs> std::string_view takeWhile(Belongs belongs) {
    const size_t length = std::ranges::find_if_not(text, belongs) - text.begin();
    std::string_view taken = text.substr(0, length);
    text.remove_prefix(length);
    return taken;
  }
  std::optional<size_t> takeNumber();
  bool takeSigned() { return take('_'), takeNumber().has_value(); }
  std::optional<twElementType> takeElement();
  bool takePredicates();
  bool takeGroups();
  std::optional<ArgumentType> takeArray();
  bool takeArgument();
  bool takeTuple();
  bool takeConstant();
  void add(ArgumentType type) {
    type.path = path;
    arguments.push_back(std::move(type));
  }

  std::string_view text;
  std::vector<ArgumentType> arguments;
  /// The position of the current argument.
  std::vector<size_t> path = {0};
};
} // namespace

static constexpr struct {
  std::string_view name;
  twElementType element;
} elements[] = {
    {"b8", TW_I1},
    {"u8", TW_I8},
    {"u16", TW_I16},
    {"u32", TW_I32},
    {"u64", TW_I64},
    {"i8", TW_I8},
    {"i16", TW_I16},
    {"i32", TW_I32},
    {"i64", TW_I64},
    {"f16", TW_F16},
    {"f32", TW_F32},
    {"f64", TW_F64},
    {"bf16", TW_BF16},
    {"tf32", TW_TF32},
    {"f8m3fn", TW_F8E4M3FN},
    {"f8m2", TW_F8E5M2},
    {"f8m0fnu", TW_F8E8M0FNU},
};

/// A number, at most as large as an array's rank can be.
std::optional<size_t> Parser::takeNumber() {
  std::string_view digits = takeWhile(isDigit);
  if (digits.empty())
    return std::nullopt;
  size_t number = 0;
  for (char digit : digits.substr(0, 18)) // longer ones are constants, whose values are not needed
    number = number * 10 + size_t(digit - '0');
  return number;
}

std::optional<twElementType> Parser::takeElement() {
  std::string_view name = takeWhile([](char c) { return isLower(c) || isDigit(c); });
  for (const auto &row : elements)
    if (row.name == name)
      return row.element;
  return std::nullopt;
}

/// Skips predicates of array dimensions, such as `_3l0`: `3` is a bit mask of dimensions.
bool Parser::takePredicates() {
  while (peek() == '_' && isHex(peek(1))) {
    take('_');
    takeWhile(isHex);
    for (char predicate : {'s', 'i', 't', 'v', 'l'})
      if (take(predicate) && !takeSigned())
        return false;
  }
  return true;
}

bool Parser::takeGroups() {
  while (take('g'))
    if (takeWhile(isHex).empty())
      return false;
  return true;
}

std::optional<ArgumentType> Parser::takeArray() {
  constexpr size_t mostDimensions = 64;
  std::optional<size_t> rank = takeNumber();
  if (!rank || *rank > mostDimensions)
    return std::nullopt;
  std::optional<twElementType> element = takeElement();
  if (!element || !takePredicates())
    return std::nullopt;
  if (peek() == '_' && isLower(peek(1))) {
    take('_');
    if ((take('p') && !takeSigned()) || !takeGroups())
      return std::nullopt;
    take('i');
    if (!take('u'))
      take('w');
  }
  return ArgumentType{ArgumentType::Array, *rank, *element};
}

bool Parser::takeConstant() {
  if (take('B'))
    return take('0') || take('1');
  if (take('I'))
    return takeSigned();
  return take('F') && takeWhile(isHex).size() == 16;
}

bool Parser::takeArgument() {
  if (take('S')) {
    std::optional<twElementType> element = takeElement();
    if (element)
      add({ArgumentType::Scalar, 0, *element});
    return element.has_value();
  }
  if (take('T'))
    return takeTuple();
  const bool isList = take('L');
  if (isList) {
    if (!takeGroups())
      return false;
    take('i');
  }
  if (!take('A'))
    return !isList && takeConstant();
  std::optional<ArgumentType> array = takeArray();
  if (!array)
    return false;
  if (isList)
    array->kind = ArgumentType::List;
  add(*array);
  return true;
}

bool Parser::takeTuple() {
  std::optional<size_t> count = takeNumber();
  if (!count)
    return false;
  path.push_back(0);
  for (size_t i = 0; i < *count; ++i) {
    path.back() = i;
    if (!takeArgument())
      return false;
  }
  path.pop_back();
  return true;
}

bool Parser::parse(Signature &signature) {
  if (takeWhile([](char c) { return c != '_'; }).empty())
    return false;
  for (; !text.empty(); ++path.front())
    if (!take('_') || !takeArgument())
      return false;
  signature.argumentCount = path.front();
  signature.arguments = std::move(arguments);
  return true;
}

std::optional<Signature> tilewright::cuda::signatureOf(std::string_view symbol) {
  const size_t at = symbol.rfind("_K");
  if (at == std::string_view::npos)
    return std::nullopt;
  Signature signature{std::string(symbol.substr(0, at))};
  if (!Parser(symbol.substr(at + 2)).parse(signature))
    return std::nullopt;
  return signature;
}
