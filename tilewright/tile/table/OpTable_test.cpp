// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the table with the specification. Numbers and versions are those of types, 7 and 12, and
// of bytecode format, 12.

#include "tilewright/tile/table/OpTable.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace tilewright::tile;

static const TypeRow *rowOf(llvm::ArrayRef<TypeRow> rows, llvm::StringRef mnemonic) {
  const TypeRow *row =
      llvm::find_if(rows, [&](const TypeRow &r) { return r.mnemonic == mnemonic; });
  return row == rows.end() ? nullptr : row;
}

TEST(OpTable, HasTheOpcodesAndVersionsOfTheBytecodeFormat) {
  EXPECT_EQ(allOps().size(), 108u);
  EXPECT_EQ(findOp("absf")->opcode, 0x00u);
  EXPECT_EQ(findOp("exti")->opcode, 0x25u); // the first one after a gap
  EXPECT_EQ(findOp("iota")->opcode, 0x3Au); // likewise
  EXPECT_EQ(findOp("yield")->opcode, 0x6Du);
  EXPECT_EQ(findOp("atan2")->since, (Version{13, 2}));
  EXPECT_EQ(findOp("atomic_red_view_tko")->opcode, 0x75u);
  EXPECT_EQ(findOp("atomic_red_view_tko")->since, (Version{13, 3}));
  EXPECT_EQ(findOp("insert")->opcode, 0x76u);
  EXPECT_EQ(findOp("memory_fence_alias_tko")->opcode, 0x7Au);
  EXPECT_EQ(findOp("memory_fence_alias_tko")->since, (Version{13, 4}));
  EXPECT_EQ(findOp("multimem_store_view_tko")->opcode, 0x7Du);
  EXPECT_EQ(findOp("multimem_store_view_tko")->since, (Version{13, 5}));
  EXPECT_EQ(findOp("func"), nullptr);
}

TEST(OpTable, KnowsYoungerFields) {
  llvm::ArrayRef<FieldRow> fields = findOp("exp")->fields();
  ASSERT_EQ(fields.size(), 3u); // source, rounding_mode, result
  EXPECT_EQ(fields[1].name, "rounding_mode");
  EXPECT_EQ(fields[1].arity, Arity::Defaulted);
  EXPECT_EQ(fields[1].defaultValue, "Full");
  EXPECT_EQ(fields[1].since, (Version{13, 3}));
  EXPECT_EQ(fields[0].since, (Version{13, 1}));
}

TEST(OpTable, HasTheTagsOfTypes) {
  EXPECT_EQ(rowOf(allTypes(), "ptr")->tag, 12u);
  EXPECT_EQ(rowOf(allTypes(), "token")->tag, 17u);
  EXPECT_EQ(rowOf(allTypes(), "strided_view")->tag, 21u);
  EXPECT_EQ(rowOf(allTypes(), "strided_view")->since, (Version{13, 3}));
  EXPECT_EQ(rowOf(allElementTypes(), "i1")->tag, 0u);
  EXPECT_EQ(rowOf(allElementTypes(), "i4")->tag, 22u);
  EXPECT_EQ(rowOf(allElementTypes(), "f8E8M0FNU")->since, (Version{13, 2}));
  EXPECT_EQ(rowOf(allElementTypes(), "f8E5M3FNU")->tag, 130u);
  EXPECT_EQ(rowOf(allElementTypes(), "f8E5M3FNU")->since, (Version{13, 4}));
}

TEST(OpTable, HasTheMembersOfEnumerations) {
  auto valueOf = [](llvm::StringRef enumName, llvm::StringRef spelling) -> int64_t {
    for (const MemberRow &row : allEnumMembers())
      if (row.enumName == enumName && row.spelling == spelling)
        return row.value;
    return -1;
  };
  EXPECT_EQ(valueOf("RoundingMode", "nearest_int_to_zero"), 6);
  EXPECT_EQ(valueOf("AtomicRMWMode", "xchg"), 9);
  EXPECT_EQ(valueOf("MemoryOrderingSemantics", "acq_rel"), 4);
  EXPECT_EQ(valueOf("MemoryScope", "tl_blk"), 0);
  EXPECT_EQ(valueOf("PaddingValue", "neg_inf"), 4);
  EXPECT_EQ(valueOf("ComparisonOrdering", "ordered"), 1);
  EXPECT_EQ(valueOf("RoundingMode", "nearest_away"), 7);
  EXPECT_EQ(valueOf("PointerAttribute", "multicast"), 2);
  EXPECT_EQ(valueOf("MultimemReductionKind", "umax"), 7);
  EXPECT_EQ(valueOf("MultimemReductionKind", "xchg"), -1);
}

TEST(OpTable, KnowsTheReleasedVersions) {
  EXPECT_EQ(Version::parse("13.2"), (Version{13, 2}));
  EXPECT_EQ(Version::parse("13.5"), (Version{13, 5}));
  EXPECT_FALSE(Version::parse("13.6"));
  EXPECT_FALSE(Version::parse("13"));
}
