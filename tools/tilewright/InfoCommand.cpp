// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright info`: prints a summary of a file (Describe.h) as text or JSON.

#include "Commands.h"
#include "LoadFlags.h"
#include "Output.h"
#include "tools/tilewright/Describe.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tilewright;
using namespace tilewright::tools;
using llvm::formatv;
using llvm::StringRef;

namespace {
struct InfoOptions {
  std::string file;
  bool json = false;
  api::LoadOptions load;
};
} // namespace

//===-- Text --------------------------------------------------------------------------------===//

/// Escapes control characters, because names and producers may be arbitrary bytes and must not
/// control the terminal.
static std::string escaped(StringRef bytes) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::printEscapedString(bytes, stream);
  return text;
}

/// `@name`, or `@"x y"` (textual format, 12.3).
static std::string symbol(StringRef name) {
  bool plain = llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  });
  plain &= !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_');
  return plain ? "@" + name.str() : "@\"" + escaped(name) + "\"";
}

static void printEntries(const Description &description, llvm::raw_ostream &out) {
  out << "\nentries: " << description.entries.size() << "\n";
  for (const EntryFacts &entry : description.entries) {
    out << "  " << symbol(entry.name) << "(" << llvm::join(entry.parameters, ", ") << ")";
    if (!entry.hints.empty())
      out << " optimization_hints=" << entry.hints;
    out << "\n";
  }
}

static void printGlobals(const Description &description, llvm::raw_ostream &out) {
  if (description.globals.empty())
    return;
  out << "\nglobals: " << description.globals.size() << "\n";
  for (const GlobalFacts &global : description.globals) {
    out << "  " << symbol(global.name) << " : " << global.type << ", " << global.visibility;
    if (global.constant)
      out << ", constant";
    if (global.alignment)
      out << ", alignment " << global.alignment;
    out << "\n";
  }
}

static void printSections(const Description &description, llvm::raw_ostream &out) {
  if (description.sections.empty())
    return;
  out << "\nsections: " << description.sections.size() << "\n";
  for (const SectionFacts &section : description.sections)
    out << formatv("  {0}  {1,-8} at 0x{2:X-3}, {3} bytes\n", section.id, section.name,
                   section.offset, section.size);
}

static void printOperations(const Description &description, llvm::raw_ostream &out) {
  out << "\noperations: " << description.operationTotal() << "\n";
  for (const OperationCount &operation : description.operations)
    out << formatv("{0,8}  {1}\n", operation.count, operation.name);
}

static void printForPeople(StringRef file, const Description &description, llvm::raw_ostream &out) {
  out << file << ": "
      << (description.bytecode ? "Tile IR bytecode " : "Tile IR as text, for at least ")
      << description.version << ", " << description.size << " bytes\n";
  if (description.producer)
    out << "producer: " << escaped(*description.producer) << "\n";
  printEntries(description, out);
  printGlobals(description, out);
  printSections(description, out);
  printOperations(description, out);
}

//===-- JSON --------------------------------------------------------------------------------===//

/// Replaces bytes that are not UTF-8 by U+FFFD, because JSON strings are text.
static llvm::json::Value jsonText(StringRef bytes) {
  return llvm::json::isUTF8(bytes) ? bytes.str() : llvm::json::fixUTF8(bytes);
}

static llvm::json::Value toJson(const EntryFacts &entry) {
  llvm::json::Value hints = nullptr;
  if (!entry.hints.empty())
    hints = entry.hints;
  return llvm::json::Object{{"name", jsonText(entry.name)},
                            {"parameters", llvm::json::Array(entry.parameters)},
                            {"hints", std::move(hints)}};
}

static llvm::json::Value toJson(const GlobalFacts &global) {
  return llvm::json::Object{{"name", jsonText(global.name)},
                            {"type", global.type},
                            {"alignment", global.alignment},
                            {"visibility", global.visibility},
                            {"constant", global.constant}};
}

static llvm::json::Value toJson(const SectionFacts &section) {
  return llvm::json::Object{{"id", section.id},
                            {"name", section.name},
                            {"offset", section.offset},
                            {"size", section.size}};
}

static llvm::json::Value toJson(const OperationCount &operation) {
  return llvm::json::Object{{"name", jsonText(operation.name)}, {"count", operation.count}};
}

template <typename T> static llvm::json::Array listOf(const std::vector<T> &facts) {
  llvm::json::Array list;
  for (const T &fact : facts)
    list.push_back(toJson(fact));
  return list;
}

static void printAsJson(StringRef file, const Description &description, llvm::raw_ostream &out) {
  llvm::json::Value producer = nullptr;
  if (description.producer)
    producer = jsonText(*description.producer);
  llvm::json::Object facts{{"file", jsonText(file)},
                           {"format", description.bytecode ? "bytecode" : "text"},
                           {"version", description.version},
                           {"producer", std::move(producer)},
                           {"size", description.size},
                           {"entries", listOf(description.entries)},
                           {"globals", listOf(description.globals)},
                           {"sections", listOf(description.sections)},
                           {"operations", listOf(description.operations)},
                           {"operation_total", description.operationTotal()}};
  out << formatv("{0:2}\n", llvm::json::Value(std::move(facts)));
}

//===-- The command -------------------------------------------------------------------------===//

static int showInfo(const InfoOptions &options) {
  api::Loader loader(options.load);
  mlir::OwningOpRef<mlir::ModuleOp> module = loader.load(options.file);
  if (!module)
    return exitStatusOf(loader);
  std::optional<Description> description = tools::describe(loader, *module);
  if (!description)
    return ExitInvalid;
  std::string text;
  llvm::raw_string_ostream stream(text);
  (options.json ? printAsJson : printForPeople)(loader.name(), *description, stream);
  return finishWith("-", text);
}

void tools::addInfo(Command program) {
  auto options = std::make_shared<InfoOptions>();
  Command command = program.addCommand("info", "Show what is in a file");
  addFile(command, options->file, "the program; '-' is standard input");
  command.addFlag("--json", options->json, "machine-readable output");
  addLoadFlags(command, options->load);
  command.setFooter(
      "For bytecode, the version is that of the file; for text, the oldest one that can represent "
      "it.\n"
      "Exit status: 0 success; 1 the program is invalid; 2 wrong usage, or a file that "
      "cannot be read.");
  command.onRun([options] { return showInfo(*options); });
}
