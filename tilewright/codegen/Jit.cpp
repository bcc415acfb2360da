// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Jit.h. Only ORC's linking layer is used: the object is complete, so nothing has to be
// compiled, lazily or on other threads.

#include "tilewright/codegen/Jit.h"
#include "tilewright/codegen/OverAligned.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tilewright;
using namespace llvm::orc;
using codegen::LoadedCode;
using support::Failure;
using support::Result;

struct LoadedCode::Session {
  explicit Session(std::unique_ptr<ExecutorProcessControl> process)
      : execution(std::move(process)), layer(execution),
        library(execution.createBareJITDylib("kernel")) {
    layer.addPlugin(overAlignment(execution.getPageSize()));
    // A lookup only returns that a symbol failed; the reason is reported to the session.
    execution.setErrorReporter([this](llvm::Error error) {
      std::string why = llvm::toString(std::move(error));
      if (reason.empty())
        reason = why;
    });
  }
  ~Session() { llvm::consumeError(execution.endSession()); }

  llvm::Error define(std::span<const HostFunction> functions);
  llvm::Error addDebuggerSupport();

  std::string reason;
  ExecutionSession execution;
  ObjectLinkingLayer layer;
  JITDylib &library;
};

LoadedCode::LoadedCode(std::unique_ptr<Session> session) : session(std::move(session)) {}
LoadedCode::LoadedCode(LoadedCode &&) = default;
LoadedCode &LoadedCode::operator=(LoadedCode &&) = default;
LoadedCode::~LoadedCode() = default;

static Failure refusal(llvm::Error error) {
  return {"codegen: loading code: " + llvm::toString(std::move(error))};
}

/// Defines the symbols that the object may use: the given functions, then those of the process.
llvm::Error LoadedCode::Session::define(std::span<const HostFunction> functions) {
  SymbolMap symbols;
  for (const HostFunction &function : functions)
    symbols[execution.intern(function.name)] = {ExecutorAddr::fromPtr(function.address),
                                                llvm::JITSymbolFlags::Exported |
                                                    llvm::JITSymbolFlags::Callable};
  if (!symbols.empty())
    if (llvm::Error error = library.define(absoluteSymbols(std::move(symbols))))
      return error;
  auto process = DynamicLibrarySearchGenerator::GetForCurrentProcess(/*GlobalPrefix=*/'\0');
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

llvm::Error LoadedCode::Session::addDebuggerSupport() {
  llvm::Error error = llvm::Error::success();
  auto plugin = std::make_shared<ELFDebugObjectPlugin>(execution, /*RequireDebugSections=*/false,
                                                       /*AutoRegisterCode=*/true, error);
  if (error)
    return error;
  layer.addPlugin(std::move(plugin));
  return llvm::Error::success();
}

Result<LoadedCode> LoadedCode::load(std::string_view object,
                                    std::span<const HostFunction> functions, bool forDebugger) {
  auto process =
      SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!process)
    return refusal(process.takeError());
  auto session = std::make_unique<Session>(std::move(*process));
  if (llvm::Error error = session->define(functions))
    return refusal(std::move(error));
  if (forDebugger)
    if (llvm::Error error = session->addDebuggerSupport())
      return refusal(std::move(error));
  auto bytes = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object), "kernel");
  if (llvm::Error error = session->layer.add(session->library, std::move(bytes)))
    return refusal(std::move(error));
  return LoadedCode(std::move(session));
}

Result<void *> LoadedCode::lookup(std::string_view name) const {
  auto found = session->execution.lookup({&session->library}, llvm::StringRef(name));
  if (!found) {
    Failure failure = refusal(found.takeError());
    return session->reason.empty() ? failure : Failure{"codegen: loading code: " + session->reason};
  }
  return found->getAddress().toPtr<void *>();
}
