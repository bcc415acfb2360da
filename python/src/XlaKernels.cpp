// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See XlaKernels.h.

#include "XlaKernels.h"

#include <map>
#include <mutex>
#include <shared_mutex>

using namespace tilewright;
using namespace tilewright::python;

void xla::report(twStatus status, DiagnosticsHandle diagnostics) {
  std::string text = twDiagnosticsText(diagnostics.get());
  while (text.ends_with('\n'))
    text.pop_back();
  switch (status) {
  case TW_SUCCESS:
    if (!text.empty())
      fprintf(stderr, "%s\n", text.c_str());
    return;
  case TW_INVALID:
  case TW_USAGE:
  case TW_FILE:
    throw Failure{XLA_FFI_Error_Code_INVALID_ARGUMENT, std::move(text)};
  case TW_CANCELLED:
    throw Failure{XLA_FFI_Error_Code_CANCELLED, std::move(text)};
  case TW_MISBEHAVED:
  case TW_FAILED:
    throw Failure{XLA_FFI_Error_Code_ABORTED, std::move(text)};
  }
}

//===-- Kernels -----------------------------------------------------------------------------===//

namespace {
/// All compiled kernels; they live until the process ends.
class Kernels {
public:
  const twKernelHandle *find(const std::string &key) const {
    const std::shared_lock locked(mutex);
    const auto found = kernels.find(key);
    return found == kernels.end() ? nullptr : found->second.get();
  }
  const twKernelHandle *add(const std::string &key, std::shared_ptr<const twKernelHandle> kernel) {
    const std::unique_lock locked(mutex);
    return kernels.try_emplace(key, std::move(kernel)).first->second.get();
  }

private:
  mutable std::shared_mutex mutex;
  std::map<std::string, std::shared_ptr<const twKernelHandle>> kernels;
};
} // namespace

static Kernels &kernels() {
  static auto &all = *new Kernels;
  return all;
}

/// Only needed in a process that has received the program from another one: the process that traced
/// the program has compiled the kernel already.
static KernelHandle compile(const xla::Source &source, const XlaPlan &plan) {
  const ContextHandle context(twContextCreate());
  const std::string entryName(source.entry), checks(source.checks), name = "kernel " + entryName;
  twModule *read = nullptr;
  twDiagnostics *reported = nullptr;
  twStatus status = twModuleRead(context.get(), source.bytecode.data(), source.bytecode.size(),
                                 name.c_str(), &read, &reported);
  const ModuleHandle module(read);
  xla::report(status, DiagnosticsHandle(reported));

  twCompileOptions options = {};
  options.size = sizeof options;
  options.device = plan.device;
  options.checks = checks.c_str();
  options.isRandom = plan.seed.has_value();
  options.seed = plan.seed.value_or(0);
  twKernelHandle *compiled = nullptr;
  status =
      twKernelCompile(twModuleFindEntry(read, entryName.c_str()), &options, &compiled, &reported);
  KernelHandle kernel(compiled);
  xla::report(status, DiagnosticsHandle(reported));
  return kernel;
}

const twKernelHandle *xla::kernelFor(const std::string &key, const Source &source,
                                     const XlaPlan &plan) {
  if (const twKernelHandle *kernel = kernels().find(key))
    return kernel;
  return kernels().add(key, compile(source, plan));
}

void xla::keep(const std::string &key, const Kernel &kernel) {
  kernels().add(key, kernel.handle());
}
