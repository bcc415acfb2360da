// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CompiledEntry.h.

#include "tilewright/api/CompiledEntry.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/runtime/Array.h"
#include "tilewright/tile/attributes/Places.h"
#include "llvm/Support/Endian.h"
#include <array>

using namespace tilewright;
using namespace tilewright::api;
using cpu::CompiledProgram;
using support::Failure;
using support::Result;

Result<cpu::Target> api::targetForThisMachine(std::string_view name) {
  Result<cpu::Target> target = cpu::Target::named(name);
  if (!target)
    return target.failure();
  if (Result<void> runs = target->runsHere(); !runs)
    return runs.failure();
  return target;
}

uint64_t api::slotFor(numerics::Element scalar) {
  if (scalar.format == numerics::Format::Pointer) // has no form in memory
    return scalar.bits;
  std::array<uint8_t, 8> bytes = {};
  numerics::store(bytes.data(), 0, scalar);
  return llvm::support::endian::read64le(bytes.data());
}

//===-- Arguments ---------------------------------------------------------------------------===//

static Result<runtime::Multicast> addressFor(const Multicast &multicast) {
  std::vector<void *> copies;
  for (const Array &copy : multicast.copies)
    copies.push_back(copy.bytes().data());
  return runtime::Multicast::create(copies, multicast.copies[0].bytes().size());
}

/// The bits of an argument in the form that compiled code reads.
static uint64_t slotOf(const Argument &argument) {
  if (const auto *array = std::get_if<Array>(&argument))
    return slotFor(array->bytes());
  if (const auto *address = std::get_if<Address>(&argument))
    return reinterpret_cast<uintptr_t>(address->data);
  return slotFor(std::get<numerics::Element>(argument));
}

Result<Slots> Slots::of(std::span<const Argument> arguments) {
  Slots slots;
  for (const Argument &argument : arguments) {
    const auto *multicast = std::get_if<Multicast>(&argument);
    if (!multicast) {
      slots.values.push_back(slotOf(argument));
      continue;
    }
    Result<runtime::Multicast> made = addressFor(*multicast);
    if (!made)
      return made.failure();
    slots.values.push_back(reinterpret_cast<uintptr_t>(made->address()));
    slots.multicasts.push_back(*std::move(made));
  }
  return slots;
}

Result<void> api::verifyForDependents(tile::ModuleOp module) {
  for (auto global : module.getBody().getOps<tile::GlobalOp>())
    if (!global.getConstant())
      return Failure{"compiled entries do not share global variables, and the module has @" +
                     global.getSymName().str()};
  return {};
}

//===-- Compiling ---------------------------------------------------------------------------===//

/// Kernels are instrumented for the same sanitizer as this program.
static constexpr codegen::Sanitizer sanitizerOfThisBuild() {
#if defined(__SANITIZE_ADDRESS__)
  return codegen::Sanitizer::Address;
#elif defined(__SANITIZE_THREAD__)
  return codegen::Sanitizer::Thread;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return codegen::Sanitizer::Address;
#elif __has_feature(thread_sanitizer)
  return codegen::Sanitizer::Thread;
#endif
#endif
  return codegen::Sanitizer::None;
}

/// A copy of the entry's module without the other entries, which need not be compiled.
static mlir::OwningOpRef<tile::ModuleOp> moduleOfOnly(tile::EntryOp entry) {
  auto module = entry->getParentOfType<tile::ModuleOp>();
  mlir::OwningOpRef<tile::ModuleOp> reduced(
      llvm::cast<tile::ModuleOp>(module->cloneWithoutRegions()));
  mlir::Block &body = reduced->getBodyRegion().emplaceBlock();
  for (mlir::Operation &op : *module.getBody().begin())
    if (!llvm::isa<tile::EntryOp>(op) || &op == entry)
      body.push_back(op.clone());
  return reduced;
}

//===-- Memory ------------------------------------------------------------------------------===//

/// The size of an alloca in bits, with room to align any address.
static llvm::APInt sizeOf(tile::AllocaOp op) {
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  llvm::APInt bits(128, numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits);
  return bits * op.getNumElem() + llvm::APInt(128, op.getAlignment()) * 8;
}

static Failure exceedsMemory(tile::AllocaOp op, int64_t machine) {
  std::string pointee;
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  llvm::raw_string_ostream(pointee) << pointer.getPointeeType();
  return {tile::locationText(op.getLoc()) + ": error: alloca: " + std::to_string(op.getNumElem()) +
          " elements of " + pointee + " aligned to " + std::to_string(op.getAlignment()) +
          " bytes need more memory than is left: this machine has " + std::to_string(machine) +
          " bytes"};
}

/// The message if this machine lacks memory for the arena of the entry: about the largest alloca if
/// it alone is too large (operations, 7.2), otherwise about the whole arena.
static Failure whyNoArena(tile::EntryOp entry, const twKernel &kernel, int64_t machine) {
  tile::AllocaOp largest;
  llvm::APInt most(128, 0);
  entry.walk([&](tile::AllocaOp op) {
    llvm::APInt size = sizeOf(op);
    if (!largest || size.ugt(most))
      largest = op, most = size;
  });
  if (most.ugt(llvm::APInt(128, uint64_t(machine)) * 8))
    return exceedsMemory(largest, machine);
  return {tile::locationText(entry.getLoc()) + ": error: entry @" + kernel.name + " needs " +
          std::to_string(kernel.arenaBytes) +
          " bytes for the tiles and allocas of a tile block, and this machine has " +
          std::to_string(machine)};
}

//===-- The entry ---------------------------------------------------------------------------===//

Result<CompiledEntry> CompiledEntry::compile(tile::EntryOp entry, cpu::CompileOptions options,
                                             const codegen::Cache *cache) {
  options.sanitize = sanitizerOfThisBuild();
  Result<std::string> object = cpu::compile(*moduleOfOnly(entry), options, cache);
  if (!object)
    return object.failure();
  Result<CompiledProgram> program = CompiledProgram::load(*object, options.debugInfo);
  if (!program)
    return program.failure();
  Result<const twKernel *> kernel = program->kernel(entry.getSymName().str());
  if (!kernel)
    return kernel.failure();
  CompiledEntry compiled(std::move(*program), *kernel);
  if (const int64_t machine = runtime::memoryOfThisMachine(); (*kernel)->arenaBytes > machine)
    compiled.lack = whyNoArena(entry, **kernel, machine);
  return compiled;
}

Result<runtime::LaunchResult> CompiledEntry::launch(const runtime::Grid &grid,
                                                    std::span<const uint64_t> slots,
                                                    const runtime::LaunchOptions &options) const {
  if (lack)
    return *lack;
  return runtime::launch(*kernel, grid, slots, options);
}
