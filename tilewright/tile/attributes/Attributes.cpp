// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated parts of the attributes. Their rules are in AssumePredicates.cpp, Hints.cpp and
// DebugInfo.cpp.

#include "tilewright/tile/attributes/Attributes.h"
#include "tilewright/numerics/Modes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

#include "tilewright/tile/attributes/AttributeInterfaces.cpp.inc"
#include "tilewright/tile/attributes/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tilewright/tile/attributes/Attributes.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tilewright/tile/attributes/Attributes.cpp.inc"
      >();
}

// `numerics` does not use IR, but has the same enumerations; see Arithmetic.h.
#define SAME_VALUE(ENUM, MEMBER)                                                                   \
  static_assert(uint32_t(tile::ENUM::MEMBER) == uint32_t(numerics::ENUM::MEMBER))
SAME_VALUE(RoundingMode, NearestEven);
SAME_VALUE(RoundingMode, Zero);
SAME_VALUE(RoundingMode, NegativeInf);
SAME_VALUE(RoundingMode, PositiveInf);
SAME_VALUE(RoundingMode, Approx);
SAME_VALUE(RoundingMode, Full);
SAME_VALUE(RoundingMode, NearestIntToZero);
SAME_VALUE(RoundingMode, NearestAway);
SAME_VALUE(Signedness, Unsigned);
SAME_VALUE(Signedness, Signed);
#undef SAME_VALUE
#define SAME_VALUE(ENUM, OTHER, MEMBER)                                                            \
  static_assert(uint32_t(tile::ENUM::MEMBER) == uint32_t(numerics::OTHER::MEMBER))
SAME_VALUE(IntegerOverflow, Overflow, None);
SAME_VALUE(IntegerOverflow, Overflow, NoSignedWrap);
SAME_VALUE(IntegerOverflow, Overflow, NoUnsignedWrap);
SAME_VALUE(IntegerOverflow, Overflow, NoWrap);
SAME_VALUE(ComparisonPredicate, Predicate, Equal);
SAME_VALUE(ComparisonPredicate, Predicate, NotEqual);
SAME_VALUE(ComparisonPredicate, Predicate, LessThan);
SAME_VALUE(ComparisonPredicate, Predicate, LessThanOrEqual);
SAME_VALUE(ComparisonPredicate, Predicate, GreaterThan);
SAME_VALUE(ComparisonPredicate, Predicate, GreaterThanOrEqual);
SAME_VALUE(ComparisonOrdering, Ordering, Unordered);
SAME_VALUE(ComparisonOrdering, Ordering, Ordered);
#undef SAME_VALUE
