// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Program.h.

#include "tilewright/api/explore/Program.h"
#include "tilewright/api/Launch.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Result;

Result<std::unique_ptr<ExploredProgram>> ExploredProgram::of(const Entry &entry) {
  LoadOptions options;
  options.markPlaces = true;
  options.keepNames = true;
  ModuleState &original = *entry.module;
  auto copy = std::make_unique<ModuleState>(original.context, options);
  {
    std::lock_guard lock(original.mutex);
    if (!copy->accept(copy->loader.loadMemory(original.loader.bytes(), original.name)))
      return copy->takeFailure(nullptr);
  }
  std::unique_ptr<ExploredProgram> program(new ExploredProgram(std::move(copy)));
  program->entryOp = program->state->find(entry.name());
  return program;
}

std::string api::typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  llvm::StringRef bare = text;
  bare.consume_front("!cuda_tile.");
  return bare.str();
}

Result<void> api::verifyLaunch(const Entry &entry, const runtime::Grid &grid,
                               const std::vector<Argument> &arguments) {
  CompileOptions options;
  options.device = Device::Reference;
  const Result<Kernel> kernel = Kernel::compile(entry, options);
  if (!kernel)
    return kernel.failure();
  if (Result<Launch> launch = Launch::create(*kernel, grid, arguments); !launch)
    return launch.failure();
  return {};
}
