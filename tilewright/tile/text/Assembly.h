// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsers and printers for types, keywords and clauses in the text of operations. The directives
// custom<Name>(...) in operation records call parseName and printName (textual format, 4.2 and 8).

#ifndef TILEWRIGHT_TILE_TEXT_ASSEMBLY_H
#define TILEWRIGHT_TILE_TEXT_ASSEMBLY_H

#include "tilewright/tile/types/Types.h"

#include "mlir/IR/OpImplementation.h"

namespace tilewright::tile {

using mlir::AsmParser;
using mlir::AsmPrinter;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::Operation;
using mlir::ParseResult;
using mlir::Type;
using mlir::TypeRange;
using UnresolvedOperand = OpAsmParser::UnresolvedOperand;
using llvm::SmallVectorImpl;

//===-- Types in their short form (Types.h) -------------------------------------===//

inline ParseResult parseTileType(OpAsmParser &parser, Type &type) {
  return parseShortType(parser, type);
}
inline void printTileType(OpAsmPrinter &printer, Operation *, Type type) {
  printShortType(printer, type);
}

ParseResult parseTileTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types);
void printTileTypes(OpAsmPrinter &printer, Operation *op, TypeRange types);

ParseResult parseThreeOfType(OpAsmParser &parser, Type &x, Type &y, Type &z);
void printThreeOfType(OpAsmPrinter &printer, Operation *op, Type x, Type y, Type z);

/// A view type of one kind; any other type is an error at the type.
ParseResult parsePartitionViewType(OpAsmParser &parser, Type &type);
ParseResult parseStridedViewType(OpAsmParser &parser, Type &type);
ParseResult parseGatherScatterViewType(OpAsmParser &parser, Type &type);
void printPartitionViewType(OpAsmPrinter &printer, Operation *op, Type type);
void printStridedViewType(OpAsmPrinter &printer, Operation *op, Type type);
void printGatherScatterViewType(OpAsmPrinter &printer, Operation *op, Type type);

//===-- Keywords --------------------------------------------------------------===//

ParseResult parseOverflow(OpAsmParser &parser, IntegerOverflowAttr &attr);
void printOverflow(OpAsmPrinter &printer, Operation *op, IntegerOverflowAttr attr);

ParseResult parseSignedness(OpAsmParser &parser, SignednessAttr &attr);
void printSignedness(OpAsmPrinter &printer, Operation *op, SignednessAttr attr);

ParseResult parsePredicate(OpAsmParser &parser, ComparisonPredicateAttr &attr);
void printPredicate(OpAsmPrinter &printer, Operation *op, ComparisonPredicateAttr attr);

ParseResult parseComparisonOrdering(OpAsmParser &parser, ComparisonOrderingAttr &attr);
void printComparisonOrdering(OpAsmPrinter &printer, Operation *op, ComparisonOrderingAttr attr);

/// `rounding<...>`, one pair of functions per set of modes that an operation family supports
/// (arithmetic, 2.4); omitted if it is the family's default.
ParseResult parseIeeeRounding(OpAsmParser &parser, RoundingModeAttr &attr);
ParseResult parseDivRounding(OpAsmParser &parser, RoundingModeAttr &attr);
ParseResult parseSqrtRounding(OpAsmParser &parser, RoundingModeAttr &attr);
ParseResult parseApproxRounding(OpAsmParser &parser, RoundingModeAttr &attr);
ParseResult parseFToFRounding(OpAsmParser &parser, RoundingModeAttr &attr);
ParseResult parseIntDivRounding(OpAsmParser &parser, RoundingModeAttr &attr);
void printIeeeRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
void printDivRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
void printSqrtRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
void printApproxRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
void printFToFRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);
void printIntDivRounding(OpAsmPrinter &printer, Operation *op, RoundingModeAttr attr);

/// `saturating` and `rounding<...>` of `ftoi`, in any order; printed in this order.
ParseResult parseFToIModifiers(OpAsmParser &parser, RoundingModeAttr &rounding,
                               mlir::UnitAttr &saturating);
void printFToIModifiers(OpAsmPrinter &printer, Operation *op, RoundingModeAttr rounding,
                        mlir::UnitAttr saturating);

//===-- Clauses of memory operations --------------------------------------------===//

/// `weak`, or an ordering with a scope.
ParseResult parseViewOrdering(OpAsmParser &parser, MemoryOrderingSemanticsAttr &ordering,
                              MemoryScopeAttr &scope);
void printViewOrdering(OpAsmPrinter &printer, Operation *op, MemoryOrderingSemanticsAttr ordering,
                       MemoryScopeAttr scope);
ParseResult parseAtomicViewOrdering(OpAsmParser &parser, MemoryOrderingSemanticsAttr &ordering,
                                    MemoryScopeAttr &scope);
void printAtomicViewOrdering(OpAsmPrinter &printer, Operation *op,
                             MemoryOrderingSemanticsAttr ordering, MemoryScopeAttr scope);
ParseResult parseAtomicMode(OpAsmParser &parser, AtomicRMWModeAttr &mode);
void printAtomicMode(OpAsmPrinter &printer, Operation *op, AtomicRMWModeAttr mode);

/// The reduction, at its position in texts of earlier Tilewright versions.
ParseResult parseMultimemReduction(OpAsmParser &parser, MultimemReductionKindAttr &kind);

/// ` token = %t`, or nothing. Accesses through views print blanks, those through pointers do not: `
/// token=%t` (textual format, 8).
ParseResult parseTokenClause(OpAsmParser &parser, std::optional<UnresolvedOperand> &token);
void printTokenClause(OpAsmPrinter &printer, Operation *op, mlir::Value token);
ParseResult parseTightTokenClause(OpAsmParser &parser, std::optional<UnresolvedOperand> &token);
void printTightTokenClause(OpAsmPrinter &printer, Operation *op, mlir::Value token);

/// `inbounds = [true, false]`, or nothing if no flag is true.
ParseResult parseInbounds(OpAsmParser &parser, mlir::DenseBoolArrayAttr &inbounds);
void printInbounds(OpAsmPrinter &printer, Operation *op, mlir::DenseBoolArrayAttr inbounds);

/// The clauses after the index, in the order of the vendor's tools: token, hints, inbounds.
/// `inbounds` is also accepted in front of the others, as in texts of earlier Tilewright versions.
ParseResult parseTokenAndInbounds(OpAsmParser &parser, std::optional<UnresolvedOperand> &token,
                                  mlir::DenseBoolArrayAttr &inbounds);
void printTokenAndInbounds(OpAsmPrinter &printer, Operation *op, mlir::Value token,
                           mlir::DenseBoolArrayAttr inbounds);
ParseResult parseViewClauses(OpAsmParser &parser, std::optional<UnresolvedOperand> &token,
                             OptimizationHintsAttr &hints, mlir::DenseBoolArrayAttr &inbounds);
void printViewClauses(OpAsmPrinter &printer, Operation *op, mlir::Value token,
                      OptimizationHintsAttr hints, mlir::DenseBoolArrayAttr inbounds);

/// `%t`; `token = %t -> token` is accepted, too.
ParseResult parseFencedToken(OpAsmParser &parser, UnresolvedOperand &token);
void printFencedToken(OpAsmPrinter &printer, Operation *op, mlir::Value token);
ParseResult parseFencedType(OpAsmParser &parser, Type &type);
void printFencedType(OpAsmPrinter &printer, Operation *op, Type type);

/// `, T` after the source type of `insert`; `-> T` is accepted, too.
ParseResult parseDestinationType(OpAsmParser &parser, Type &type);
void printDestinationType(OpAsmPrinter &printer, Operation *op, Type type);

/// `, %x`, where %x may be missing even after the comma (textual format, 8, remarks).
ParseResult parseOptionalOperand(OpAsmParser &parser, std::optional<UnresolvedOperand> &operand);
void printOptionalOperand(OpAsmPrinter &printer, Operation *op, mlir::Value operand);
ParseResult parseTwoOptionalOperands(OpAsmParser &parser, std::optional<UnresolvedOperand> &first,
                                     std::optional<UnresolvedOperand> &second);
void printTwoOptionalOperands(OpAsmPrinter &printer, Operation *op, mlir::Value first,
                              mlir::Value second);
ParseResult parseOptionalType(OpAsmParser &parser, Type &type);
void printOptionalType(OpAsmPrinter &printer, Operation *op, Type type);
ParseResult parseTwoOptionalTypes(OpAsmParser &parser, Type &first, Type &second);
void printTwoOptionalTypes(OpAsmPrinter &printer, Operation *op, Type first, Type second);

/// `, T` for all indices, or `, T0, T1, ...` for each.
ParseResult parseIndexTypes(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &indices,
                            SmallVectorImpl<Type> &types);
void printIndexTypes(OpAsmPrinter &printer, Operation *op, mlir::OperandRange indices,
                     TypeRange types);

/// `-> T`, or nothing: the type of the result, which equals that of an operand. Not printed.
ParseResult parseRepeatedResult(OpAsmParser &parser, Type result);
void printRepeatedResult(OpAsmPrinter &printer, Operation *op, Type result);

ParseResult parsePrintArguments(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &args);
void printPrintArguments(OpAsmPrinter &printer, Operation *op, mlir::OperandRange args);
ParseResult parsePrintTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types);
void printPrintTypes(OpAsmPrinter &printer, Operation *op, TypeRange types);

//===-- Attributes with a short form ----------------------------------------------===//

ParseResult parseAssumePredicate(OpAsmParser &parser, AssumePredicate &predicate);
void printAssumePredicate(OpAsmPrinter &printer, Operation *op, AssumePredicate predicate);

/// `optimization_hints = <...>`, or nothing.
ParseResult parseMemoryHints(OpAsmParser &parser, OptimizationHintsAttr &hints);
void printMemoryHints(OpAsmPrinter &printer, Operation *op, OptimizationHintsAttr hints);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TEXT_ASSEMBLY_H
