// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GpuEntry.h.

#include "tilewright/api/devices/GpuEntry.h"
#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/Placement.h"

#include <mutex>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Element;
using runtime::CudaDevice;
using runtime::CudaFault;
using runtime::CudaMemory;
using support::Failure;
using support::Result;

//===-- Compiling ---------------------------------------------------------------------------===//

/// The message for a GPU that is missing from the table of targets.
static Failure noTarget(const CudaDevice &device, const std::string &why) {
  // The last target whose PTX runs on every later GPU.
  constexpr int lastPortable = 89;
  std::string text = device.name() + ": " + why;
  if (device.capability() > lastPortable)
    text += "; PTX for sm_" + std::to_string(lastPortable) +
            " also runs on later GPUs: choose it as the target";
  return {text};
}

Result<std::unique_ptr<const GpuEntry>> GpuEntry::compile(tile::EntryOp entry, CudaDevice gpu,
                                                          std::optional<nvidia::Target> target,
                                                          codegen::OptLevel level) {
  if (!target) {
    auto known = nvidia::Target::named("sm_" + std::to_string(gpu.capability()));
    if (!known)
      return noTarget(gpu, known.failure().message);
    target = *std::move(known);
  }
  // How much a launch may request depends on the GPU, which a given target need not be.
  if (int(target->capability) == gpu.capability())
    target->use(nvidia::SharedMemoryForm::Dynamic);
  const std::string name = entry.getSymName().str();
  // The driver compiles the PTX to machine code.
  Result<nvidia::CompiledCode> compiled = nvidia::compileTo(
      nvidia::Stage::Ptx, entry->getParentOfType<tile::ModuleOp>(), {*target, level, name});
  if (!compiled)
    return compiled.failure();
  Result<runtime::CudaContext> context = gpu.enter();
  if (!context)
    return context.failure();
  Result<runtime::CudaKernel> kernel = gpu.load(compiled->code, name);
  if (!kernel)
    return kernel.failure();
  const codegen::CompiledKernel &launched = compiled->kernels.front();
  if (launched.dynamicSharedBytes)
    if (auto permitted = kernel->permitDynamicShared(unsigned(launched.dynamicSharedBytes));
        !permitted)
      return permitted.failure();
  return std::unique_ptr<const GpuEntry>(
      new GpuEntry(std::move(gpu), *std::move(kernel), launched));
}

/// Keeps a kernel loaded until the process ends.
static void keepLoaded(runtime::CudaKernel kernel) {
  static std::mutex mutex;
  static auto &kept = *new std::vector<runtime::CudaKernel>;
  std::lock_guard lock(mutex);
  kept.push_back(std::move(kernel));
}

/// Code must not be unloaded while it may run, or while a graph may have captured its launch.
/// Waiting for the GPU here could deadlock: a callback on a stream may need the lock that the owner
/// holds. The last owner may be on any thread.
GpuEntry::~GpuEntry() {
  Result<runtime::CudaContext> context = device.enter();
  if (wasEnqueued)
    keepLoaded(*std::move(kernel));
  kernel.reset();
}

//===-- Arguments ---------------------------------------------------------------------------===//

Result<void> api::verifyForGpu(const Argument &argument) {
  if (std::holds_alternative<Multicast>(argument))
    return Failure{"the GPU does not support multicast memory"};
  return {};
}

namespace {
/// Copies of a launch's arrays in GPU memory.
class CopiedArrays {
public:
  CopiedArrays(Placement &placement, const CudaDevice &device)
      : placement(placement), device(device) {}

  Result<void> load();
  Result<void> unload();
  /// One word per parameter. Call after `load`.
  std::vector<uint64_t> words() const;

private:
  struct Copied {
    std::span<uint8_t> host;
    CudaMemory memory;
  };
  uint64_t allocate(std::span<uint8_t> host);

  Placement &placement;
  const CudaDevice &device;
  std::vector<Copied> copied;
  std::vector<Element> elements; ///< One per parameter.
  Result<void> allocated;
};
} // namespace

uint64_t CopiedArrays::allocate(std::span<uint8_t> host) {
  Result<CudaMemory> memory = device.allocate(host.size());
  if (!memory) {
    allocated = memory.failure();
    return 0;
  }
  return copied.emplace_back(host, *std::move(memory)).memory.address();
}

Result<void> CopiedArrays::load() {
  elements =
      placement.bind([&](const reference::HostMemory &host) { return allocate(host.bytes); });
  if (!allocated)
    return allocated;
  for (Copied &array : copied)
    if (Result<void> written = array.memory.write(array.host); !written)
      return written;
  return {};
}

Result<void> CopiedArrays::unload() {
  for (const Copied &array : copied)
    if (Result<void> read = array.memory.read(array.host); !read)
      return read;
  return placement.copyBack();
}

std::vector<uint64_t> CopiedArrays::words() const {
  std::vector<uint64_t> words;
  for (const Element &element : elements)
    words.push_back(slotFor(element));
  return words;
}

//===-- Running -----------------------------------------------------------------------------===//

Result<void> GpuEntry::verify(std::span<const Argument> arguments) const {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (const auto *address = std::get_if<Address>(&argument))
      if (Result<void> verified = device.verify(reinterpret_cast<uintptr_t>(address->data));
          !verified)
        return verified.failure().at("parameter " + std::to_string(i + 1));
  return {};
}

Result<void> GpuEntry::enqueue(const runtime::Grid &grid, std::vector<uint64_t> words,
                               void *stream) const {
  std::vector<void *> parameters;
  for (uint64_t &word : words)
    parameters.push_back(&word);
  return kernel->enqueue(grid, threads, dynamicShared, parameters, stream);
}

/// A fault affects the whole CUDA context, and the driver does not say whose it is. If all earlier
/// work has succeeded, it is attributed to this launch, though another thread may have enqueued a
/// kernel meanwhile.
Result<std::optional<CudaFault>> GpuEntry::runAndWait(const runtime::Grid &grid,
                                                      std::span<const Argument> arguments) const {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  if (Result<void> succeeded = device.synchronize(); !succeeded)
    return succeeded.failure();
  Result<Placement> placement = Placement::of(arguments);
  if (!placement)
    return placement.failure();
  CopiedArrays arrays(*placement, device);
  if (Result<void> loaded = arrays.load(); !loaded)
    return loaded.failure();
  if (Result<void> enqueued = enqueue(grid, arrays.words(), nullptr); !enqueued)
    return enqueued.failure();
  if (auto fault = device.wait())
    return std::optional(*std::move(fault));
  if (Result<void> unloaded = arrays.unload(); !unloaded)
    return unloaded.failure();
  return std::optional<CudaFault>();
}

/// The word of an argument that is in the memory of the GPU, or a scalar.
static uint64_t wordOf(const Argument &argument) {
  if (const auto *address = std::get_if<Address>(&argument))
    return reinterpret_cast<uintptr_t>(address->data);
  return slotFor(std::get<Element>(argument));
}

Result<std::optional<CudaFault>>
GpuEntry::run(const runtime::Grid &grid, std::span<const Argument> arguments, void *stream) const {
  Result<runtime::CudaContext> context = device.enter();
  if (!context)
    return context.failure();
  if (Result<void> verified = verify(arguments); !verified)
    return verified.failure();
  if (!stream)
    return runAndWait(grid, arguments);
  wasEnqueued = true;
  std::vector<uint64_t> words;
  for (const Argument &argument : arguments)
    words.push_back(wordOf(argument));
  if (Result<void> enqueued = enqueue(grid, std::move(words), stream); !enqueued)
    return enqueued.failure();
  return std::optional<CudaFault>();
}
