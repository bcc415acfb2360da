// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Enums.h.

#include "tilewright/bytecode/Enums.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

const MemberRow *bytecode::findMember(StringRef enumName, uint64_t value) {
  ArrayRef<MemberRow> members = allEnumMembers();
  const MemberRow *member = llvm::find_if(members, [&](const MemberRow &row) {
    return row.value == value && row.enumName == enumName;
  });
  return member == members.end() ? nullptr : member;
}

template <typename AttrT> static Attribute make(uint32_t value, MLIRContext *context) {
  return AttrT::get(context, decltype(std::declval<AttrT>().getValue())(value));
}

static Attribute makeInteger(uint32_t value, MLIRContext *context) {
  return IntegerAttr::get(IntegerType::get(context, 32), value);
}

Attribute bytecode::memberAttribute(StringRef enumName, uint32_t value, MLIRContext *context) {
  auto *maker = llvm::StringSwitch<Attribute (*)(uint32_t, MLIRContext *)>(enumName)
                    .Case("ComparisonOrdering", make<ComparisonOrderingAttr>)
                    .Case("ComparisonPredicate", make<ComparisonPredicateAttr>)
                    .Case("IntegerOverflow", make<IntegerOverflowAttr>)
                    .Case("MultimemReductionKind", make<MultimemReductionKindAttr>)
                    .Case("PaddingValue", make<PaddingValueAttr>)
                    .Case("PointerAttribute", make<PointerAttributeAttr>)
                    .Case("RoundingMode", make<RoundingModeAttr>)
                    .Case("Signedness", make<SignednessAttr>)
                    .Case("SymbolVisibility", make<SymbolVisibilityAttr>)
                    .Default(makeInteger);
  return maker(value, context);
}

uint32_t bytecode::memberNumber(Attribute member) {
  return llvm::TypeSwitch<Attribute, uint32_t>(member)
      .Case<ComparisonOrderingAttr, ComparisonPredicateAttr, IntegerOverflowAttr,
            MultimemReductionKindAttr, PaddingValueAttr, PointerAttributeAttr, RoundingModeAttr,
            SignednessAttr, SymbolVisibilityAttr>(
          [](auto attr) { return uint32_t(attr.getValue()); })
      .Case([](IntegerAttr attr) { return uint32_t(attr.getInt()); });
}
