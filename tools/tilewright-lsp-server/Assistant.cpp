// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Assistant.h.

#include "Assistant.h"
#include "Formatting.h"
#include "Words.h"
#include "tilewright/support/Version.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::editor;
using llvm::StringRef;
namespace json = llvm::json;

//===-- Messages ----------------------------------------------------------------------------===//

/// The ID of a request or a reply, as a map key; empty for a notification.
static std::string keyOf(const json::Object &message) {
  const json::Value *id = message.get("id");
  return id ? llvm::formatv("{0}", *id).str() : "";
}

void Assistant::fromEditor(json::Object &message) {
  const StringRef method = message.getString("method").value_or("");
  json::Value *params = message.get("params");
  if (!params)
    return;
  const std::string key = keyOf(message);
  if (key.empty())
    return documents.onNotification(method, *params);
  json::Object *object = params->getAsObject();
  if (!object)
    return;
  if (Completion completion = completionFor(method, *object)) {
    std::lock_guard lock(mutex);
    pending[key] = std::move(completion);
  }
}

void Assistant::fromServer(json::Object &message) {
  if (message.get("method"))
    return;
  Completion completion;
  {
    std::lock_guard lock(mutex);
    const auto found = pending.find(keyOf(message));
    if (found == pending.end())
      return;
    completion = std::move(found->second);
    pending.erase(found);
  }
  completion(message);
}

Assistant::Completion Assistant::completionFor(StringRef method, json::Object &params) {
  if (method == "initialize")
    return forInitialize(params);
  if (method == "textDocument/hover")
    return forHover(params);
  if (method == "textDocument/completion")
    return forCompletion(params);
  if (method == "textDocument/documentSymbol")
    return forSymbols(params);
  if (method == "textDocument/formatting")
    return forFormatting(params);
  return nullptr;
}

//===-- Initialisation ----------------------------------------------------------------------===//

/// The member, created if it does not exist.
static json::Object &member(json::Object &object, StringRef name) {
  json::Value &value = object[name];
  if (!value.getAsObject())
    value = json::Object();
  return *value.getAsObject();
}

/// The server returns nested symbols or none, so this sets the editor's capability for them.
Assistant::Completion Assistant::forInitialize(json::Object &params) {
  json::Object &symbols =
      member(member(member(params, "capabilities"), "textDocument"), "documentSymbol");
  knowsNestedSymbols = symbols.getBoolean("hierarchicalDocumentSymbolSupport").value_or(false);
  symbols["hierarchicalDocumentSymbolSupport"] = true;
  return [](json::Object &reply) {
    json::Object *result = reply.getObject("result");
    if (!result)
      return;
    (*result)["serverInfo"] =
        json::Object{{"name", "tilewright-lsp-server"}, {"version", support::version}};
    member(*result, "capabilities")["documentFormattingProvider"] = true;
  };
}

//===-- Hover -------------------------------------------------------------------------------===//

/// The operation that the server's hover text describes: the text begins with `"cuda_tile.addi"`
/// and a line break.
static StringRef operationIn(StringRef text) {
  if (!text.consume_front("\""))
    return "";
  auto [name, rest] = text.split('"');
  return rest.starts_with("\n") ? name : "";
}

/// Replaces the name in front of the generic form by the documentation; or adds it to an empty
/// reply.
Assistant::Completion Assistant::forHover(const json::Object &params) const {
  const std::optional<Cursor> cursor = documents.cursorOf(params);
  std::string words = cursor ? documentationAt(*cursor) : "";
  return [words = std::move(words)](json::Object &reply) {
    json::Object *result = reply.getObject("result");
    json::Object *contents = result ? result->getObject("contents") : nullptr;
    const StringRef found = contents ? contents->getString("value").value_or("") : "";
    if (found.empty()) {
      if (!words.empty() && !reply.get("error"))
        reply["result"] =
            json::Object{{"contents", json::Object{{"kind", "markdown"}, {"value", words}}}};
      return;
    }
    if (std::string text = documentationOf(operationIn(found)); !text.empty())
      (*contents)["value"] = text + found.split('\n').second.str();
  };
}

//===-- Completion --------------------------------------------------------------------------===//

/// Puts our completions first, and drops the server's duplicates and its dialect prefixes, which
/// Tile IR syntax omits.
Assistant::Completion Assistant::forCompletion(const json::Object &params) const {
  const std::optional<Cursor> cursor = documents.cursorOf(params);
  const bool isTileIr = cursor && cursor->text.contains("cuda_tile");
  json::Array ours = isTileIr ? completionsAt(*cursor) : json::Array();
  if (ours.empty())
    return nullptr;
  return [ours = std::move(ours)](json::Object &reply) {
    json::Array items = ours;
    llvm::StringSet<> labels;
    for (const json::Value &item : items)
      labels.insert(item.getAsObject()->getString("label").value_or(""));
    json::Object *result = reply.getObject("result");
    const json::Array *theirs = result ? result->getArray("items") : nullptr;
    for (const json::Value &item : theirs ? *theirs : json::Array())
      if (const json::Object *object = item.getAsObject())
        if (object->getString("detail") != "dialect" &&
            labels.insert(object->getString("label").value_or("")).second)
          items.push_back(item);
    reply.erase("error");
    reply["result"] = json::Object{{"isIncomplete", false}, {"items", std::move(items)}};
  };
}

//===-- Symbols -----------------------------------------------------------------------------===//

/// The server returns names for some symbols only; others are called `<cuda_tile.module>`.
static std::string nameOf(const json::Object &symbol, StringRef text) {
  const StringRef name = symbol.getString("name").value_or("");
  const json::Object *range = symbol.getObject("selectionRange");
  const json::Object *end = range ? range->getObject("end") : nullptr;
  if (!name.starts_with("<") || !end)
    return name.str();
  StringRef rest = text.drop_front(offsetOf(text, end->getInteger("line").value_or(0),
                                            end->getInteger("character").value_or(0)));
  rest = rest.ltrim(" ");
  if (!rest.consume_front("@"))
    return name.str();
  const StringRef known = rest.consume_front("\"")
                              ? rest.take_until([](char c) { return c == '"'; })
                              : rest.take_while([](char c) {
                                  return llvm::isAlnum(c) || StringRef("_$.-").contains(c);
                                });
  return known.empty() ? name.str() : known.str(); // the protocol forbids an empty name
}

static void giveNames(json::Array &symbols, StringRef text) {
  for (json::Value &value : symbols)
    if (json::Object *symbol = value.getAsObject()) {
      (*symbol)["name"] = nameOf(*symbol, text);
      if (json::Array *children = symbol->getArray("children"))
        giveNames(*children, text);
    }
}

/// Converts to SymbolInformation, for editors that do not support nested symbols.
static void flatten(const json::Array &symbols, StringRef uri, StringRef container,
                    json::Array &flat) {
  for (const json::Value &value : symbols) {
    const json::Object *symbol = value.getAsObject();
    if (!symbol || !symbol->getObject("range"))
      continue;
    const std::string name = symbol->getString("name").value_or("").str();
    json::Object row{
        {"name", name},
        {"kind", symbol->getInteger("kind").value_or(0)},
        {"location", json::Object{{"uri", uri.str()}, {"range", *symbol->get("range")}}}};
    if (!container.empty())
      row["containerName"] = container.str();
    flat.push_back(std::move(row));
    if (const json::Array *children = symbol->getArray("children"))
      flatten(*children, uri, name, flat);
  }
}

Assistant::Completion Assistant::forSymbols(const json::Object &params) const {
  const std::string uri = uriOf(params).str(), *known = documents.find(uri);
  if (!known)
    return nullptr;
  return [uri, text = *known, nested = knowsNestedSymbols](json::Object &reply) {
    json::Array *symbols = reply.getArray("result");
    if (!symbols)
      return;
    giveNames(*symbols, text);
    if (nested)
      return;
    json::Array flat;
    flatten(*symbols, uri, "", flat);
    reply["result"] = std::move(flat);
  };
}

//===-- Formatting --------------------------------------------------------------------------===//

/// The server does not support formatting: its error reply is replaced by an answer.
Assistant::Completion Assistant::forFormatting(const json::Object &params) const {
  const std::string *text = documents.find(uriOf(params));
  if (!text)
    return nullptr;
  return [edits = formattingEdits(*text)](json::Object &reply) {
    reply.erase("error");
    reply["result"] = json::Array(edits);
  };
}
