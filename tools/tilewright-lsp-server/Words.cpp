// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Words.h. All answers come from the operation table.

#include "Words.h"
#include "tilewright/tile/table/OpText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tilewright;
using namespace tilewright::editor;
using llvm::StringRef;
namespace json = llvm::json;

//===-- Lines -------------------------------------------------------------------------------===//

static bool isInWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; }
static StringRef wordBefore(StringRef text) {
  return text.take_back(text.size() -
                        text.rtrim("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_.$")
                            .size());
}

/// The line without leading braces, labels and the results of the operation that begins there.
static StringRef withoutResults(StringRef line) {
  line = line.ltrim(" \t{}");
  if (!line.starts_with("%"))
    return line;
  const size_t equals = line.find('=');
  const StringRef results = line.take_front(equals);
  const bool areResults = equals != StringRef::npos && llvm::all_of(results, [](char c) {
                            return isInWord(c) || StringRef("%,: \t#-").contains(c);
                          });
  return areResults ? line.drop_front(equals + 1).ltrim() : line;
}

/// Whether a mnemonic may follow this text.
static bool beginsOperation(StringRef before) { return withoutResults(before).empty(); }

/// The operation at the beginning of the line.
static const tile::OpRow *operationOf(StringRef line) {
  StringRef name = withoutResults(line).take_while(isInWord);
  name.consume_front("cuda_tile.");
  return tile::findOp(name);
}

//===-- Documentation -----------------------------------------------------------------------===//

static std::string documentationOf(const tile::OpRow &op) {
  return ("**" + op.mnemonic + "**: " + op.summary + "\n\n```\n" + tile::detailsOf(op) + "```\n")
      .str();
}

std::string editor::documentationOf(StringRef operation) {
  operation.consume_front("cuda_tile.");
  const tile::OpRow *op = tile::findOp(operation);
  return op ? ::documentationOf(*op) : "";
}

static const tile::TypeRow *findType(StringRef name) {
  name.consume_front("cuda_tile.");
  for (llvm::ArrayRef<tile::TypeRow> rows : {tile::allTypes(), tile::allElementTypes()})
    for (const tile::TypeRow &row : rows)
      if (row.mnemonic == name)
        return &row;
  return nullptr;
}

std::string editor::documentationAt(const Cursor &cursor) {
  const StringRef before = cursor.before(), begin = wordBefore(before);
  const StringRef word(begin.data(), begin.size() + cursor.after().take_while(isInWord).size());
  const StringRef front = before.drop_back(begin.size());
  if (beginsOperation(front))
    return documentationOf(word);
  if (front.ends_with("%") || front.ends_with("@"))
    return "";
  const tile::TypeRow *type = findType(word);
  if (!type || type->summary.empty())
    return "";
  return ("**" + type->mnemonic + "**: " + type->summary + " (since " + type->since.str() + ")\n")
      .str();
}

//===-- Completion --------------------------------------------------------------------------===//

/// CompletionItemKind of LSP.
enum class ItemKind {
  Function = 3,
  Keyword = 14,
  EnumMember = 20,
  Struct = 22,
  TypeParameter = 25
};

static json::Object itemOf(StringRef label, ItemKind kind, const llvm::Twine &detail) {
  return json::Object{{"label", label.str()}, {"kind", int(kind)}, {"detail", detail.str()}};
}

/// Without the dialect prefix: for editors, a word begins after a dot.
static json::Array mnemonics() {
  json::Array items;
  for (const tile::OpRow &op : tile::allOps()) {
    json::Object item = itemOf(op.mnemonic, ItemKind::Function, op.summary);
    item["documentation"] = json::Object{{"kind", "markdown"}, {"value", documentationOf(op)}};
    items.push_back(std::move(item));
  }
  return items;
}

/// Whether the word is a placeholder for an enum value in the syntax, like PREDICATE in `cmpi`.
static bool isPlaceOfMember(const tile::OpRow &op, StringRef word, StringRef rest) {
  return !rest.starts_with("<") && llvm::any_of(op.fields(), [&](const tile::FieldRow &field) {
    return field.name == word && field.attributeKind == tile::AttributeKind::Enum;
  });
}

/// The literal words of an operation's syntax: `overflow`, `inbounds`, `signed`.
static llvm::SmallVector<StringRef> clausesOf(const tile::OpRow &op) {
  llvm::SmallVector<StringRef> clauses;
  StringRef syntax = op.syntax;
  for (size_t at = op.mnemonic.size(); at < syntax.size();) {
    const StringRef word = syntax.drop_front(at).take_while(isInWord);
    const char previous = syntax[at - 1];
    // Operand names follow %, type names are in T(...), region names in braces.
    const bool isName = previous == '%' || previous == '@' ||
                        syntax.take_front(at).ends_with("T(") ||
                        syntax.take_front(at).ends_with("{ ");
    const bool isClause = !word.empty() && llvm::isLower(word.front()) && !isName &&
                          !isPlaceOfMember(op, word, syntax.drop_front(at + word.size()));
    if (isClause && !llvm::is_contained(clauses, word))
      clauses.push_back(word);
    at += std::max<size_t>(word.size(), 1);
  }
  return clauses;
}

/// The possible attribute values of the operation, and its literal words.
static json::Array attributesOf(const tile::OpRow &op) {
  json::Array items;
  llvm::StringSet<> labels;
  auto add = [&](StringRef label, ItemKind kind, const llvm::Twine &detail) {
    if (labels.insert(label).second)
      items.push_back(itemOf(label, kind, detail));
  };
  for (const tile::FieldRow &field : op.fields())
    if (field.attributeKind == tile::AttributeKind::Enum)
      for (const tile::MemberRow &member : tile::allEnumMembers())
        if (member.enumName == field.enumName)
          add(member.spelling, ItemKind::EnumMember,
              field.name + ": " + field.constraint + ", since " + member.since.str());
  for (StringRef clause : clausesOf(op))
    add(clause, ItemKind::Keyword, "clause of " + op.mnemonic);
  return items;
}

static json::Array types() {
  json::Array items;
  for (const tile::TypeRow &type : tile::allTypes())
    items.push_back(itemOf(type.mnemonic, ItemKind::Struct, type.summary));
  return items;
}

/// Includes pointers.
static json::Array elementTypes() {
  json::Array items;
  items.push_back(itemOf("ptr", ItemKind::Struct, findType("ptr")->summary));
  for (const tile::TypeRow &type : tile::allElementTypes())
    items.push_back(
        itemOf(type.mnemonic, ItemKind::TypeParameter, "element type, since " + type.since.str()));
  return items;
}

/// Whether an element type comes next, as after `tile<` or `tensor_view<4x?x`.
static bool expectsElement(StringRef front) {
  StringRef dims = front.rtrim("0123456789?x");
  return dims.consume_back("<") && findType(wordBefore(dims)) &&
         (dims.size() + 1 == front.size() || front.ends_with("x"));
}

/// Whether a type comes next: after a colon or an arrow, and in the lists that begin there.
static bool expectsType(StringRef front) {
  front = front.rtrim();
  if (front.ends_with(":") || front.ends_with("->"))
    return true;
  if (!front.ends_with(",") && !front.ends_with("("))
    return false;
  return front.contains(" : ") || front.contains("->");
}

json::Array editor::completionsAt(const Cursor &cursor) {
  const StringRef before = cursor.before(), typed = wordBefore(before);
  const StringRef front = before.drop_back(typed.size());
  if (front.ends_with("%") || front.ends_with("@") || front.contains("//"))
    return {};
  if (beginsOperation(front))
    return mnemonics();
  if (front.ends_with("!"))
    return types();
  // Extents and an element type are one word.
  const StringRef element = typed.ltrim("0123456789?x");
  if (expectsElement(before.drop_back(element.size())))
    return elementTypes();
  if (expectsType(front))
    return types();
  const tile::OpRow *op = operationOf(before);
  return op ? attributesOf(*op) : json::Array();
}
