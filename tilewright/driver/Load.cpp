// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Load.h.

#include "tilewright/driver/Load.h"
#include "tilewright/driver/Diagnostics.h"
#include "tilewright/tile/Strict.h"
#include "tilewright/tile/Versions.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::driver;

Loader::Loader(LoadOptions options)
    : options(options), mlirContext(MLIRContext::Threading::DISABLED) {
  mlirContext.getOrLoadDialect<tile::TileDialect>()->hintMode = options.hints;
  mlirContext.allowUnregisteredDialects(options.allowUnregistered);
  // The source line says more than the operation printed again.
  mlirContext.printOpOnDiagnostic(false);
}

/// The contents of a file; null, with a line on standard error, if it cannot be read.
static std::unique_ptr<llvm::MemoryBuffer> readFile(StringRef path) {
  std::string problem;
  if (path != "-" && llvm::sys::fs::is_directory(path)) {
    problem = "is a folder";
  } else {
    auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
    if (buffer)
      return std::move(*buffer);
    problem = buffer.getError().message();
  }
  llvm::errs() << path << ": cannot read: " << problem << "\n";
  return nullptr;
}

OwningOpRef<ModuleOp> Loader::load(StringRef path) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = readFile(path);
  if (!buffer) {
    lastStatus = LoadStatus::Unreadable;
    return nullptr;
  }
  llvm::SourceMgr sources;
  std::string name = buffer->getBufferIdentifier().str();
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parse(sources, name);
  lastStatus = module ? LoadStatus::Valid : LoadStatus::Invalid;
  return module;
}

OwningOpRef<ModuleOp> Loader::parse(llvm::SourceMgr &sources, StringRef name) {
  SourceDiagnostics diagnostics(sources, &mlirContext);
  StringRef text = sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  if (std::optional<Excess> excess = findExcess(text)) {
    auto [line, column] = sources.getLineAndColumn(llvm::SMLoc::getFromPointer(excess->place));
    mlir::emitError(FileLineColLoc::get(&mlirContext, name, line, column)) << excess->what;
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &mlirContext);
  if (!module || (options.strict && failed(tile::verifyStrictly(*module))) ||
      failed(checkVersion(*module)))
    return nullptr;
  return module;
}

LogicalResult Loader::checkVersion(ModuleOp module) {
  if (!options.target)
    return success();
  auto missing = tile::requirementsBeyond(module, *options.target);
  for (const tile::Requirement &requirement : missing)
    requirement.op->emitError() << requirement.what << " requires Tile IR "
                                << requirement.since.str() << ", but the target is "
                                << options.target->str();
  return success(missing.empty());
}
