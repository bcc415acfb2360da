// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Lower.h.

#include "tilewright/codegen/Lower.h"
#include "tilewright/codegen/CaughtDiagnostics.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace tilewright;
using namespace mlir;
using support::Failure;
using support::Result;

void codegen::loadLoopDialects(MLIRContext &context) {
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
  context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect, index::IndexDialect,
                      LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect, ub::UBDialect,
                      vector::VectorDialect>();
}

/// Whether every target computes this math operation exactly, with an instruction or a correctly
/// rounded library function. All other functions are expanded earlier (elementwise/Math.h).
static bool hasInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp, math::FloorOp, math::FmaOp,
             math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::IsNormalOp, math::RoundOp,
             math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
}

static Result<void> refuseLibraryCalls(ModuleOp module) {
  Operation *refused = nullptr;
  module.walk([&](Operation *op) {
    if (!isa<math::MathDialect>(op->getDialect()) || hasInstruction(op))
      return WalkResult::advance();
    refused = op;
    return WalkResult::interrupt();
  });
  if (!refused)
    return {};
  return Failure{"codegen: '" + refused->getName().getStringRef().str() +
                 "' has no instruction and was not expanded"};
}

/// Lowers loops and branches to blocks, the last ones first. Each lowering moves the operations
/// behind it into a new block; from back to front, these are only those up to the next loop or
/// branch. In any other order, the time would be quadratic; also in the dialect conversion below,
/// which records each moved operation.
static LogicalResult lowerControlFlow(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  PatternApplicator applicator(frozen);
  applicator.applyDefaultCostModel();
  SmallVector<Operation *> structured;
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isa<scf::SCFDialect>(op->getDialect()) && !op->hasTrait<OpTrait::IsTerminator>())
      structured.push_back(op);
  });
  PatternRewriter rewriter(module.getContext());
  for (Operation *op : structured) {
    rewriter.setInsertionPoint(op);
    if (failed(applicator.matchAndRewrite(op, rewriter)))
      return op->emitError("has no form as blocks");
  }
  return success();
}

static RewritePatternSet conversionPatterns(const LLVMTypeConverter &types, MLIRContext *context) {
  RewritePatternSet patterns(context);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  index::populateIndexToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  ub::populateUBToLLVMConversionPatterns(types, patterns);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  return patterns;
}

/// Removes the remaining casts between `index` and the integer type that replaced it.
static LogicalResult foldCasts(ModuleOp module) {
  SmallVector<UnrealizedConversionCastOp> casts, remaining;
  module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts, &remaining);
  for (UnrealizedConversionCastOp cast : remaining)
    cast.emitError("a value of a type that LLVM does not have is left");
  return success(remaining.empty());
}

/// The translation to LLVM IR supports only MLIR's own location kinds: reduces debug information
/// (types, 10.2) to positions.
static void keepPositions(ModuleOp module) {
  module.walk([&](Operation *op) { op->setLoc(tile::plainLocation(op->getLoc())); });
  module.walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      argument.setLoc(tile::plainLocation(argument.getLoc()));
  });
}

Result<void> codegen::lowerToLLVM(ModuleOp module) {
  if (Result<void> expanded = refuseLibraryCalls(module); !expanded)
    return expanded;

  MLIRContext *context = module.getContext();
  CaughtDiagnostics diagnostics(*context);
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter types(context, options);
  ::mlir::ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
  // The module is discarded after a failure, so no pattern is ever undone.
  ConversionConfig config;
  config.allowPatternRollback = false;
  if (failed(lowerControlFlow(module)) ||
      failed(applyFullConversion(module, target, conversionPatterns(types, context), config)) ||
      failed(foldCasts(module)))
    return diagnostics.failure("lowering to LLVM");
  keepPositions(module);
  return {};
}

/// The file of the compile unit: that of the first function with a position.
static Location placeOf(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function.getLoc()->findInstanceOf<FileLineColLoc>())
      return function.getLoc();
  return module.getLoc();
}

Result<void> codegen::addLines(ModuleOp module, Lines lines) {
  module->setLoc(placeOf(module));
  CaughtDiagnostics diagnostics(*module.getContext());
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = lines == Lines::Tables ? LLVM::DIEmissionKind::LineTablesOnly
                                                : LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  if (failed(passes.run(module)))
    return diagnostics.failure("adding lines");
  return {};
}
