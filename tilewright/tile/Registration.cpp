// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers the contents of the dialect, the alias names of debug attributes, and a parser hook
// that diagnoses unknown operations.

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/text/Spelling.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::tile;

#include "tilewright/tile/Dialect.cpp.inc"
#include "tilewright/tile/OpInterfaces.cpp.inc"

namespace {

/// `#di_file`, `#di_subprogram`, ...: printed only together with locations (types, 10.1).
struct DebugAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    StringRef mnemonic =
        llvm::TypeSwitch<Attribute, StringRef>(attr)
            .Case<DIFileAttr, DICompileUnitAttr, DISubprogramAttr, DILexicalBlockAttr>(
                [](auto node) { return node.getMnemonic(); })
            .Default(StringRef());
    if (mnemonic.empty())
      return AliasResult::NoAlias;
    os << mnemonic;
    return AliasResult::OverridableAlias;
  }
};

} // namespace

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tilewright/tile/ops/ControlFlow.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Conversion.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Core.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Float.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Integer.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Matrix.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Memory.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Module.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilewright/tile/ops/Views.cpp.inc"
      >();
  addInterfaces<DebugAliases>();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

/// The prefix of the preview operations of 13.5 (section 9.1).
static constexpr StringLiteral previewPrefix = "preview$";

/// The parser for an operation that does not exist.
static ParseResult parseUnknownOp(OpAsmParser &parser, OperationState &state) {
  StringRef fullName = state.name.getStringRef();
  StringRef mnemonic = fullName.drop_front(TileDialect::getDialectNamespace().size() + 1);
  bool prefixed = StringRef(parser.getNameLoc().getPointer()).starts_with(fullName);
  // The parser's own emitError would repeat the name of the operation.
  InFlightDiagnostic diag = mlir::emitError(parser.getEncodedSourceLoc(parser.getNameLoc()));
  if (mnemonic.starts_with(previewPrefix))
    return diag << "'" << mnemonic
                << "' is a preview feature of Tile IR 13.5, which is not supported";
  diag << "custom op '" << (prefixed ? fullName : mnemonic) << "' is unknown";
  if (!prefixed)
    diag << " (tried '" << fullName << "' as well)";
  if (std::string advice = adviceForOp(mnemonic); !advice.empty())
    diag.attachNote() << advice;
  return diag;
}

/// The spelling of 13.4, which the public disassembler also writes for older files (arithmetic, 7).
static ParseResult parseFloatPow(OpAsmParser &parser, OperationState &state) {
  state.name = OperationName(PowOp::getOperationName(), state.getContext());
  return PowOp::parse(parser, state);
}

std::optional<Dialect::ParseOpHook> TileDialect::getParseOperationHook(StringRef name) const {
  return name == "cuda_tile.fpowf" ? parseFloatPow : parseUnknownOp;
}
