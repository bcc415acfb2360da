// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes to the memory order of a kernel: another ordering or scope of an operation, or one token
// edge less or more. A Variant is a copy of the program with some of them.

#ifndef TILEWRIGHT_API_ADVISE_CHANGE_H
#define TILEWRIGHT_API_ADVISE_CHANGE_H

#include "tilewright/api/explore/Program.h"
#include "tilewright/tile/Ops.h"

#include <variant>

namespace tilewright::api {

/// A weak ordering has no scope.
struct Form {
  tile::MemoryOrderingSemantics ordering;
  std::optional<tile::MemoryScope> scope;

  static Form of(tile::MemoryAccessOpInterface access) {
    return {access.getOrdering(), access.getScope()};
  }
  /// `release device`, `weak`
  std::string text() const;
  friend bool operator==(const Form &, const Form &) = default;
};

/// Keeps the scope, unless one of the orderings is weak.
struct SetOrdering {
  Form form;
};
struct SetScope {
  tile::MemoryScope scope;
};
/// Removes the token that orders the operation after others. With `keepsLater`, what comes after
/// the operation stays ordered after them.
struct DropToken {
  bool keepsLater = false;
};
/// Removes the operand with this number of a `join_tokens`.
struct DropJoined {
  unsigned operand;
};
struct AddToken {
  mlir::Value token;
};

struct Change {
  mlir::Operation *op;
  std::variant<SetOrdering, SetScope, DropToken, DropJoined, AddToken> what;

  /// `relaxed device`, `no token`: the operation afterwards.
  std::string resultText(const ExploredProgram &program) const;
  /// `release device -> relaxed device`, `add token=%t`
  std::string text(const ExploredProgram &program) const;
};

/// `%t`, or where the token comes from if it has no name.
std::string tokenText(mlir::Value token, const ExploredProgram &program);

/// Whether the operation has a field for a token.
bool takesToken(mlir::Operation *op);

class Variant {
public:
  /// Null if the verifier rejects the result.
  static std::unique_ptr<Variant> of(const ExploredProgram &program,
                                     llvm::ArrayRef<Change> changes);

  tile::EntryOp entry() const { return entryOp; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> contents;
  tile::EntryOp entryOp;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ADVISE_CHANGE_H
