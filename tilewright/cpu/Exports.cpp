// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Exports.h.

#include "tilewright/cpu/Exports.h"
#include "tilewright/cpu/Symbols.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/runtime/Kernel.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstddef>

using namespace tilewright;
using namespace mlir;
using cpu::KernelInfo;
using cpu::Parameter;
using cpu::Signature;

// Generated code reads these fields at these offsets (emit/).
static_assert(offsetof(twLaunch, grid) == 8 && offsetof(twLaunch, columnsInTurn) == 32 &&
              offsetof(twLaunch, keepsArena) == 40 && offsetof(twLaunch, threads) == 48);

namespace {
/// Builds functions and data at the end of a module.
class ExportBuilder {
public:
  explicit ExportBuilder(ModuleOp module)
      : module(module), loc(module.getLoc()), builder(OpBuilder::atBlockEnd(module.getBody())) {}

  void addTable(const KernelInfo &kernel);
  void declareRuntime();
  void addLaunchers(const Signature &signature);

private:
  Type pointer() { return LLVM::LLVMPointerType::get(module.getContext()); }
  Type integer(unsigned width) { return builder.getIntegerType(width); }
  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, type, value);
  }
  Value addressOf(StringRef symbol) {
    return LLVM::AddressOfOp::create(builder, loc, pointer(), symbol);
  }
  void declare(StringRef name, ArrayRef<Type> parameters);
  Type typeOf(const Parameter &parameter);
  Value bitsOf(const Parameter &parameter, Value value);
  Value slotsFor(const Signature &signature, ValueRange values);
  void addLauncher(const Signature &signature, bool someBlocks);

  ModuleOp module;
  Location loc;
  OpBuilder builder;
};
} // namespace

//===-- Tables --------------------------------------------------------------------------------===//

static uint64_t flagsOf(const KernelInfo &kernel) {
  return (kernel.mayWait ? uint64_t(twMayWait) : 0) | (kernel.prints ? uint64_t(twPrints) : 0) |
         (kernel.usesAmx ? uint64_t(twUsesAmx) : 0) |
         (kernel.columnsInTurn > 1 ? uint64_t(kernel.columnsInTurn) << twColumnsInTurnShift : 0);
}

/// Emits the struct twKernel of runtime/Kernel.h, field by field.
void ExportBuilder::addTable(const KernelInfo &kernel) {
  std::string text = "tw.name." + cpu::cName(kernel.name);
  std::string terminated = kernel.name + '\0';
  auto bytes = LLVM::LLVMArrayType::get(integer(8), terminated.size());
  LLVM::GlobalOp::create(builder, loc, bytes, /*isConstant=*/true, LLVM::Linkage::Private, text,
                         builder.getStringAttr(terminated));

  auto type = LLVM::LLVMStructType::getLiteral(
      module.getContext(), {pointer(), pointer(), integer(64), integer(64), integer(64)});
  auto global =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::External,
                             cpu::tableSymbol(kernel.name), Attribute());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  Value fields[] = {addressOf(text), addressOf(cpu::functionSymbol(kernel.name)),
                    constant(integer(64), kernel.arenaBytes),
                    constant(integer(64), kernel.parameterCount),
                    constant(integer(64), int64_t(flagsOf(kernel)))};
  Value value = LLVM::UndefOp::create(builder, loc, type);
  for (auto [index, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(builder, loc, value, field, int64_t(index));
  LLVM::ReturnOp::create(builder, loc, value);
}

void cpu::addKernelTables(ModuleOp loops, llvm::ArrayRef<KernelInfo> kernels) {
  ExportBuilder builder(loops);
  for (const KernelInfo &kernel : kernels)
    builder.addTable(kernel);
}

//===-- Launchers -----------------------------------------------------------------------------===//

void ExportBuilder::declare(StringRef name, ArrayRef<Type> parameters) {
  if (!module.lookupSymbol(name))
    LLVM::LLVMFuncOp::create(builder, loc, name,
                             LLVM::LLVMFunctionType::get(integer(32), parameters));
}

/// The type in which C passes the parameter.
Type ExportBuilder::typeOf(const Parameter &parameter) {
  if (parameter.isPointer)
    return pointer();
  return elementwise::wordType(elementwise::registerType(parameter.format, module.getContext()));
}

/// The 64 bits of a parameter in a launch: its bits in memory, zero-extended.
Value ExportBuilder::bitsOf(const Parameter &parameter, Value value) {
  if (parameter.isPointer)
    return LLVM::PtrToIntOp::create(builder, loc, integer(64), value);
  // Only half a byte of these formats is significant.
  if (parameter.format == numerics::Format::I4 || parameter.format == numerics::Format::F4E2M1FN)
    value = LLVM::AndOp::create(builder, loc, value, constant(integer(8), 0xF));
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (isa<FloatType>(value.getType()))
    value = LLVM::BitcastOp::create(builder, loc, integer(width), value);
  return width == 64 ? value : LLVM::ZExtOp::create(builder, loc, integer(64), value);
}

Value ExportBuilder::slotsFor(const Signature &signature, ValueRange values) {
  Value slots = LLVM::AllocaOp::create(builder, loc, pointer(), integer(64),
                                       constant(integer(64), int64_t(values.size())));
  for (auto [index, value] : llvm::enumerate(values)) {
    Value slot = LLVM::GEPOp::create(builder, loc, pointer(), integer(64), slots,
                                     llvm::ArrayRef<LLVM::GEPArg>{int32_t(index)});
    LLVM::StoreOp::create(builder, loc, bitsOf(signature.parameters[index], value), slot);
  }
  return slots;
}

void ExportBuilder::addLauncher(const Signature &signature, bool someBlocks) {
  SmallVector<Type> types = {pointer()};
  if (someBlocks)
    types.append(2, integer(64));
  size_t first = types.size();
  for (const Parameter &parameter : signature.parameters)
    types.push_back(typeOf(parameter));
  if (!someBlocks)
    types.push_back(integer(32));

  auto function = LLVM::LLVMFuncOp::create(builder, loc,
                                           someBlocks ? cpu::blocksSymbol(signature.name)
                                                      : cpu::launchSymbol(signature.name),
                                           LLVM::LLVMFunctionType::get(integer(32), types));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(body);
  ValueRange arguments = body->getArguments();
  Value slots = slotsFor(signature, arguments.slice(first, signature.parameters.size()));
  SmallVector<Value> passed = {addressOf(cpu::tableSymbol(signature.name)), arguments.front(),
                               slots};
  if (someBlocks)
    passed.append({arguments[1], arguments[2]});
  else
    passed.push_back(arguments.back());
  auto call = LLVM::CallOp::create(builder, loc, TypeRange(integer(32)),
                                   someBlocks ? "tw_run_blocks" : "tw_launch", passed);
  LLVM::ReturnOp::create(builder, loc, call.getResult());
}

/// Declares what launchers call. Done once, because each symbol lookup takes time proportional to
/// the functions of the module.
void ExportBuilder::declareRuntime() {
  declare("tw_launch", {pointer(), pointer(), pointer(), integer(32)});
  declare("tw_run_blocks", {pointer(), pointer(), pointer(), integer(64), integer(64)});
}

void ExportBuilder::addLaunchers(const Signature &signature) {
  addLauncher(signature, /*someBlocks=*/false);
  addLauncher(signature, /*someBlocks=*/true);
}

void cpu::addLaunchers(ModuleOp loops, llvm::ArrayRef<Signature> signatures) {
  ExportBuilder builder(loops);
  if (!signatures.empty())
    builder.declareRuntime();
  for (const Signature &signature : signatures)
    builder.addLaunchers(signature);
}

//===-- The header ----------------------------------------------------------------------------===//

/// The parameters that launchers take after their own, each preceded by a comma.
static std::string cParameters(const Signature &signature) {
  std::string text;
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    std::string type = parameter.cType();
    text += ", " + type + (type.back() == '*' ? "" : " ") + "arg" + std::to_string(index);
  }
  return text;
}

static constexpr const char *declarations = R"(
/* entry {0} */
void {1}_entry(const twLaunch *launch, int64_t first, int64_t end, void *arena);
extern const twKernel {1}_kernel;
int {1}_launch(const uint32_t grid[3]{2}, int threads);
int {1}_blocks(const uint32_t grid[3], int64_t first, int64_t end{2});
)";

static constexpr const char *headerBegin = R"(/* Kernels that Tilewright compiled from {0}.
 *
 * k_launch runs the whole grid on `threads` threads (0: as many as this process may keep busy);
 * k_blocks runs the blocks [first, end) on the calling thread. Both return 0; 1 if an assertion
 * failed; 2 if the kernel could not run. k_kernel and k_entry are for those who call tw_launch or
 * bring their own threads: see tilewright/runtime/Kernel.h. */

#ifndef {1}
#define {1}

#include "tilewright/runtime/Kernel.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif
)";

static constexpr const char *headerEnd = R"(
#ifdef __cplusplus
}
#endif

#endif
)";

/// The include guard: `TILEWRIGHT_KERNELS_` and the names.
static std::string guardFor(llvm::ArrayRef<Signature> signatures) {
  std::string guard = "TILEWRIGHT_KERNELS";
  for (const Signature &signature : signatures)
    guard += "_" + llvm::StringRef(cpu::cName(signature.name)).upper();
  return guard;
}

/// Escapes text so that it does not end the comment around it.
static std::string inComment(std::string_view text) {
  std::string safe(text);
  for (size_t at; (at = safe.find("*/")) != std::string::npos;)
    safe.replace(at, 2, "* /");
  return safe;
}

std::string cpu::cHeader(llvm::ArrayRef<Signature> signatures, std::string_view source) {
  std::string text = llvm::formatv(headerBegin, inComment(source), guardFor(signatures));
  for (const Signature &signature : signatures)
    text += llvm::formatv(declarations, inComment(signature.text), cName(signature.name),
                          cParameters(signature));
  return text + headerEnd;
}
