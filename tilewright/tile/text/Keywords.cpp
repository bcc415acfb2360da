// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses and prints enum members in operations: as bare words, or in `overflow<...>` and
// `rounding<...>` (types, 7; arithmetic, 2.4).

#include "tilewright/tile/text/Assembly.h"
#include "tilewright/tile/text/Spelling.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- Keywords ------------------------------------------------------------------------===//

/// `expected WHAT to be one of: 'a', 'b', got: 'x'`, with the nearest word in a note.
static ParseResult rejectWord(OpAsmParser &parser, SMLoc loc, StringRef what, StringRef word,
                              ArrayRef<StringRef> words, StringRef open = "",
                              StringRef close = "") {
  InFlightDiagnostic diag = parser.emitError(loc)
                            << "expected " << what << " to be one of: " << open;
  llvm::interleaveComma(words, diag, [&](StringRef each) { diag << "'" << each << "'"; });
  diag << close << ", got: '" << word << "'";
  noteNearest(diag, word, words);
  return diag;
}

/// `expected NAME, one of: 'a', 'b'`, if there is no word.
static ParseResult rejectMissing(OpAsmParser &parser, SMLoc loc, StringRef what,
                                 ArrayRef<StringRef> words) {
  InFlightDiagnostic diag = parser.emitError(loc) << "expected " << what << ", one of: ";
  llvm::interleaveComma(words, diag, [&](StringRef each) { diag << "'" << each << "'"; });
  return diag;
}

/// The spellings of an enumeration, in the order of their numbers.
template <typename Enum>
static SmallVector<StringRef> spellings(StringRef (*stringify)(Enum), unsigned last) {
  SmallVector<StringRef> words;
  for (unsigned value = 0; value <= last; ++value)
    words.push_back(stringify(Enum(value)));
  return words;
}

/// A mandatory keyword: `expected NAME to be one of: {'a', 'b'}`.
template <typename Attr, typename Enum>
static ParseResult parseEnumKeyword(OpAsmParser &parser, Attr &attr, StringRef name,
                                    std::optional<Enum> (*symbolize)(StringRef),
                                    ArrayRef<StringRef> words) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return rejectMissing(parser, loc, name, words);
  std::optional<Enum> value = symbolize(word);
  if (!value)
    return rejectWord(parser, loc, name, word, words, "{", "}");
  attr = Attr::get(parser.getContext(), *value);
  return success();
}

ParseResult tile::parseSignedness(OpAsmParser &parser, SignednessAttr &attr) {
  return parseEnumKeyword<SignednessAttr, Signedness>(parser, attr, "signedness",
                                                      symbolizeSignedness, {"signed", "unsigned"});
}

void tile::printSignedness(OpAsmPrinter &printer, Operation *, SignednessAttr attr) {
  printer << stringifySignedness(attr.getValue());
}

ParseResult tile::parsePredicate(OpAsmParser &parser, ComparisonPredicateAttr &attr) {
  return parseEnumKeyword<ComparisonPredicateAttr, ComparisonPredicate>(
      parser, attr, "'comparison_predicate'", symbolizeComparisonPredicate,
      spellings(stringifyComparisonPredicate, getMaxEnumValForComparisonPredicate()));
}

void tile::printPredicate(OpAsmPrinter &printer, Operation *, ComparisonPredicateAttr attr) {
  printer << stringifyComparisonPredicate(attr.getValue());
}

ParseResult tile::parseComparisonOrdering(OpAsmParser &parser, ComparisonOrderingAttr &attr) {
  return parseEnumKeyword<ComparisonOrderingAttr, ComparisonOrdering>(
      parser, attr, "'comparison_ordering'", symbolizeComparisonOrdering, {"ordered", "unordered"});
}

void tile::printComparisonOrdering(OpAsmPrinter &printer, Operation *,
                                   ComparisonOrderingAttr attr) {
  printer << stringifyComparisonOrdering(attr.getValue());
}

ParseResult tile::parseOverflow(OpAsmParser &parser, IntegerOverflowAttr &attr) {
  attr = IntegerOverflowAttr::get(parser.getContext(), IntegerOverflow::None);
  if (failed(parser.parseOptionalKeyword("overflow")))
    return success();
  std::string word;
  if (parser.parseLess())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&word))
    return failure();
  std::optional<IntegerOverflow> value = symbolizeIntegerOverflow(word);
  if (!value)
    return rejectWord(parser, loc, "overflow", word,
                      spellings(stringifyIntegerOverflow, getMaxEnumValForIntegerOverflow()));
  attr = IntegerOverflowAttr::get(parser.getContext(), *value);
  return parser.parseGreater();
}

void tile::printOverflow(OpAsmPrinter &printer, Operation *, IntegerOverflowAttr attr) {
  if (attr.getValue() != IntegerOverflow::None)
    printer << " overflow<" << stringifyIntegerOverflow(attr.getValue()) << ">";
}

//===-- rounding<...> -------------------------------------------------------------------===//

namespace {
/// How an operation family writes its rounding mode (arithmetic, 2.4).
struct RoundingSyntax {
  RoundingMode defaultMode;
  /// The modes that diagnostics list.
  ArrayRef<RoundingMode> offered;
  /// Any member parses; the verifier rejects unsupported ones.
  bool anyMember;
  /// The keyword may also be a string.
  bool orString = false;
};
} // namespace

// The numbers of the IEEE modes come first, then `approx`, then `full`.
static constexpr RoundingMode floatModes[] = {RoundingMode::NearestEven, RoundingMode::Zero,
                                              RoundingMode::NegativeInf, RoundingMode::PositiveInf,
                                              RoundingMode::Approx,      RoundingMode::Full};
static constexpr RoundingMode truncation[] = {RoundingMode::NearestIntToZero};

static const RoundingSyntax ieee = {RoundingMode::NearestEven, ArrayRef(floatModes).take_front(4),
                                    false};
static const RoundingMode conversionModes[] = {RoundingMode::NearestEven, RoundingMode::Zero,
                                               RoundingMode::NegativeInf, RoundingMode::PositiveInf,
                                               RoundingMode::NearestAway};
static const RoundingSyntax floatToFloat = {RoundingMode::NearestEven, conversionModes, false};
static const RoundingSyntax floatDiv = {RoundingMode::NearestEven, floatModes, true};
static const RoundingSyntax squareRoot = {RoundingMode::NearestEven,
                                          ArrayRef(floatModes).take_front(5), true};
static const RoundingSyntax approximable = {RoundingMode::Full, ArrayRef(floatModes).take_back(2),
                                            true};
static const RoundingSyntax floatToInt = {RoundingMode::NearestIntToZero, truncation, false};
static const RoundingSyntax intDiv = {RoundingMode::Zero, ArrayRef(floatModes).slice(1, 3), true,
                                      /*orString=*/true};

static ParseResult parseRounding(OpAsmParser &parser, RoundingModeAttr &attr,
                                 const RoundingSyntax &syntax) {
  attr = RoundingModeAttr::get(parser.getContext(), syntax.defaultMode);
  if (failed(parser.parseOptionalKeyword("rounding")))
    return success();
  if (parser.parseLess())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  std::string word;
  StringRef keyword;
  if (syntax.orString ? parser.parseKeywordOrString(&word) : parser.parseKeyword(&keyword))
    return failure();
  if (!syntax.orString)
    word = keyword.str();
  std::optional<RoundingMode> mode = symbolizeRoundingMode(word);
  if (!mode || (!syntax.anyMember && !llvm::is_contained(syntax.offered, *mode))) {
    SmallVector<StringRef> words;
    for (RoundingMode offered : syntax.offered)
      words.push_back(stringifyRoundingMode(offered));
    return rejectWord(parser, loc, "rounding mode", word, words);
  }
  attr = RoundingModeAttr::get(parser.getContext(), *mode);
  return parser.parseGreater();
}

static void printRounding(OpAsmPrinter &printer, RoundingModeAttr attr,
                          const RoundingSyntax &syntax) {
  if (attr.getValue() != syntax.defaultMode)
    printer << " rounding<" << stringifyRoundingMode(attr.getValue()) << ">";
}

ParseResult tile::parseIeeeRounding(OpAsmParser &parser, RoundingModeAttr &attr) {
  return parseRounding(parser, attr, ieee);
}
ParseResult tile::parseDivRounding(OpAsmParser &parser, RoundingModeAttr &attr) {
  return parseRounding(parser, attr, floatDiv);
}
ParseResult tile::parseSqrtRounding(OpAsmParser &parser, RoundingModeAttr &attr) {
  return parseRounding(parser, attr, squareRoot);
}
ParseResult tile::parseApproxRounding(OpAsmParser &parser, RoundingModeAttr &attr) {
  return parseRounding(parser, attr, approximable);
}
ParseResult tile::parseFToFRounding(OpAsmParser &parser, RoundingModeAttr &attr) {
  return parseRounding(parser, attr, floatToFloat);
}
ParseResult tile::parseIntDivRounding(OpAsmParser &parser, RoundingModeAttr &attr) {
  return parseRounding(parser, attr, intDiv);
}
void tile::printIeeeRounding(OpAsmPrinter &printer, Operation *, RoundingModeAttr attr) {
  printRounding(printer, attr, ieee);
}
void tile::printDivRounding(OpAsmPrinter &printer, Operation *, RoundingModeAttr attr) {
  printRounding(printer, attr, floatDiv);
}
void tile::printSqrtRounding(OpAsmPrinter &printer, Operation *, RoundingModeAttr attr) {
  printRounding(printer, attr, squareRoot);
}
void tile::printApproxRounding(OpAsmPrinter &printer, Operation *, RoundingModeAttr attr) {
  printRounding(printer, attr, approximable);
}
void tile::printFToFRounding(OpAsmPrinter &printer, Operation *, RoundingModeAttr attr) {
  printRounding(printer, attr, floatToFloat);
}
void tile::printIntDivRounding(OpAsmPrinter &printer, Operation *, RoundingModeAttr attr) {
  printRounding(printer, attr, intDiv);
}

ParseResult tile::parseFToIModifiers(OpAsmParser &parser, RoundingModeAttr &rounding,
                                     UnitAttr &saturating) {
  auto parseSaturating = [&] {
    if (!saturating && succeeded(parser.parseOptionalKeyword("saturating")))
      saturating = parser.getBuilder().getUnitAttr();
  };
  parseSaturating();
  if (parseRounding(parser, rounding, floatToInt))
    return failure();
  parseSaturating();
  return success();
}

void tile::printFToIModifiers(OpAsmPrinter &printer, Operation *, RoundingModeAttr rounding,
                              UnitAttr saturating) {
  if (saturating)
    printer << " saturating";
  printRounding(printer, rounding, floatToInt);
}

//===-- Memory orderings, scopes and modes ---------------------------------------------------===//

/// `invalid NAME attribute specification. Got "x" but expect one of: a, b` (types, 7).
template <typename Attr, typename Enum>
static ParseResult parseMemoryKeyword(OpAsmParser &parser, Attr &attr, StringRef name,
                                      std::optional<Enum> (*symbolize)(StringRef),
                                      StringRef (*stringify)(Enum), unsigned last) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<StringRef> words = spellings(stringify, last);
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return rejectMissing(parser, loc, name, words);
  std::optional<Enum> value = symbolize(word);
  if (!value) {
    InFlightDiagnostic diag = parser.emitError(loc)
                              << "invalid " << name << " attribute specification. Got \"" << word
                              << "\" but expect one of: " << llvm::join(words, ", ");
    noteNearest(diag, word, words);
    return diag;
  }
  attr = Attr::get(parser.getContext(), *value);
  return success();
}

static ParseResult parseOrdering(OpAsmParser &parser, MemoryOrderingSemanticsAttr &ordering) {
  return parseMemoryKeyword<MemoryOrderingSemanticsAttr, MemoryOrderingSemantics>(
      parser, ordering, "memory_ordering_semantics", symbolizeMemoryOrderingSemantics,
      stringifyMemoryOrderingSemantics, getMaxEnumValForMemoryOrderingSemantics());
}

static ParseResult parseScope(OpAsmParser &parser, MemoryScopeAttr &scope) {
  return parseMemoryKeyword<MemoryScopeAttr, MemoryScope>(
      parser, scope, "memory_scope", symbolizeMemoryScope, stringifyMemoryScope,
      getMaxEnumValForMemoryScope());
}

ParseResult tile::parseViewOrdering(OpAsmParser &parser, MemoryOrderingSemanticsAttr &ordering,
                                    MemoryScopeAttr &scope) {
  if (parseOrdering(parser, ordering))
    return failure();
  if (ordering.getValue() != MemoryOrderingSemantics::Weak) {
    // Without a keyword, the verifier reports the missing scope.
    SMLoc loc = parser.getCurrentLocation();
    return *loc.getPointer() == '%' ? ParseResult(success()) : parseScope(parser, scope);
  }
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc)
           << "operation specifies weak memory ordering semantics, but then provides \"" << word
           << "\" scope, expected no memory scope.";
  return success();
}

void tile::printViewOrdering(OpAsmPrinter &printer, Operation *,
                             MemoryOrderingSemanticsAttr ordering, MemoryScopeAttr scope) {
  printer << stringifyMemoryOrderingSemantics(ordering.getValue());
  if (scope)
    printer << " " << stringifyMemoryScope(scope.getValue());
}

ParseResult tile::parseAtomicViewOrdering(OpAsmParser &parser,
                                          MemoryOrderingSemanticsAttr &ordering,
                                          MemoryScopeAttr &scope) {
  return failure(parseOrdering(parser, ordering) || parseScope(parser, scope));
}

void tile::printAtomicViewOrdering(OpAsmPrinter &printer, Operation *op,
                                   MemoryOrderingSemanticsAttr ordering, MemoryScopeAttr scope) {
  printViewOrdering(printer, op, ordering, scope);
}

ParseResult tile::parseAtomicMode(OpAsmParser &parser, AtomicRMWModeAttr &mode) {
  return parseMemoryKeyword<AtomicRMWModeAttr, AtomicRMWMode>(
      parser, mode, "mode", symbolizeAtomicRMWMode, stringifyAtomicRMWMode,
      getMaxEnumValForAtomicRMWMode());
}

void tile::printAtomicMode(OpAsmPrinter &printer, Operation *, AtomicRMWModeAttr mode) {
  printer << stringifyAtomicRMWMode(mode.getValue());
}

ParseResult tile::parseMultimemReduction(OpAsmParser &parser, MultimemReductionKindAttr &kind) {
  return parseMemoryKeyword<MultimemReductionKindAttr, MultimemReductionKind>(
      parser, kind, "reduction", symbolizeMultimemReductionKind, stringifyMultimemReductionKind,
      getMaxEnumValForMultimemReductionKind());
}
