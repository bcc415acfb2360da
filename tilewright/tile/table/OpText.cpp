// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OpText.h.

#include "tilewright/tile/table/OpText.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright::tile;
using llvm::StringRef;

StringRef tilewright::tile::wordFor(FieldKind kind) {
  switch (kind) {
  case FieldKind::Operand:
    return "operand";
  case FieldKind::Attribute:
    return "attribute";
  case FieldKind::Result:
    return "result";
  case FieldKind::Region:
    return "region";
  }
  llvm_unreachable("all kinds of fields are listed");
}

/// ", optional", ", default none", ...
static std::string suffixFor(const FieldRow &field, const OpRow &op) {
  std::string text;
  if (field.arity == Arity::Optional)
    text = ", optional";
  else if (field.arity == Arity::Variadic)
    text = ", any number";
  else if (field.arity == Arity::Defaulted)
    text = ", default " + field.defaultValue.str();
  if (field.since > op.since)
    text += ", since " + field.since.str();
  return text;
}

std::string tilewright::tile::detailsOf(const OpRow &op) {
  std::string text = ("  " + op.syntax + "\n\n").str();
  for (const FieldRow &field : op.fields())
    text += llvm::formatv("  {0,-11}{1,-28}{2}{3}\n", wordFor(field.kind), field.name,
                          field.constraint, suffixFor(field, op));
  text += llvm::formatv("\n  {0}; since {1}; opcode 0x{2:X-2}\n", op.category, op.since.str(),
                        op.opcode);
  return text;
}
