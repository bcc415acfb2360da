# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes of the CPU compiler."""

import pathlib
import sys

from mistakes import ROOT, Mistake, case_files, lit_tests

MISTAKES = [
    # Live ranges and buffers.
    Mistake("a buffer ends with the definition of its value", "plan/Arena.cpp",
            "      last = std::max(last, order.endOf(here));\n", "      (void)here;\n"),
    Mistake("readers in lane-shuffle programs are forgotten", "plan/Arena.cpp",
            "  llvm::for_each(networks.readersOf(value), readAt);\n  return lastReads[value] = last;",
            "  return lastReads[value] = last;"),
    Mistake("a member's reads end at its own place", "plan/Arena.cpp",
            "readAt(placeOf(reader)); });\n  llvm::for_each", "readAt(reader); });\n  llvm::for_each"),
    Mistake("initial values share the buffer of a carried tile that is still read", "plan/Arena.cpp",
            "  return isOver;", "  return true;"),
    Mistake("scratch memory of a loop's product lives for one iteration", "plan/Arena.cpp",
            "    first = order.numberOf(op->getParentOp());\n    last = order.endOf(op->getParentOp());\n", ""),
    Mistake("buffers overlap by a part", "plan/Arena.cpp",
            "offset + buffer->bytes > (*at)->offset", "offset + buffer->bytes / 2 > (*at)->offset"),
    # Placement.
    Mistake("carried operands are overwritten before they are read", "plan/PlaceValues.cpp",
            "      keepOverwrittenOperands(carry);\n", ""),
    Mistake("tiles are updated in place while others read the old value", "plan/PlaceValues.cpp",
            "    if (isReadOnlyBy(carried, update))\n", "    if (update)\n"),
    Mistake("loads move to their product over stores", "plan/PlaceValues.cpp",
            "return isOperand && order.mayMove(load, use.user) ? use.user : nullptr;",
            "return isOperand ? use.user : nullptr;"),
    Mistake("values that later loops read stay in a register", "plan/PlaceValues.cpp",
            "    inLoop &= group.contains(reader) && group.loopOf(reader) == loop;\n",
            "    inLoop &= group.contains(reader);\n"),
    Mistake("values that are read after a group keep one row", "plan/PlaceValues.cpp",
            "    inGroup &= group.contains(reader);\n", "    inGroup &= group.contains(reader) || loop == 0;\n"),
    # Fusion groups.
    Mistake("groups reorder accesses that tokens order", "plan/FusionGroups.cpp",
            "           analysis::isOrderedAfter(access.getTokenBefore(), member);", "           false;"),
    Mistake("stores need no order after loads", "plan/FusionGroups.cpp",
            "(earlier.isStore() || access.isStore()) &&", "earlier.isStore() &&"),
    Mistake("members read other rows of their group", "plan/FusionGroups.cpp",
            "    return wide == expected;", "    return wide.size() == expected.size();"),
    Mistake("a reduction is read in its own loop", "plan/FusionGroups.cpp",
            "    afterReduction |=\n        llvm::isa<tile::ReduceOp>(op) && llvm::is_contained(group->loops.back().members, op);\n",
            ""),
    Mistake("permutations of the group's results join it", "plan/FusionGroups.cpp",
            "  if (llvm::isa<tile::PermuteOp, tile::ExtractOp>(op))\n    return !dependsOnGroup(op);\n", ""),
    Mistake("scans of both directions in one loop", "plan/FusionGroups.cpp",
            "    afterReduction |= group->loops.back().isReverse() == !scan.getReverse();\n", "    (void)scan;\n"),
    Mistake("bodies of aggregates may read the group", "plan/FusionGroups.cpp",
            "  if (capturesFromGroup(op))\n    return false;\n", ""),
    Mistake("shared rows are read along any dimension", "plan/FusionGroups.cpp",
            "      if (wide != SmallVector<int64_t>({group->innerDim}))\n        unshared.insert(op);\n", ""),
    # Reductions and scans.
    Mistake("the identity of every reduction is zero", "plan/Folds.cpp",
            "  if (isNeutral(0))\n    return 0;", "  return 0;"),
    Mistake("prefixes of a chunk go by half the distance", "emit/folds/Scans.cpp",
            "bool isThere = number >= distance;", "bool isThere = number > distance;"),
    Mistake("chunks do not know of earlier ones", "emit/folds/Scans.cpp",
            "    prefix = bodies.emit(body, b.splat(last, chunk), prefix)[0];", "    prefix = b.splat(last, chunk);"),
    Mistake("reverse scans go forwards", "emit/folds/Scans.cpp",
            "      if (op.getReverse())\n        at = arith::SubIOp::create(b, b.i64(shape[dim] - 1), at);\n", ""),
    Mistake("trees combine later with earlier elements", "emit/folds/Reductions.cpp",
            "bodies.emit(body, later, earlier)", "bodies.emit(body, earlier, later)"),
    Mistake("chains are combined with the wrong one", "emit/folds/LoopReductions.cpp",
            "values[chain + count / 2], values[chain]", "values[chain + count / 2], values[chain + count / 2]"),
    Mistake("NaNs of float maxima lie between numbers", "emit/folds/Ranks.cpp",
            "return nansAreAbove ? -nansOfASign : nansOfASign;", "return nansAreAbove ? nansOfASign : -nansOfASign;"),
    # Views, pointers, masks.
    Mistake("the last row of a tile may be outside", "emit/ViewAccess.cpp",
            "Value last = b.add(axis.first, b.i64(axis.tileExtent - 1));",
            "Value last = b.add(axis.first, b.i64(std::max<int64_t>(axis.tileExtent - 2, 0)));"),
    Mistake("every unknown stride is one", "emit/ViewAccess.cpp",
            "    if (row >= 0 && !region.access->axes[row].stride)\n      all =",
            "    if (row >= 0 && !region.access->axes[row].stride && false)\n      all ="),
    Mistake("one lane too many at the edge", "emit/ViewAccess.cpp",
            "laneMask = firstLanes(b, LLVM::USubSat::create(b, axis.extent, coordinate), width);",
            "laneMask = firstLanes(b, b.add(LLVM::USubSat::create(b, axis.extent, coordinate), b.i64(1)), width);"),
    Mistake("iterations at the edge are whole", "emit/ViewAccess.cpp",
            "                                       b.i64(rule.step)),\n                b.i64(1)),",
            "                                       b.i64(rule.step)),\n                b.i64(2)),"),
    Mistake("sparse coordinates are signed", "emit/ViewAccess.cpp",
            "coordinate = arith::ExtUIOp::create(b, wide, coordinate);",
            "coordinate = arith::ExtSIOp::create(b, wide, coordinate);"),
    Mistake("masks of whole rows are not tested", "emit/PointerAccess.cpp",
            "    found.isWhole = b.conjunction(found.isWhole, evaluator.evaluate(splat, first));\n",
            "    (void)splat;\n"),
    Mistake("a row whose addresses wrap around is contiguous", "emit/PointerAccess.cpp",
            "arith::CmpIPredicate::eq, distance,", "arith::CmpIPredicate::sle, distance,"),
    Mistake("disabled elements are zero instead of their padding", "emit/MemoryAccess.cpp",
            "padding ? toWord(b, b.getLoc(), padding) : b.constantBits(type, 0);", "b.constantBits(type, 0);"),
    Mistake("the lanes of a mask are lost", "emit/MemoryAccess.cpp",
            "b.conjunction(lhs.lanes, rhs.lanes)};", "lhs.lanes ? lhs.lanes : rhs.lanes};"),
    Mistake("halves of bytes overwrite each other", "emit/MemoryAccess.cpp",
            "arith::XOrIOp::create(b, mine, b.constantBits(word, 0xFF))", "b.constantBits(word, 0)"),
    # Products.
    Mistake("packed operands of other tiles are used", "emit/matmul/SharedFactors.cpp",
            "Value other = compare(b, arith::CmpIPredicate::ne, found, key);",
            "Value other = compare(b, arith::CmpIPredicate::ult, found, key);"),
    Mistake("cached operands may be stored to", "plan/FactorSlots.cpp",
            "  if (!shared || llvm::any_of(shared->loaded, isStored))\n", "  (void)isStored;\n  if (!shared)\n"),
    Mistake("operands are cached by fewer keys", "plan/SharedFactors.cpp",
            "    return llvm::all_of(load.getIndex(), [&](Value index) { return follow(index); });",
            "    return follow(load.getIndex().front());"),
    Mistake("the last iterations are not multiplied", "emit/matmul/Matmul.cpp",
            "                                        is(frame.loops.back().left, 1));",
            "                                        is(frame.loops.back().left, 0));"),
    Mistake("signed bytes without corrections", "emit/matmul/Matmul.cpp",
            "sum = arith::SubIOp::create(b, sum, corrections[vector]);", "(void)corrections;"),
    Mistake("corrections of the previous product stay", "emit/matmul/MatmulOperands.cpp",
            "    if (operand == 1 && product.corrections)\n      clearCorrections(product);\n", ""),
    Mistake("lhs is read in the tensor wherever it lies", "emit/matmul/MatmulOperands.cpp",
            "    inTensor = b.conjunction(inTensor, isBehind);\n", "    (void)isBehind;\n"),
    Mistake("scales of the next block", "emit/matmul/MatmulOperands.cpp",
            "b.i64(scaleBlock(mma, operand)));", "b.i64(scaleBlock(mma, operand) / 2));"),
    # Transposes, control flow, order.
    Mistake("blocks are transposed into each other", "emit/Transposes.cpp",
            "position.at[form.sourceRow] = b.add(column, b.i64(i));",
            "position.at[form.sourceRow] = b.add(column, b.i64(i ^ 1));"),
    Mistake("carried tiles are assigned one after the other", "plan/Scratch.cpp",
            "operand.getParentBlock() == carried.getOwner() && operand != carried)",
            "operand.getParentBlock() == carried.getOwner() && operand != carried && false)"),
    Mistake("unsigned loops compare as signed", "../emit/Iterations.cpp",
            "op.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt",
            "op.getUnsignedCmp() ? arith::CmpIPredicate::slt : arith::CmpIPredicate::slt"),
    Mistake("a loop's last partial step is left out", "../emit/Iterations.cpp",
            "b.add(whole, b.i64(1))", "b.add(whole, b.i64(0))"),
    Mistake("iterations over whole tiles repeat the last one", "emit/ControlFlow.cpp",
            "jumpIf(arith::CmpIPredicate::ugt, again[0], rest,", "jumpIf(arith::CmpIPredicate::uge, again[0], rest,"),
    Mistake("one block of rows is left out", "emit/ControlFlow.cpp",
            "arith::CmpIPredicate::ult, next, b.i64(rows.blocks()));",
            "arith::CmpIPredicate::ult, next, b.i64(rows.blocks() - 1));"),
    # Atomics.
    Mistake("atomics in device scope are plain", "plan/Accesses.cpp",
            "if (isExchange || op.getScope() != tile::MemoryScope::TileBlock)", "if (isExchange)"),
    Mistake("unsigned atomics compare as signed", "emit/Atomics.cpp",
            "    return LLVM::AtomicBinOp::umax;", "    return LLVM::AtomicBinOp::max;"),
    Mistake("unsigned minima in block scope compare as signed", "emit/Atomics.cpp",
            "return selected(arith::CmpIPredicate::ult);", "return selected(arith::CmpIPredicate::slt);"),
]


def tests(build: pathlib.Path, program: pathlib.Path, folder: pathlib.Path):
    """Test names and commands, fast ones first."""
    python, differential = sys.executable, ROOT / "test/differential/run.py"

    def random_programs(name: str, seed: str, count: int):
        return f"`{name}`", [python, differential, "--programs", folder, "--count", str(count), "--seed",
                             seed, "--devices", "reference,cpu", "--levels", "2", "--threads", "2",
                             "--cpus", "native,x86-64-v3"]
    yield from lit_tests(build, program, tuple(f"cpu/{name}" for name in (
        "edges", "networks", "groups", "scans", "reductions", "pointers", "pointer-rows", "row-loops", "product",
        "shared-factors", "shared-rows", "loops-in-place", "turns", "sorts", "atomics", "selections")))
    yield random_programs("differential", "11", 200)
    yield random_programs("differential-launches", "14-launches", 120)
    yield random_programs("differential-matrices", "16-matrices", 120)
    yield random_programs("differential-warpgroups", "15-tiles", 40)
    yield from case_files(program, "cpu")
    yield "`conformance-cpu`", [python, ROOT / "test/conformance/run.py", "--programs", folder, "--device",
                                "cpu", "--share", "1/4"]
