// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a run on a GPU go? The program is compiled for the GPU of this machine, or for what
// --target says, and the driver executes it. Arrays are copied there and back.

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/ptx/text/Parser.h"
#include "tilewright/runtime/Cuda.h"
#include "tools/tilewright/run/PreparedRun.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Failure;
using support::Result;

/// What the other devices execute and this one does not.
static Result<void> verifySupported(const PreparedRun &run) {
  if (run.dependent)
    return Failure{"--dependent: --device cuda runs one entry only"};
  if (llvm::any_of(run.arguments.values, [](const BoundValue &value) { return value.isMulticast; }))
    return Failure{"'multicast:' is not supported by --device cuda"};
  return {};
}

/// For a GPU that the table of targets does not have.
static Failure noTarget(const runtime::CudaDevice &device, const std::string &why) {
  // The last target whose PTX has nothing that later GPUs lack.
  constexpr int lastPortable = 89;
  std::string text = device.name() + ": " + why;
  if (device.capability() > lastPortable)
    text += "; PTX for sm_" + std::to_string(lastPortable) +
            " also runs on later GPUs: choose it by --target";
  return {text};
}

/// The PTX; the driver's compiler makes code of it.
static Result<std::string> compile(const PreparedRun &run, const runtime::CudaDevice &device) {
  nvidia::CompileOptions options = run.options.ptx.compile;
  options.entry = tile::EntryOp(run.entry).getSymName().str();
  if (!run.options.ptx.isTargetGiven) {
    auto target = nvidia::Target::named("sm_" + std::to_string(device.capability()));
    if (!target)
      return noTarget(device, target.failure().message);
    options.target = *target;
  }
  codegen::PrintedRemarks remarks(run.options.remarks, run.err);
  return nvidia::compileTo(nvidia::Stage::Ptx, run.module(), options);
}

/// The arrays on the device, once each.
static Result<std::vector<runtime::CudaMemory>> copyThere(const PreparedRun &run,
                                                          runtime::CudaDevice &device) {
  std::vector<runtime::CudaMemory> memories;
  for (TypedArray &array : run.arguments.arrays) {
    Result<runtime::CudaMemory> memory = device.allocate(array.storage().bytes().size());
    if (!memory)
      return memory.failure();
    if (Result<void> written = memory->write(array.storage().bytes()); !written)
      return written.failure();
    memories.push_back(std::move(*memory));
  }
  return memories;
}

/// Of a CTA, as the entry of the text requires.
static Result<unsigned> threadsOf(const std::string &text, llvm::StringRef entry) {
  auto parsed = ptx::parse(text);
  if (const auto *refusal = std::get_if<ptx::Refusal>(&parsed))
    return Failure{"what was compiled is no PTX: " + refusal->message};
  const ptx::Function *kernel = std::get<ptx::Module>(parsed).find(std::string_view(entry));
  if (!kernel || !kernel->requiredThreads)
    return Failure{"what was compiled does not say how many threads " + entry.str() + " has"};
  return kernel->requiredThreads->front();
}

static std::optional<runtime::CudaFault> launch(const PreparedRun &run, runtime::CudaKernel &kernel,
                                                unsigned threads,
                                                llvm::ArrayRef<runtime::CudaMemory> memories) {
  std::vector<uint64_t> words;
  for (const BoundValue &value : run.arguments.values)
    words.push_back(value.array ? memories[*value.array].address() : api::slotFor(value.scalar));
  std::vector<void *> parameters;
  for (uint64_t &word : words)
    parameters.push_back(&word);
  // What the kernel prints goes to standard output by another way.
  run.out.flush();
  return kernel.launch(run.grid, threads, parameters);
}

RunStatus tools::runOnCuda(const PreparedRun &run) {
  if (Result<void> supported = verifySupported(run); !supported)
    return run.unusable(supported.failure());
  Result<runtime::CudaDevice> device = runtime::CudaDevice::open();
  if (!device)
    return run.unusable({"--device cuda: " + device.failure().message});
  Result<std::string> ptx = compile(run, *device);
  if (!ptx)
    return run.failed(ptx.failure());
  const std::string name = tile::EntryOp(run.entry).getSymName().str();
  const Result<unsigned> threads = threadsOf(*ptx, name);
  if (!threads)
    return run.failed(threads.failure());
  Result<runtime::CudaKernel> kernel = device->load(*ptx, name);
  if (!kernel)
    return run.failed(kernel.failure());
  auto memories = copyThere(run, *device);
  if (!memories)
    return run.failed(memories.failure());
  if (const auto fault = launch(run, *kernel, *threads, *memories)) {
    run.err << fault->message << "\n";
    return fault->isMisbehaviour ? RunStatus::Misbehaved : RunStatus::Failed;
  }
  for (const auto &[array, memory] : llvm::zip_equal(run.arguments.arrays, *memories))
    if (Result<void> copied = memory.read(array.storage().bytes()); !copied)
      return run.failed(copied.failure());
  return run.finish();
}
