// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compile.h.

#include "tools/tilewright/Compile.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/cpu/Exports.h"
#include "tools/WriteFile.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

/// The only module of the file; fails if there are none or several.
static Result<tile::ModuleOp> moduleOf(mlir::ModuleOp file, const std::string &name) {
  auto modules = llvm::to_vector(file.getOps<tile::ModuleOp>());
  if (modules.size() != 1)
    return Failure{"expected one module, but there are " + std::to_string(modules.size())}.at(name);
  return modules.front();
}

static Result<std::string> headerOf(tile::ModuleOp module, llvm::StringRef source) {
  Result<std::vector<cpu::Signature>> signatures = cpu::signaturesOf(module);
  if (!signatures)
    return signatures.failure();
  return cpu::cHeader(*signatures, source.str());
}

/// Compiles the module. Sets `ifFailed` to `Unusable` if a temporary file for the linker cannot be
/// created, written or read.
static Result<api::Code> codeOf(const CompileFileOptions &options, tile::ModuleOp module,
                                CompileStatus &ifFailed, llvm::raw_ostream &err) {
  codegen::PrintedRemarks remarks(options.remarks, err);
  api::StageOptions stage{options.stage, options.compile,
                          std::filesystem::path(options.output).filename().string()};
  if (options.gpu)
    stage.compile = *options.gpu;
  auto why = cpu::LinkFailure::Linker;
  Result<api::Code> code = compileTo(module, stage, &why);
  if (why == cpu::LinkFailure::Files)
    ifFailed = CompileStatus::Unusable;
  return code;
}

CompileStatus tools::compileFile(const CompileFileOptions &options, llvm::raw_ostream &err) {
  auto failed = [&](const Failure &failure, CompileStatus status) {
    err << failure.message << "\n";
    return status;
  };
  api::Loader loader(options.load, err);
  mlir::OwningOpRef<mlir::ModuleOp> file = loader.load(options.file);
  if (!file)
    return loader.status() == api::LoadStatus::Unreadable ? CompileStatus::Unusable
                                                          : CompileStatus::Failed;
  Result<tile::ModuleOp> module = moduleOf(*file, loader.name().str());
  if (!module)
    return failed(module.failure(), CompileStatus::Failed);

  Result<std::string> header = std::string();
  if (!options.header.empty())
    header = headerOf(*module, loader.name());
  if (!header)
    return failed(header.failure(), CompileStatus::Failed);
  auto ifFailed = CompileStatus::Failed;
  Result<api::Code> code = codeOf(options, *module, ifFailed, err);
  if (!code)
    return failed(code.failure(), ifFailed);

  llvm::SmallVector<FileContents, 2> files = {{options.output, code->contents}};
  if (!options.header.empty())
    files.push_back({options.header, *header});
  if (Result<void> written = writeFiles(files); !written)
    return failed(written.failure(), CompileStatus::Unusable);
  return CompileStatus::Succeeded;
}
