// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright ops`: prints the operation reference, from the operation table.

#include "Commands.h"
#include "Options.h"

#include "tilewright/tile/table/OpText.h"
#include "tilewright/tile/text/Spelling.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::tools;
using llvm::outs;
using llvm::StringRef;

namespace {
struct OpsOptions {
  std::vector<std::string> names;
  bool json = false;
};
} // namespace

/// Prints one line per operation, grouped by category.
static void printList() {
  llvm::StringSet<> done;
  for (const tile::OpRow &first : tile::allOps()) {
    if (!done.insert(first.category).second)
      continue;
    outs() << first.category << "\n";
    for (const tile::OpRow &op : tile::allOps())
      if (op.category == first.category)
        outs() << llvm::formatv("  {0,-26}{1,-6}{2}\n", op.mnemonic, op.since.str(), op.summary);
  }
  outs() << "\n'tilewright ops NAME' shows an operation in detail.\n";
}

static void printDetails(const tile::OpRow &op) {
  outs() << op.mnemonic << " - " << op.summary << "\n\n" << tile::detailsOf(op);
}

static llvm::json::Value toJson(const tile::OpRow &op) {
  llvm::json::Array fields;
  for (const tile::FieldRow &field : op.fields())
    fields.push_back(llvm::json::Object{{"kind", tile::wordFor(field.kind)},
                                        {"name", field.name},
                                        {"constraint", field.constraint},
                                        {"optional", field.arity == tile::Arity::Optional},
                                        {"variadic", field.arity == tile::Arity::Variadic},
                                        {"default", field.defaultValue},
                                        {"since", field.since.str()}});
  return llvm::json::Object{{"mnemonic", op.mnemonic},    {"opcode", op.opcode},
                            {"since", op.since.str()},    {"category", op.category},
                            {"summary", op.summary},      {"syntax", op.syntax},
                            {"fields", std::move(fields)}};
}

/// The rows of the operations that the command line names, or all rows.
static std::optional<std::vector<const tile::OpRow *>> chosenOps(const OpsOptions &options) {
  std::vector<const tile::OpRow *> chosen;
  for (StringRef name : options.names) {
    name.consume_front("cuda_tile.");
    if (const tile::OpRow *op = tile::findOp(name)) {
      chosen.push_back(op);
      continue;
    }
    llvm::errs() << "there is no operation '" << name << "'";
    if (std::string advice = tile::adviceForOp(name); !advice.empty())
      llvm::errs() << "; " << advice;
    llvm::errs() << "\n";
    return std::nullopt;
  }
  if (options.names.empty())
    for (const tile::OpRow &op : tile::allOps())
      chosen.push_back(&op);
  return chosen;
}

std::vector<std::string> tools::operationNames() {
  std::vector<std::string> names;
  for (const tile::OpRow &op : tile::allOps())
    names.push_back(op.mnemonic.str());
  return names;
}

static int showOps(const OpsOptions &options) {
  auto chosen = chosenOps(options);
  if (!chosen)
    return ExitUsage;
  if (options.json) {
    llvm::json::Array rows;
    for (const tile::OpRow *op : *chosen)
      rows.push_back(toJson(*op));
    outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(rows)));
  } else if (options.names.empty()) {
    printList();
  } else {
    for (const tile::OpRow *op : *chosen) {
      if (op != chosen->front())
        outs() << "\n";
      printDetails(*op);
    }
  }
  return ExitSuccess;
}

void tools::addOps(Command program) {
  auto options = std::make_shared<OpsOptions>();
  Command command = program.addCommand("ops", "Look up operations");
  command.addOperands("NAME", options->names, "operations to show in detail; without: list all")
      .completedBy({Values::Choice, operationNames()});
  command.addFlag("--json", options->json, "machine-readable output");
  command.onRun([options] { return showOps(*options); });
}
