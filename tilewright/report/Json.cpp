// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Json.h.

#include "tilewright/report/Json.h"

using namespace tilewright;
using support::Failure;
using support::Result;
namespace json = llvm::json;

bool report::isTooDeepJson(llvm::StringRef text) {
  size_t depth = 0;
  bool isInString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char next = text[at];
    if (isInString && next == '\\')
      ++at;
    else if (next == '"')
      isInString = !isInString;
    else if (!isInString && (next == '[' || next == '{'))
      ++depth;
    else if (!isInString && (next == ']' || next == '}') && depth)
      --depth;
    if (depth > mostJsonLevels)
      return true;
  }
  return false;
}

Result<json::Value> report::parseJson(llvm::StringRef text) {
  if (isTooDeepJson(text))
    return Failure{"brackets are nested deeper than " + std::to_string(mostJsonLevels) + " levels"};
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed)
    return Failure{llvm::toString(parsed.takeError())};
  return std::move(*parsed);
}
