# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation testing for the GPU compiler: would the tests notice a mistake?

Each mistake is an edit of one place in tilewright/nvidia. A copy of the file is compiled with it and
linked with everything else that was built, into a separate program; neither the sources nor the
build change. Then the tests run on that program until one fails, which is printed. Without a mistake
all must pass. The exit status is 1 if a mistake is not found, or if an edit no longer applies.

    ./dev build && .venv/bin/python scripts/planted_mistakes.py [--only TEXT]
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = ROOT / "tilewright/nvidia"
SECONDS = 600  # a test that takes longer is reported as endless


@dataclass
class Mistake:
    name: str
    file: str
    right: str
    wrong: str


MISTAKES = [
    Mistake("no barrier before shared memory is filled", "emit/SharedMemory.cpp",
            "    b.barrier();\n    write(given, part);", "    write(given, part);"),
    Mistake("no barrier before shared memory is read", "emit/SharedMemory.cpp",
            "    write(given, part);\n    b.barrier();", "    write(given, part);"),
    Mistake("no barrier before operands are written", "emit/Operands.cpp",
            "  if (exchanged)\n    b.barrier();\n", ""),
    Mistake("no barrier before operands are multiplied", "emit/Operands.cpp",
            "  b.barrier();\n  if (isAhead)", "  if (isAhead)"),
    Mistake("no barrier before the first copies of a loop", "emit/Operands.cpp",
            "return keepAll(pipeline, runs);\n  b.barrier();", "return keepAll(pipeline, runs);"),
    Mistake("a group of copies more may be on its way", "emit/Operands.cpp",
            "pipeline->second.laterGroups());", "pipeline->second.laterGroups() + 1);"),
    Mistake("copies for at once may be on their way", "emit/Operands.cpp",
            "waitForGroups(b, isCopied ? 0 :", "waitForGroups(b, isCopied ? 1 :"),
    Mistake("copies into the stage that is read", "emit/Operands.cpp",
            "copyAhead(product, b.add(above, b.i32(-1)));", "copyAhead(product, b.add(above, b.i32(0)));"),
    Mistake("wgmma without a proxy fence", "emit/Operands.cpp",
            "  if (product.form.isOfWarpgroup())\n    b.instruction(\"fence.proxy.async.shared::cta;\");\n", ""),
    Mistake("kept operands of wgmma without a proxy fence", "emit/Operands.cpp",
            "  waitForGroups(b, 0);\n  b.instruction(\"fence.proxy.async.shared::cta;\");\n", "  waitForGroups(b, 0);\n"),
    Mistake("stages are full too early", "emit/Rings.cpp",
            "ring.stages ? 1 : plan.threads / 32;", "ring.stages ? 1 : 1;"),
    Mistake("stages are never released", "emit/Rings.cpp",
            "mbarrier.arrive.shared::cta.b64 _, [$0];\"", "mov.b32 $0, $0;\""),
    Mistake("the producer waits for the wrong phase", "emit/Rings.cpp",
            "role == Role::Producer ? 1 : 0", "role == Role::Producer ? 0 : 0"),
    Mistake("consumers do not wait", "emit/Rings.cpp",
            "  waitFor(barrierOf(ring, stage, /*isEmpty=*/false), read(b, state, 1));\n", ""),
    Mistake("the parity never changes", "emit/Rings.cpp",
            "b.select(isLast, other, parity)", "parity"),
    Mistake("a box per panel begins at the first one", "emit/Rings.cpp",
            "b.add(at[0], b.i32(panel * map.box[0]))", "b.add(at[0], b.i32(0 * panel))"),
    Mistake("tiles outside of an array are inside", "emit/Rings.cpp",
            "b.select(b.isBelow(axis.first, axis.extent), first, b.i32(-(int64_t(1) << 30)))", "first"),
    Mistake("loads that follow a store are copied ahead by the producer", "plan/PlanRoles.cpp",
            "    if (!access.isLoad() || !access.isWeak())\n      return false;\n", ""),
    Mistake("any padding is zero", "plan/PlanRoles.cpp",
            "if (fill && fill->bits != 0)", "if (false)"),
    Mistake("reshaped tiles are copied by boxes", "plan/PlanRoles.cpp",
            "shape[inRow] * elementBytes != image.rowBytes || shape[*across] != image.rows", "false"),
    Mistake("strides need no alignment", "plan/PlanRoles.cpp",
            "if (dim != contiguous && !isDivisible(stride, bytes))", "if (false && !isDivisible(stride, bytes))"),
    Mistake("values of a later iteration stay", "emit/Operands.cpp",
            "    tiles.define(value, scalar);", "    (void)value;"),
    Mistake("copies before a store that their token comes after", "plan/PlanStaging.cpp",
            "      if (hasEffects)\n        return false;\n", ""),
    Mistake("copies before a fence", "plan/PlanStaging.cpp",
            "return isFence(op) || (access && !isWeakLoad(op));", "return access && !isWeakLoad(op);"),
    Mistake("copies before the loop in spite of its stores", "plan/PlanStaging.cpp",
            "  if (!loads.hasEffects)\n    operand.load", "  operand.load"),
    Mistake("copies that nobody waits for", "emit/Operands.cpp",
            "  b.barrier();\n  b.branch(runs, [&] { llvm::for_each(pipeline.products, [&](auto product) { keep(product); }); });\n  b.forEach(",
            "  b.barrier();\n  b.branch({}, [&] { llvm::for_each(pipeline.products, [&](auto product) { keep(product); }); });\n  b.forEach("),
    Mistake("a load after a store that may change it", "plan/PlanStaging.cpp",
            "if (!tile::onlyComputes(op) && !isWeakLoad(op))\n      return false;", "(void)op;"),
    Mistake("no barrier between accesses that tokens order", "emit/BodyEmitter.cpp",
            "  if (plan.barriers.contains(op) && role != Role::Producer)\n    b.barrier();\n", ""),
    Mistake("a token edge lost at loops", "plan/PlanBarriers.cpp",
            "define(body.getArguments(), earlier);", "define(body.getArguments(), {});"),
    Mistake("the accesses of a loop are forgotten", "plan/PlanBarriers.cpp",
            "  Accesses earlier = inside.lookup(loop);", "  Accesses earlier;"),
    Mistake("the barrier of one branch counts for both", "plan/PlanBarriers.cpp",
            "since = std::min(since, other.since);", "since = std::max(since, other.since);"),
    Mistake("a token edge lost from loads to stores", "plan/PlanBarriers.cpp",
            "writes(later) || store || orderedLoad", "store || orderedLoad"),
    Mistake("no barrier before the memory of an alloca is used again", "plan/PlanBarriers.cpp",
            "earlier && isRepeated)\n    wait(op, earlier, path);", "earlier && isRepeated)\n    (void)path;"),
    Mistake("stores whatever their mask says", "emit/PredicatedAccess.cpp", '"@$0 st"', '"st"'),
    Mistake("elements of other layouts together", "emit/BodyEmitter.cpp",
            "!isPart || !hasItsLayout(op.getResult(0))", "!isPart || (!hasItsLayout(op.getResult(0)) && false)"),
    Mistake("elementwise operations late", "emit/BodyEmitter.cpp",
            "      emitSoFar();\n    if (!isPart) {", "      (void)emitSoFar;\n    if (!isPart) {"),
    Mistake("a product in place of sums that others read", "emit/Tiles.cpp",
            "carried && carried.hasOneUse() &&", "carried &&"),
    Mistake("a product in place of what an inner loop begins with", "emit/Tiles.cpp",
            " && carried.getParentBlock() == product->getBlock();", ";"),
    Mistake("a piece of sums is not written back", "emit/MatrixProducts.cpp",
            "copyPiece(product, piece, sums, /*isBack=*/true);", "(void)sums;"),
    Mistake("every piece is the first", "emit/MatrixProducts.cpp",
            "product.slotsOf(piece.batch, piece.firstRow + i, j)", "product.slotsOf(piece.batch, i, j)"),
    Mistake("every thread is the owner", "emit/Tiles.cpp",
            "  if (!layout.isReplicated())\n    return {};", "  return {};"),
    Mistake("the last holder is the owner", "emit/Tiles.cpp",
            "  return b.isEqual(unused, b.i32(0));",
            "  return b.isEqual(unused, b.i32(layout.unusedThreadBits() >> 1));"),
    Mistake("numbers of threads for slots", "emit/Tiles.cpp",
            "if (first.isThread == isThread)", "if (first.isThread != isThread)"),
    Mistake("lanes and slots of a rearrangement swapped", "plan/PlanLayouts.cpp",
            "slots.push_back({wanted.bit, held.bit});", "slots.push_back({held.bit, wanted.bit});"),
    Mistake("what other threads hold is taken for one's own", "plan/PlanLayouts.cpp",
            "if (held.isThread ? wanted != held : wanted.isThread)", "if (wanted.isThread != held.isThread)"),
    Mistake("an access in its layout is exchanged with the wrong one", "emit/Views.cpp",
            "  bool isHeld = layout == region.layout && !isScalar(tile);", "  bool isHeld = !isScalar(tile);"),
    Mistake("fragments of lhs with rows swapped", "emit/MatrixProducts.cpp",
            "b.add(row, b.modulo(lane, 16))", "b.add(row, b.createOrFold<arith::XOrIOp>(b.modulo(lane, 16), b.i32(8)))"),
    Mistake("fragments of rhs not transposed", "emit/MatrixProducts.cpp",
            "return loadFragments(operands.addressIn(matrix, row, byte), true);",
            "return loadFragments(operands.addressIn(matrix, row, byte), false);"),
    Mistake("even and odd columns swapped", "emit/MatrixProducts.cpp", "{0x6420, 0x7531}", "{0x7531, 0x6420}"),
    Mistake("edges of tensors unmasked by one", "emit/Views.cpp",
            "b.isBelow(coordinate, axis.extent)", "b.isBelow(coordinate, b.add(axis.extent, b.i64(1)))"),
    Mistake("runs over an edge that is no multiple", "emit/Views.cpp",
            "isMultiple(axis.extent, width), isInside", "b.constantBits(b.getI1Type(), 1), isInside"),
    Mistake("unaligned runs", "emit/Views.cpp",
            "  holds = b.conjunction(holds, isMultiple(axis.first, width));\n", ""),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="(%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="mistakes whose name has it")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    missed = 0
    chosen = [mistake for mistake in MISTAKES if arguments.only in mistake.name]
    with tempfile.TemporaryDirectory(prefix="tilewright-planted-") as folder:
        right = Mistake("", chosen[0].file, "", "") if chosen else sys.exit("no mistake has that name")
        if found := plant(right, build, pathlib.Path(folder)):
            sys.exit(f"{found} fails without a mistake")
        for mistake in chosen:
            found = plant(mistake, build, pathlib.Path(folder))
            missed += found is None
            print(f"| {mistake.name} | `{mistake.file}` | {found or 'NOT FOUND'} |", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} mistakes found")
    return 1 if missed else 0


def plant(mistake: Mistake, build: pathlib.Path, folder: pathlib.Path) -> str | None:
    """The first test that fails. A mistake without text changes nothing."""
    source = SOURCES / mistake.file
    text = source.read_text()
    if mistake.right and text.count(mistake.right) != 1:
        sys.exit(f"{source}: expected once, but found {text.count(mistake.right)} times:\n{mistake.right}")
    edited, object_file, program = folder / source.name, folder / "edited.o", folder / "tilewright"
    edited.write_text(text.replace(mistake.right, mistake.wrong) if mistake.right else text)
    commands = json.loads((build / "compile_commands.json").read_text())
    compile_it = next(c["command"] for c in commands if c["file"] == str(source))
    words = shlex.split(compile_it.replace(str(source), str(edited)))
    words[words.index("-o") + 1] = str(object_file)
    subprocess.run(words, cwd=build, check=True)
    link(build, object_file, program)
    for name, command in tests(build, program, folder):
        found = how_it_fails(command)
        if found is not None:
            return name + found
    return None


def link(build: pathlib.Path, object_file: pathlib.Path, program: pathlib.Path) -> None:
    """Links the edited file's object before the libraries, so that its definitions take precedence."""
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", "bin/tilewright"], check=True,
                            capture_output=True, text=True).stdout.splitlines()[-1]
    words = shlex.split(listed.removeprefix(": && ").removesuffix(" && :"))
    place = words.index("-o")
    words[place:place + 2] = [str(object_file), "-o", str(program)]
    subprocess.run(words, cwd=build, check=True)


def tests(build: pathlib.Path, program: pathlib.Path, folder: pathlib.Path):
    """Test names and commands, fast ones first."""
    llvm = subprocess.run(["llvm-config-22", "--bindir"], check=True, capture_output=True, text=True)
    lit = pathlib.Path(llvm.stdout.strip()) / "lit"
    test, python = ROOT / "test", sys.executable
    lit_test = [lit, "-q", "--param", f"tilewright={program}"]
    for name in ("order", "one-pointer", "layouts", "products", "pipelines"):
        yield f"`test/nvidia/{name}.test`", [*lit_test, build / "test/nvidia" / f"{name}.test"]
    yield "`differential-ptx`", [
        python, test / "differential/run.py", "--programs", folder, "--count", "120", "--seed", "12",
        "--devices", "reference,ptx", "--schedules", "up,down,random", "--targets", "sm_80,sm_90a",
        "--sample", "2"]
    yield "`conformance-sm80`", [python, test / "conformance/run.py", "--programs", folder, "--device",
                                 "ptx", "--target", "sm_80", "--schedule", "random", "--share", "1/4"]
    for file in sorted((test / "ops").glob("*.mlir")):
        if "// CASE" in file.read_text():
            yield f"`test/ops/{file.name}`", [python, test / "case_runner.py", file, "--tilewright",
                                              program, "--on", "ptx"]


def how_it_fails(command: list) -> str | None:
    """A suffix for the name of a test that fails; None if it passes."""
    try:
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f", which does not end in {SECONDS} s"
    return "" if ended.returncode else None


if __name__ == "__main__":
    sys.exit(main())
