// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Codegen.h.

#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/CaughtDiagnostics.h"
#include "tilewright/codegen/Lower.h"
#include "tilewright/codegen/TargetLookup.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include <numeric>

using namespace tilewright;
using codegen::LlvmProgram;
using codegen::OptLevel;
using codegen::Sanitizer;
using codegen::TargetMachine;
using support::Failure;
using support::Result;

//===-- Translation -------------------------------------------------------------------------===//

static llvm::CodeGenOptLevel codegenLevel(OptLevel level) {
  switch (level) {
  case OptLevel::O0:
    return llvm::CodeGenOptLevel::None;
  case OptLevel::O1:
    return llvm::CodeGenOptLevel::Less;
  case OptLevel::O2:
    return llvm::CodeGenOptLevel::Default;
  case OptLevel::O3:
    return llvm::CodeGenOptLevel::Aggressive;
  }
  llvm_unreachable("all levels are listed");
}

static std::unique_ptr<llvm::TargetMachine>
createMachine(const llvm::Target &llvmTarget, const TargetMachine &target, OptLevel level) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // Lets a linker drop unused sections.
  options.FunctionSections = options.DataSections = true;
  return std::unique_ptr<llvm::TargetMachine>(llvmTarget.createTargetMachine(
      llvm::Triple(target.triple), target.cpu, target.features, options, llvm::Reloc::PIC_,
      std::nullopt, codegenLevel(level)));
}

/// LLVM takes the target processor from function attributes, not from the module.
static void setAttributes(llvm::Module &module, const TargetMachine &target,
                          const codegen::CodegenOptions &options) {
  llvm::AttrBuilder attributes(module.getContext());
  attributes.addAttribute(llvm::Attribute::NoUnwind);
  attributes.addAttribute("target-cpu", target.cpu);
  if (!target.features.empty())
    attributes.addAttribute("target-features", target.features);
  // LLVM makes some processors with wide registers prefer narrow ones.
  attributes.addAttribute("prefer-vector-width", std::to_string(8 * target.vectorBytes));
  if (options.sanitize == Sanitizer::Address)
    attributes.addAttribute(llvm::Attribute::SanitizeAddress);
  if (options.sanitize == Sanitizer::Thread)
    attributes.addAttribute(llvm::Attribute::SanitizeThread);
  if (options.unwindTables) {
    attributes.addUWTableAttr(llvm::UWTableKind::Default);
    attributes.addAttribute("frame-pointer", "all");
  }
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttrs(attributes);
}

LlvmProgram::LlvmProgram(CodegenOptions options)
    : options(options), context(std::make_unique<llvm::LLVMContext>()) {}
LlvmProgram::LlvmProgram(LlvmProgram &&) = default;
LlvmProgram::~LlvmProgram() = default;

Result<LlvmProgram> LlvmProgram::translate(mlir::ModuleOp module, const TargetMachine &target,
                                           const CodegenOptions &options) {
  Result<const llvm::Target *> llvmTarget = lookUp(target.triple);
  if (!llvmTarget)
    return llvmTarget.failure();

  LlvmProgram program(options);
  program.machine = createMachine(**llvmTarget, target, options.level);
  CaughtDiagnostics diagnostics(*module.getContext());
  program.module = mlir::translateModuleToLLVMIR(module, *program.context);
  if (!program.module)
    return diagnostics.failure("translating to LLVM IR");
  program.module->setTargetTriple(llvm::Triple(target.triple));
  program.module->setDataLayout(program.machine->createDataLayout());
  setAttributes(*program.module, target, options);
  return program;
}

//===-- Optimisation ------------------------------------------------------------------------===//

/// Cleanup after our own loops. In all measurements, the full pipeline gave the same speed and took
/// three times as long; without any pass, GEMM lost a quarter of its speed.
static constexpr const char *lightPipeline =
    "always-inline,function(lower-expect,sroa,early-cse,instcombine<no-verify-fixpoint>,"
    "simplifycfg,loop-mssa("
    "licm),instcombine<no-verify-fixpoint>,"
    "loop-simplify,lcssa,gvn,dse,simplifycfg)";
/// For GPUs, SROA leaves no redundant memory accesses for GVN, and the time of GVN grows faster
/// than the number of branches: 4 % of the compile time of 500 loads and stores, 29 % of that of
/// 2,000 (the programs of bench/compile_time.py).
static constexpr const char *gpuPipeline =
    "always-inline,function(lower-expect,sroa,early-cse,instcombine<no-verify-fixpoint>,"
    "simplifycfg,loop-mssa("
    "licm),early-cse<memssa>,instcombine<no-verify-fixpoint>,dse,simplifycfg)";
static constexpr const char *lighterPipeline =
    "always-inline,function(lower-expect,sroa,early-cse,instcombine<"
    "no-verify-fixpoint>,simplifycfg,loop-mssa(licm))";

static llvm::ModulePassManager pipeline(llvm::PassBuilder &builder, OptLevel level, bool isGpu) {
  llvm::ModulePassManager passes;
  if (level == OptLevel::O3)
    return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  const char *text = level == OptLevel::O2   ? (isGpu ? gpuPipeline : lightPipeline)
                     : level == OptLevel::O1 ? lighterPipeline
                                             : "always-inline";
  llvm::cantFail(builder.parsePassPipeline(passes, text));
  return passes;
}

/// The only lane that a constant mask selects; none if it selects several, or is not fully known.
static std::optional<unsigned> onlyLane(const llvm::Constant *mask) {
  std::optional<unsigned> only;
  unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto *bit = llvm::dyn_cast_or_null<llvm::ConstantInt>(mask->getAggregateElement(lane));
    if (!bit || (bit->isOne() && only))
      return std::nullopt;
    if (bit->isOne())
      only = lane;
  }
  return only;
}

/// Turns a masked store of one lane into a plain store. LLVM 22 does so, too, but for truncating
/// stores on x86 it forgets the truncation, and overwrites the bytes behind the element.
static void storeSingleLanes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *store = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != llvm::Intrinsic::masked_store)
      continue;
    auto *mask = llvm::dyn_cast<llvm::Constant>(store->getArgOperand(store->arg_size() - 1));
    std::optional<unsigned> lane = mask ? onlyLane(mask) : std::nullopt;
    if (!lane)
      continue;
    llvm::IRBuilder<> builder(store);
    llvm::Value *element = builder.CreateExtractElement(store->getArgOperand(0), *lane);
    llvm::Value *address =
        builder.CreateConstGEP1_32(element->getType(), store->getArgOperand(1), *lane);
    builder.CreateAlignedStore(element, address, llvm::Align(1));
    store->eraseFromParent();
  }
}

/// Extracts a part of a vector with a shuffle, not as a wide integer. GVN creates such integers
/// from loads, and LLVM 22 crashes for x86 where their lanes are mixed with zeros.
static void extractLanes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    auto *part = cast ? llvm::dyn_cast<llvm::ExtractElementInst>(cast->getOperand(0)) : nullptr;
    auto *lanes = cast ? llvm::dyn_cast<llvm::FixedVectorType>(cast->getType()) : nullptr;
    auto *index = part ? llvm::dyn_cast<llvm::ConstantInt>(part->getIndexOperand()) : nullptr;
    auto *whole =
        part ? llvm::dyn_cast<llvm::FixedVectorType>(part->getVectorOperandType()) : nullptr;
    if (!lanes || !index || !whole || !part->getType()->isIntegerTy() ||
        part->getType()->getIntegerBitWidth() <= 64)
      continue;
    const unsigned count = lanes->getNumElements(), parts = whole->getNumElements();
    if (index->getValue().uge(parts))
      continue;
    llvm::IRBuilder<> builder(cast);
    llvm::Value *all =
        builder.CreateBitCast(part->getVectorOperand(),
                              llvm::FixedVectorType::get(lanes->getElementType(), count * parts));
    llvm::SmallVector<int> mask(count);
    std::iota(mask.begin(), mask.end(), int(index->getZExtValue() * count));
    cast->replaceAllUsesWith(builder.CreateShuffleVector(all, mask));
    cast->eraseFromParent();
  }
}

/// Extracts a bit from a vector's element. InstCombine extracts it from a bitcast of the vector to
/// hundreds of i1, for which LLVM 22 has no copy instructions on x86 with AVX-512.
static void extractBits(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *part = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction);
    auto *cast = part ? llvm::dyn_cast<llvm::BitCastInst>(part->getVectorOperand()) : nullptr;
    auto *index = part ? llvm::dyn_cast<llvm::ConstantInt>(part->getIndexOperand()) : nullptr;
    auto *from = cast ? llvm::dyn_cast<llvm::FixedVectorType>(cast->getSrcTy()) : nullptr;
    if (!index || !from || !part->getType()->isIntegerTy(1) ||
        !from->getElementType()->isIntegerTy())
      continue;
    const unsigned bits = from->getScalarSizeInBits();
    if (index->getValue().uge(uint64_t(bits) * from->getNumElements()))
      continue;
    llvm::IRBuilder<> builder(part);
    const uint64_t at = index->getZExtValue();
    llvm::Value *element = builder.CreateExtractElement(cast->getOperand(0), at / bits);
    part->replaceAllUsesWith(
        builder.CreateTrunc(builder.CreateLShr(element, at % bits), builder.getInt1Ty()));
    part->eraseFromParent();
  }
}

/// Turns a constant whose lanes are poison or equal into a splat. The -O3 optimizer creates such
/// constants for the words of 8-bit products, and LLVM 22 never finishes legalising them for
/// AVX-512.
static void fillPoisonLanes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (!instruction.isBitwiseLogicOp() || !instruction.getType()->isVectorTy())
      continue;
    auto *constant = llvm::dyn_cast<llvm::Constant>(instruction.getOperand(1));
    llvm::Constant *lane = constant ? constant->getSplatValue(/*AllowPoison=*/true) : nullptr;
    if (lane && !constant->getSplatValue())
      instruction.setOperand(
          1, llvm::ConstantVector::getSplat(
                 llvm::cast<llvm::VectorType>(instruction.getType())->getElementCount(), lane));
  }
}

/// Replaces undefined phi inputs on forward edges by zero, for example the value of an element
/// before its first loop iteration. The GPU assembler (ptxas 13.0) considers a predicated load the
/// only definition of such a register, and assigns one register to two values that are defined in
/// different iterations.
static void defineOnAllWays(llvm::Function &function) {
  llvm::DominatorTree tree(function);
  for (llvm::BasicBlock &block : function)
    for (llvm::PHINode &phi : block.phis())
      for (llvm::Use &incoming : phi.incoming_values()) {
        const bool isBackEdge = tree.dominates(&block, phi.getIncomingBlock(incoming));
        if (!isBackEdge && llvm::isa<llvm::UndefValue>(incoming.get()))
          incoming.set(llvm::Constant::getNullValue(phi.getType()));
      }
}

/// Converts an i1 with a select: as a signed number, true is -1. For NVIDIA GPUs, LLVM 22 converts
/// it to bf16 as +1, because it zero-extends it to i32 first.
static void selectConvertedBits(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    llvm::Type *type = instruction.getType();
    if (!llvm::isa<llvm::SIToFPInst>(instruction) ||
        !instruction.getOperand(0)->getType()->isIntOrIntVectorTy(1))
      continue;
    llvm::IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(builder.CreateSelect(instruction.getOperand(0),
                                                        llvm::ConstantFP::get(type, -1.0),
                                                        llvm::ConstantFP::get(type, 0.0)));
    instruction.eraseFromParent();
  }
}

static void addSanitizer(llvm::ModulePassManager &passes, Sanitizer sanitizer) {
  if (sanitizer == Sanitizer::Address) {
    passes.addPass(llvm::AddressSanitizerPass(llvm::AddressSanitizerOptions()));
  } else if (sanitizer == Sanitizer::Thread) {
    passes.addPass(llvm::ModuleThreadSanitizerPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
  }
}

/// GCC's runtime has no __tsan_memcpy. Both runtimes intercept memcpy itself.
static void callPlainMemoryFunctions(llvm::Module &module) {
  for (std::string name : {"memcpy", "memmove", "memset"}) {
    llvm::Function *own = module.getFunction("__tsan_" + name);
    if (!own)
      continue;
    own->replaceAllUsesWith(module.getOrInsertFunction(name, own->getFunctionType()).getCallee());
    own->eraseFromParent();
  }
}

void LlvmProgram::optimize() {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes =
      pipeline(builder, options.level, machine->getTargetTriple().isNVPTX());
  addSanitizer(passes, options.sanitize);
  passes.run(*module, modules);
  if (machine->getTargetTriple().isNVPTX()) {
    for (llvm::Function &function : *module)
      if (!function.isDeclaration()) {
        defineOnAllWays(function);
        selectConvertedBits(function);
      }
  } else {
    llvm::for_each(*module, storeSingleLanes);
    llvm::for_each(*module, extractLanes);
    llvm::for_each(*module, extractBits);
    llvm::for_each(*module, fillPoisonLanes);
  }
  if (options.sanitize == Sanitizer::Thread)
    callPlainMemoryFunctions(*module);
}

//===-- Output ------------------------------------------------------------------------------===//

std::string LlvmProgram::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

/// The code generator reports errors to its context.
static void keepFirstError(const llvm::DiagnosticInfo *diagnostic, void *error) {
  auto &text = *static_cast<std::string *>(error);
  if (diagnostic->getSeverity() != llvm::DS_Error || !text.empty())
    return;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  diagnostic->print(printer);
}

namespace {
/// Disables straight-line strength reduction if a function is large. LLVM's GPU code generators
/// begin with it; it compares each sum, product and address in a function with earlier ones that
/// dominate it, in quadratic time (LLVM 22): half an hour for 100,000 in one block. The limit is
/// above what register-resident tiles need.
class StrengthReductionGate final : public llvm::OptPassGate {
public:
  explicit StrengthReductionGate(const llvm::Module &module) {
    for (const llvm::Function &function : module)
      hasTooMany |= llvm::count_if(llvm::instructions(function), isCompared) > mostCompared;
  }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return pass != "slsr";
  }
  bool isEnabled() const override { return hasTooMany; }

private:
  static bool isCompared(const llvm::Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::GetElementPtr:
      return true;
    default:
      return false;
    }
  }
  static constexpr ptrdiff_t mostCompared = 1700;
  bool hasTooMany = false;
};
} // namespace

Result<std::string> LlvmProgram::emit(bool asObject) {
  std::string error;
  StrengthReductionGate gate(*module);
  llvm::OptPassGate &gateBefore = context->getOptPassGate();
  context->setOptPassGate(gate);
  context->setDiagnosticHandlerCallBack(&keepFirstError, &error);
  const llvm::scope_exit restore([&] {
    context->setOptPassGate(gateBefore);
    context->setDiagnosticHandlerCallBack(nullptr);
  });
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  auto kind = asObject ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, kind, /*DisableVerify=*/true))
    return Failure{"codegen: LLVM cannot generate code for " + module->getTargetTriple().str()};
  passes.run(*module);
  if (!error.empty())
    return Failure{"codegen: generating code: " + error};
  return std::string(bytes);
}

Result<std::string> LlvmProgram::assembly() { return emit(/*asObject=*/false); }
Result<std::string> LlvmProgram::object() { return emit(/*asObject=*/true); }

Result<std::string> codegen::compileLoops(mlir::ModuleOp module, const TargetMachine &target,
                                          const CodegenOptions &options) {
  if (Result<void> lowered = lowerToLLVM(module); !lowered)
    return lowered.failure();
  Result<LlvmProgram> program = LlvmProgram::translate(module, target, options);
  if (!program)
    return program.failure();
  program->optimize();
  return program->object();
}
