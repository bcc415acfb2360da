// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Load.h.

#include "tilewright/api/Load.h"
#include "tilewright/api/Prescan.h"
#include "tilewright/api/Records.h"
#include "tilewright/api/text/BareText.h"
#include "tilewright/api/text/Undeclared.h"
#include "tilewright/bytecode/Reader.h"
#include "tilewright/report/BytecodeDiagnostics.h"
#include "tilewright/report/Diagnostics.h"
#include "tilewright/tile/Strict.h"
#include "tilewright/tile/attributes/Places.h"
#include "tilewright/tile/table/Versions.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::api;
using report::BytecodeDiagnostics;
using report::SourceDiagnostics;

Loader::Loader(LoadOptions options, llvm::raw_ostream &diagnostics)
    : options(options), out(diagnostics), mlirContext(MLIRContext::Threading::DISABLED) {
  mlirContext.getOrLoadDialect<tile::TileDialect>()->hintMode = options.hints;
  mlirContext.allowUnregisteredDialects(options.allowUnregistered);
  // Diagnostics show the source line instead of the printed operation.
  mlirContext.printOpOnDiagnostic(false);
}

//===-- Reading -----------------------------------------------------------------------------===//

/// The contents of a file. If it cannot be read, prints a line about it and returns null.
static std::unique_ptr<llvm::MemoryBuffer> readFile(StringRef path, raw_ostream &out) {
  std::string problem;
  if (path != "-" && llvm::sys::fs::is_directory(path)) {
    problem = "is a folder";
  } else {
    auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
    if (buffer)
      return std::move(*buffer);
    problem = buffer.getError().message();
  }
  out << path << ": cannot read: " << problem << "\n";
  return nullptr;
}

OwningOpRef<ModuleOp> Loader::load(StringRef path) {
  if (std::unique_ptr<llvm::MemoryBuffer> file = readFile(path, out))
    return read(std::move(file));
  contents = llvm::MemoryBuffer::getMemBuffer("", path);
  lastStatus = LoadStatus::Unreadable;
  return nullptr;
}

OwningOpRef<ModuleOp> Loader::loadMemory(StringRef bytes, StringRef name) {
  return read(llvm::MemoryBuffer::getMemBufferCopy(bytes, name));
}

OwningOpRef<ModuleOp> Loader::read(std::unique_ptr<llvm::MemoryBuffer> file) {
  contents = std::move(file);
  namesOfValues.clear();
  OwningOpRef<ModuleOp> module = isBytecode() ? decode(options.markPlaces) : parse();
  if (module && failed(examine(*module, [this](ModuleOp copy) { return keepsRules(copy); })))
    module = nullptr;
  lastStatus = module ? LoadStatus::Valid : LoadStatus::Invalid;
  return module;
}

/// Is this a character that text never contains? The first and the last character of the magic are.
static bool isBinary(char c) {
  return static_cast<unsigned char>(c) < 0x20 ? !StringRef("\t\n\v\f\r").contains(c) : c == 0x7F;
}

/// Is any character near the start binary? Then a file with a damaged magic counts as bytecode too,
/// because the bytecode reader reports the damage better than the text parser.
bool Loader::isBytecode() const {
  return llvm::any_of(bytes().take_front(bytecode::magic.size() + 4), isBinary);
}

std::optional<tile::Version> Loader::version() const {
  if (!isBytecode())
    return std::nullopt;
  support::Result<bytecode::File> file =
      bytecode::readFile(llvm::arrayRefFromStringRef<uint8_t>(bytes()));
  return file ? std::optional(file->version) : std::nullopt;
}

/// Adds the text, from which diagnostics take their source lines. Refers to the text without owning
/// it.
static void addText(llvm::SourceMgr &sources, const llvm::MemoryBuffer &text) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text.getMemBufferRef()),
                             llvm::SMLoc());
}

OwningOpRef<ModuleOp> Loader::parse() {
  llvm::SourceMgr sources;
  addText(sources, *contents);
  report::SourceDiagnostics diagnostics(sources, &mlirContext, out);
  const BareText *bare = nullptr;
  DiagnosticRecorder recorder(&mlirContext, name(), records, [&](Location location) {
    return bare ? bare->original(location) : location;
  });
  if (failed(verifyHasNoHazard(sources, &mlirContext)))
    return nullptr;
  if (std::optional<BareText> found = BareText::of(*contents)) {
    bare = &*found;
    diagnostics.setOrigin([&](Location location) { return bare->original(location); });
    return parseBare(*bare);
  }
  UndeclaredNames names(&mlirContext, *contents);
  return parseText(sources);
}

OwningOpRef<ModuleOp> Loader::parseText(const llvm::SourceMgr &sources) {
  return options.keepNames ? parseWithNames(sources, &mlirContext, namesOfValues)
                           : parseSourceFile<ModuleOp>(sources, &mlirContext);
}

OwningOpRef<ModuleOp> Loader::parseBare(const BareText &bare) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(bare.withFullNames(), llvm::SMLoc());
  UndeclaredNames names(&mlirContext, *sources.getMemoryBuffer(sources.getMainFileID()));
  OwningOpRef<ModuleOp> file = parseText(sources);
  if (!file || failed(bare.wrap(*file)) || failed(mlir::verify(*file)))
    return nullptr;
  return file;
}

OwningOpRef<ModuleOp> Loader::decode(bool markPlaces) {
  std::optional<Location> where;
  support::Result<OwningOpRef<tile::ModuleOp>> module = bytecode::readModule(
      llvm::arrayRefFromStringRef<uint8_t>(bytes()), &mlirContext, {markPlaces, &where});
  if (!module) {
    reportMalformed(module.failure().message, where);
    return nullptr;
  }
  OwningOpRef<ModuleOp> file = ModuleOp::create(UnknownLoc::get(&mlirContext));
  file->push_back(module->release());
  return file;
}

void Loader::reportMalformed(StringRef message, std::optional<Location> where) {
  if (where && tile::sourcePosition(*where))
    out << tile::locationText(*where) << ": error: " << message << "\n  in " << name() << "\n";
  else
    out << name() << ": " << message << "\n";
  if (records)
    records->push_back(malformed(where.value_or(UnknownLoc::get(&mlirContext)), name(), message));
}

//===-- Checking ----------------------------------------------------------------------------===//

LogicalResult Loader::keepsRules(ModuleOp module) {
  // The parser has already verified text.
  if (isBytecode() && failed(mlir::verify(module)))
    return failure();
  if (options.strict && failed(tile::verifyStrictly(module)))
    return failure();
  return checkVersion(module);
}

LogicalResult Loader::checkVersion(ModuleOp module) {
  return options.target ? tile::verifyFits(module, *options.target) : success();
}

LogicalResult Loader::examine(ModuleOp module, Check check) {
  if (!isBytecode()) {
    llvm::SourceMgr sources;
    addText(sources, *contents);
    report::SourceDiagnostics diagnostics(sources, &mlirContext, out);
    DiagnosticRecorder recorder(&mlirContext, name(), records);
    return check(module);
  }
  // Marking places costs time, and most files are valid. So the file is only read again, with
  // marked places, if there is something to report.
  bool reported = false;
  LogicalResult result = failure();
  {
    ScopedDiagnosticHandler silence(&mlirContext, [&](mlir::Diagnostic &) { reported = true; });
    result = check(module);
  }
  if (reported) {
    report::BytecodeDiagnostics diagnostics(name(), &mlirContext, out);
    DiagnosticRecorder recorder(&mlirContext, name(), records);
    (void)check(*decode(/*markPlaces=*/true));
  }
  return result;
}
