# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes that `tilewright diff` shall locate, with a kernel that shows each: see located_mistakes.py."""

from dataclasses import dataclass

from mistakes import Mistake, cpu, nvidia

# The arguments of the kernels in test/diff/Inputs/.
LAUNCHES = {
    "atomics": ["4", "random(128xi32;seed=1)", "zeros(32xi32)", "zeros(1xi32)"],
    "bytes": ["1", "random(32x64xi8;seed=1)", "random(64x32xi8;seed=2)", "zeros(32x32xi32)"],
    "conversions": ["2", "random(128xi32;seed=1)", "random(128xf32;seed=2)", "zeros(128xi32)", "zeros(128xf32)"],
    "edges": ["4,4", "random(31x64xf32;seed=1)", "zeros(31x64xf32)"],
    "floats": ["2", "random(128xf32;seed=1)", "random(128xf32;seed=2)", "zeros(128xf32)"],
    "folds": ["2", "random(128xi32;seed=1)", "random(128xf32;seed=2)", "zeros(128xi32)", "zeros(128xf32)"],
    "integers": ["2", "random(128xi32;seed=1)", "random(128xi32;seed=2)", "zeros(128xi32)"],
    "loops": ["1", "random(128xi32;seed=1)", "zeros(128xi32)"],
    "pointers": ["1", "random(64xi32;seed=1)", "zeros(64xi32)", "zeros(64xi32)"],
    "products": ["1", "random(64x64xf16;seed=1)", "random(64x64xf16;seed=2)", "zeros(64x64xf32)"],
    "transposes": ["1", "random(32x64xf32;seed=1)", "zeros(64x32xf32)"],
}


@dataclass
class Located:
    """A mistake of a compiler, and the operation that it makes wrong in a kernel."""

    compiler: str
    mistake: Mistake
    kernel: str
    operation: str  # The line that is reported must contain this text.
    device: str


def known(compiler, name: str) -> Mistake:
    """A mistake that the tests find, too."""
    return next(mistake for mistake in compiler.MISTAKES if mistake.name == name)


def both(name: str, file: str, right: str, wrong: str, kernel: str, operation: str, device: str) -> Located:
    """A mistake of the lowering that both compilers share; it is planted into a build for one device."""
    return Located("cpu", Mistake(name, f"../elementwise/{file}.cpp", right, wrong), kernel, operation, device)


def on_cpu(name: str, kernel: str, operation: str) -> Located:
    return Located("cpu", known(cpu, name), kernel, operation, "cpu")


def on_ptx(name: str, kernel: str, operation: str, target: str = "sm_80") -> Located:
    return Located("nvidia", known(nvidia, name), kernel, operation, f"ptx:{target}")


LOCATED = [
    both("mulhii keeps a bit too many", "ArithmeticInteger", ">> bits);", ">> (bits - 1));", "integers", "mulhii", "cpu"),
    both("absi negates positive numbers", "ArithmeticInteger", "select(less(in[0], 0), -in[0], in[0])",
         "select(less(in[0], 0), in[0], -in[0])", "integers", "absi", "ptx"),
    both("maxi of signed numbers is unsigned", "ArithmeticInteger", "bySign<arith::MaxSIOp, arith::MaxUIOp>",
         "bySign<arith::MaxUIOp, arith::MaxUIOp>", "integers", "maxi", "cpu"),
    both("mini of unsigned numbers is signed", "ArithmeticInteger", "bySign<arith::MinSIOp, arith::MinUIOp>",
         "bySign<arith::MinSIOp, arith::MinSIOp>", "integers", "mini", "ptx"),
    both("shifts of negative numbers fill with zeros", "ArithmeticInteger", "value.apply<arith::ShRSIOp>",
         "value.apply<arith::ShRUIOp>", "integers", "shri", "cpu"),
    both("quotients are rounded down twice", "ArithmeticInteger", "inexact & negative)", "inexact)", "integers", "divi %c", "ptx"),
    both("quotients of opposite signs are rounded up", "ArithmeticInteger", "inexact & !negative)", "inexact & negative)",
         "integers", "divi %d", "cpu"),
    both("remainders have the wrong sign", "ArithmeticInteger", "lhs - truncated * rhs", "truncated * rhs - lhs",
         "integers", "remi", "ptx"),
    both("magnitudes of halves lose a bit", "ArithmeticFloat", "source & 0x7FFF", "source & 0x7FFE", "floats", "absf", "cpu"),
    both("negated halves keep their sign", "ArithmeticFloat", "source ^ 0x8000", "source ^ 0x0000", "floats", "negf", "ptx"),
    both("ceil rounds down", "ArithmeticFloat", "toInteger<mlir::LLVM::FCeilOp>", "toInteger<mlir::LLVM::FFloorOp>",
         "floats", "ceil", "cpu"),
    both("fma adds nothing", "ArithmeticFloat", "return fusedMultiplyAdd(in[0], in[1], in[2]);", "return in[0] * in[1];",
         "floats", "fma", "ptx"),
    both("directed differences are sums", "ArithmeticFloat", "addDirected(rounding, in[0], emitNegation(in[1]))",
         "addDirected(rounding, in[0], in[1])", "floats", "subf %a, %b", "cpu"),
    both("exp is exp2", "ArithmeticFloat", "call(MathFunction::Exp, op", "call(MathFunction::Exp2, op", "floats", "exp", "cpu"),
    both("log is log2", "ArithmeticFloat", "call(MathFunction::Log, op", "call(MathFunction::Log2, op", "floats", "log", "ptx"),
    both("tanh is sinh", "ArithmeticFloat", "call(MathFunction::Tanh, op", "call(MathFunction::Sinh, op", "floats", "tanh", "cpu"),
    both("unordered comparisons are ordered", "ArithmeticFloat", "FloatPredicate::OLT : FloatPredicate::ULT",
         "FloatPredicate::OLT : FloatPredicate::OLT", "floats", "cmpf less_than unordered", "ptx"),
    both("sign extension of bytes fills with zeros", "ArithmeticConversion", "Signedness::Signed ? signedTo(bits, source)",
         "Signedness::Signed ? unsignedTo(bits, source)", "conversions", "exti", "cpu"),
    both("signed numbers are converted as unsigned", "ArithmeticConversion",
         "return isSigned ? integer.convert<arith::SIToFPOp>(type)", "return false ? integer.convert<arith::SIToFPOp>(type)",
         "conversions", "itof", "ptx"),
    both("saturated numbers are one less than the largest value", "ArithmeticConversion", "number, int64_t(all ^ least))",
         "number, int64_t(all ^ least) - 1)", "conversions", "ftoi", "cpu"),
    on_cpu("reverse scans go forwards", "folds", "scan"),
    on_cpu("chunks do not know of earlier ones", "folds", "scan"),
    on_cpu("prefixes of a chunk go by half the distance", "folds", "scan"),
    on_cpu("one lane too many at the edge", "edges", "load_view_tko"),
    on_cpu("disabled elements are zero instead of their padding", "pointers", "load_ptr_tko"),
    on_cpu("signed bytes without corrections", "bytes", "mmai"),
    on_cpu("blocks are transposed into each other", "transposes", "permute"),
    on_cpu("carried tiles are assigned one after the other", "loops", "for %i"),
    on_cpu("unsigned loops compare as signed", "loops", "for unsigned"),
    on_cpu("a loop's last partial step is left out", "loops", "for %i"),
    on_cpu("unsigned atomics compare as signed", "atomics", "atomic_rmw_tko"),
    on_ptx("fragments of lhs with rows swapped", "products", "mmaf"),
    on_ptx("fragments of rhs not transposed", "products", "mmaf"),
    on_ptx("edges of tensors unmasked by one", "edges", "load_view_tko"),
    on_ptx("stores whatever their mask says", "pointers", "store_ptr_tko"),
    on_ptx("every thread is the owner", "atomics", "atomic_rmw_tko"),
]
