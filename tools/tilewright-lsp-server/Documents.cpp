// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Documents.h.

#include "Documents.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::editor;
using llvm::StringRef;
namespace json = llvm::json;

StringRef editor::uriOf(const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  return document ? document->getString("uri").value_or("") : "";
}

//===-- Positions ---------------------------------------------------------------------------===//

/// The UTF-16 code units of the character whose UTF-8 begins with this byte; 0 for continuation
/// bytes.
static int64_t unitsOf(unsigned char byte) {
  if ((byte & 0xC0) == 0x80)
    return 0;
  return byte >= 0xF0 ? 2 : 1;
}

int64_t editor::utf16Length(StringRef text) {
  int64_t length = 0;
  for (unsigned char byte : text)
    length += unitsOf(byte);
  return length;
}

size_t editor::offsetOf(StringRef text, int64_t line, int64_t character) {
  size_t offset = 0;
  for (; line > 0; --line) {
    const size_t end = text.find('\n', offset);
    if (end == StringRef::npos)
      return text.size();
    offset = end + 1;
  }
  for (; offset < text.size() && text[offset] != '\n'; ++offset) {
    character -= unitsOf(text[offset]);
    if (character < 0)
      break;
  }
  return offset;
}

static std::optional<size_t> offsetAt(StringRef text, const json::Object *position) {
  if (!position)
    return std::nullopt;
  const auto line = position->getInteger("line"), character = position->getInteger("character");
  if (!line || !character)
    return std::nullopt;
  return offsetOf(text, *line, *character);
}

//===-- Texts -------------------------------------------------------------------------------===//

const std::string *Documents::find(StringRef uri) const {
  const auto found = texts.find(uri);
  return found == texts.end() ? nullptr : &found->second;
}

std::optional<Cursor> Documents::cursorOf(const json::Object &params) const {
  const std::string *text = find(uriOf(params));
  if (!text)
    return std::nullopt;
  const std::optional<size_t> offset = offsetAt(*text, params.getObject("position"));
  return offset ? std::optional(Cursor{*text, *offset}) : std::nullopt;
}

/// A change without a range is the whole text.
static void apply(const json::Object &change, std::string &text) {
  const std::optional<StringRef> inserted = change.getString("text");
  if (!inserted)
    return;
  const json::Object *range = change.getObject("range");
  if (!range) {
    text = inserted->str();
    return;
  }
  const auto begin = offsetAt(text, range->getObject("start"));
  const auto end = offsetAt(text, range->getObject("end"));
  if (begin && end)
    text.replace(*begin, std::max(*begin, *end) - *begin, inserted->str());
}

void Documents::onNotification(StringRef method, const json::Value &value) {
  const json::Object *params = value.getAsObject();
  if (!params || !method.consume_front("textDocument/"))
    return;
  const StringRef uri = uriOf(*params);
  if (uri.empty())
    return;
  if (method == "didOpen") {
    texts[uri] = params->getObject("textDocument")->getString("text").value_or("").str();
  } else if (method == "didClose") {
    texts.erase(uri);
  } else if (method == "didChange") {
    const json::Array *changes = params->getArray("contentChanges");
    if (auto found = texts.find(uri); changes && found != texts.end())
      for (const json::Value &change : *changes)
        if (const json::Object *object = change.getAsObject())
          apply(*object, found->second);
  }
}
