// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Compile.h.

#include "tools/tilewright/Compile.h"
#include "tilewright/api/RuntimeLibrary.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/cpu/Exports.h"
#include "tilewright/cpu/Library.h"
#include "tools/WriteFile.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

/// The one module of the file.
static Result<tile::ModuleOp> moduleOf(mlir::ModuleOp file, const std::string &name) {
  auto modules = llvm::to_vector(file.getOps<tile::ModuleOp>());
  if (modules.size() != 1)
    return Failure{"expected one module, but there are " + std::to_string(modules.size())}.at(name);
  return modules.front();
}

static cpu::Stage stageOf(Emission emission) {
  switch (emission) {
  case Emission::Tile:
    return cpu::Stage::Tile;
  case Emission::Plan:
    return cpu::Stage::Plan;
  case Emission::Loops:
    return cpu::Stage::Loops;
  case Emission::Llvm:
    return cpu::Stage::Llvm;
  case Emission::Assembly:
    return cpu::Stage::Assembly;
  case Emission::Object:
  case Emission::SharedLibrary:
    return cpu::Stage::Object;
  case Emission::Threads:
  case Emission::Ptx:
  case Emission::Cubin:
    break;
  }
  llvm_unreachable("the command line has no other stages for CPUs");
}

static nvidia::Stage gpuStageOf(Emission emission) {
  switch (emission) {
  case Emission::Tile:
    return nvidia::Stage::Tile;
  case Emission::Plan:
    return nvidia::Stage::Plan;
  case Emission::Threads:
    return nvidia::Stage::Threads;
  case Emission::Llvm:
    return nvidia::Stage::Llvm;
  case Emission::Ptx:
    return nvidia::Stage::Ptx;
  case Emission::Cubin:
    return nvidia::Stage::Cubin;
  default:
    llvm_unreachable("the command line has no other stages for GPUs");
  }
}

static Result<std::string> headerOf(tile::ModuleOp module, llvm::StringRef source) {
  Result<std::vector<cpu::Signature>> signatures = cpu::signaturesOf(module);
  if (!signatures)
    return signatures.failure();
  return cpu::cHeader(*signatures, source.str());
}

/// The shared library, linked with our runtime if it is for this machine.
static Result<std::string> libraryOf(const CompileFileOptions &options, std::string_view object,
                                     CompileStatus &ifFailed) {
  const cpu::CompileOptions &compile = options.compile;
  cpu::LinkOptions link;
  link.name = std::filesystem::path(options.output).filename().string();
  link.sanitize = compile.sanitize;
  if (compile.target.isForThisArchitecture()) {
    Result<std::filesystem::path> runtime = api::findRuntimeLibrary();
    if (!runtime)
      return runtime.failure();
    link.runtime = *runtime;
  }
  auto why = cpu::LinkFailure::Linker;
  Result<std::string> library = cpu::linkLibrary(object, compile.target, link, &why);
  if (why == cpu::LinkFailure::Files)
    ifFailed = CompileStatus::Unusable;
  return library;
}

/// What is to be written, or why it cannot be, with the status for that.
static Result<std::string> codeOf(const CompileFileOptions &options, tile::ModuleOp module,
                                  CompileStatus &ifFailed, llvm::raw_ostream &err) {
  codegen::PrintedRemarks remarks(options.remarks, err);
  if (options.gpu) {
    auto compiled = nvidia::compileTo(gpuStageOf(options.emission), module, *options.gpu);
    if (!compiled)
      return compiled.failure();
    return std::move(compiled->code);
  }
  Result<std::string> code = cpu::compileTo(stageOf(options.emission), module, options.compile);
  if (!code || options.emission != Emission::SharedLibrary)
    return code;
  return libraryOf(options, *code, ifFailed);
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
  Result<std::string> code = codeOf(options, *module, ifFailed, err);
  if (!code)
    return failed(code.failure(), ifFailed);

  llvm::SmallVector<FileContents, 2> files = {{options.output, *code}};
  if (!options.header.empty())
    files.push_back({options.header, *header});
  if (Result<void> written = writeFiles(files); !written)
    return failed(written.failure(), CompileStatus::Unusable);
  return CompileStatus::Succeeded;
}
