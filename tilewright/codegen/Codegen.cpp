// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Codegen.h.

#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/CaughtDiagnostics.h"
#include "tilewright/codegen/Lower.h"
#include "tilewright/codegen/TargetLookup.h"
#include "tilewright/codegen/workarounds/Workarounds.h"

#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace tilewright;
using codegen::LlvmProgram;
using codegen::OptLevel;
using codegen::Sanitizer;
using codegen::TargetMachine;
namespace workarounds = codegen::workarounds;
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

/// All threads of a warp must execute instructions with `.sync` together, so LLVM must not copy
/// them into branches that some threads take. MLIR's inline assembly cannot say so.
static void markCollective(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (auto *text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
          if (llvm::StringRef(text->getAsmString()).contains(".sync"))
            call->setConvergent();
}

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
  if (program.machine->getTargetTriple().isNVPTX())
    markCollective(*program.module);
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

static void addSanitizer(llvm::ModulePassManager &passes, Sanitizer sanitizer) {
  if (sanitizer == Sanitizer::Address) {
    passes.addPass(llvm::AddressSanitizerPass(llvm::AddressSanitizerOptions()));
  } else if (sanitizer == Sanitizer::Thread) {
    passes.addPass(llvm::ModuleThreadSanitizerPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
  }
}

static void workAroundBugs(llvm::Function &function, bool isGpu) {
  llvm::ArrayRef<workarounds::Rewrite *> forCpus(workarounds::forCpus),
      forGpus(workarounds::forNvidiaGpus);
  for (workarounds::Rewrite *rewrite : isGpu ? forGpus : forCpus)
    rewrite(function);
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
  const bool isGpu = machine->getTargetTriple().isNVPTX();
  llvm::ModulePassManager passes = pipeline(builder, options.level, isGpu);
  addSanitizer(passes, options.sanitize);
  passes.run(*module, modules);
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      workAroundBugs(function, isGpu);
  if (options.sanitize == Sanitizer::Thread)
    workarounds::callPlainMemoryFunctions(*module);
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

Result<std::string> LlvmProgram::emit(bool asObject) {
  std::string error;
  workarounds::StrengthReductionGate gate(*module);
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
