# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the instructions that the PTX machine accepts with those that ptxas accepts.

Enumerates opcodes with their modifiers and types, in combinations that the manual allows and in many that it
forbids. ptxas checks each for several targets: what it accepts for one of them is an instruction. The machine
checks the same lines (`ptx_tests --gtest_filter=Accepts.Lines`). Prints both kinds of differences; known ones
are in forms_known.txt.
"""

import argparse
import itertools
import os
import re
import subprocess
import tempfile

TARGETS = ["sm_75", "sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_120a"]
REGISTERS = """.reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .b128 %q<4>; .reg .pred %p<5>; .reg .b8 %b<4>;
.shared .align 128 .b8 sh[1024]; .local .align 16 .b8 loc[64];
"""
BITS = {"pred": "p", "8": "h", "16": "h", "32": "r", "64": "rd", "128": "q"}


def register(kind: str, number: int) -> str:
    """A register for a type: `%r1` for f32 and s32."""
    if kind == "pred":
        return f"%p{number % 4}"
    if "x" in kind and kind[0] != "." and kind.endswith(("x2", "x4")):
        base, count = kind[:-2], int(kind[-1])
        wide = {"f16": 16, "bf16": 16, "u16": 16, "s16": 16, "f32": 32, "e2m1": 4}.get(base, 8)
        bits = wide * count
        return f"%b{number % 4}" if bits == 8 else f"%{BITS[str(bits)]}{number}"
    bits = {"tf32": "32", "e4m3": "8", "e5m2": "8", "bf16": "16"}.get(kind) or re.sub(r"^[a-z]+", "", kind)
    return f"%{BITS[bits]}{number % 4 if bits == '128' else number}"


def choices(text: str) -> list[str]:
    """Expands braces, as in `.add{,.sat}.s32`; `{}` is empty."""
    parts = re.split(r"\{([^}]*)\}", text)
    options = [[part] if at % 2 == 0 else part.split(",") for at, part in enumerate(parts)]
    return ["".join(each) for each in itertools.product(*options)]


TYPES = {"pred", "b128"} | {k + str(b) for k in "bus" for b in (8, 16, 32, 64)} | {
    "f16", "bf16", "f32", "f64", "f16x2", "bf16x2", "u16x2", "s16x2", "f32x2", "tf32",
    "e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2", "e4m3x4", "e5m2x4", "e2m1x4", "e2m3x4", "e3m2x4"}


def typesOf(instruction: str) -> list[str]:
    return [word for word in instruction.split(".")[1:] if word in TYPES]


def fill(instruction: str, operands: str) -> str:
    """T is a register of the last type, F of the first, W of twice the bits of the last; V a vector of them."""
    types = typesOf(instruction) or ["b32"]
    last, first = types[-1], types[0]
    vector = next((int(v) for v in re.findall(r"\.v([248])\b", instruction)), 1)
    filled = []
    for number, operand in enumerate(operands.split()):
        if operand in "TFV" and operand != "":
            kind = first if operand == "F" else last
            if operand == "V" and vector > 1:
                filled.append("{" + ", ".join(register(kind, n + 1) for n in range(vector)) + "}")
            else:
                filled.append(register(kind, number + 1))
        elif operand.startswith("T|"):
            filled.append(register(last, number + 1) + operand[1:])
        elif operand == "W":
            wide = {"16": "b32", "32": "b64"}.get(re.sub(r"^[a-z]+", "", last), "b64")
            filled.append(register(wide, number + 1))
        else:
            filled.append(operand)
    return instruction + " " + ", ".join(filled) + ";"


INTEGERS = "{.u8,.s8,.u16,.u32,.u64,.s16,.s32,.s64,.b32,.u16x2,.s16x2}"
FLOATS = "{.f16,.f16x2,.bf16,.bf16x2,.f32,.f64,.f32x2}"
ROUND = "{,.rn,.rz,.rm,.rp}"
ANY = "{.b8,.b16,.b32,.b64,.b128,.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,.f16,.f16x2,.bf16,.f32,.f64}"
SCALARS = "{.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,.f16,.bf16,.f32,.f64,.tf32}"
SMALL = "{.f16x2,.bf16x2,.e4m3x2,.e5m2x2,.e2m1x2,.e2m3x2,.e3m2x2,.ue8m0x2}"
QUADS = "{.e4m3x4,.e5m2x4,.e2m1x4,.e2m3x4,.e3m2x4}"
FAMILIES = [
    # Integers
    ("{add,sub,addc,subc}{,.cc}{,.sat}" + INTEGERS, "T T T"),
    ("{mul,mul24}{,.lo,.hi}" + INTEGERS, "T T T"), ("mul.wide" + INTEGERS, "W T T"),
    ("{mad,madc,mad24}{,.lo,.hi}{,.cc}{,.sat}" + INTEGERS, "T T T T"), ("mad.wide" + INTEGERS, "W T T W"),
    ("{sad}" + INTEGERS, "T T T T"), ("{div,rem}" + INTEGERS, "T T T"),
    ("{abs,neg,not,cnot,brev}" + INTEGERS, "T T"),
    ("{popc,clz,bfind,bfind.shiftamt}{.b16,.b32,.b64,.u32,.s32,.u64,.s64}", "%r1 T"),
    ("{min,max}{,.relu}" + INTEGERS, "T T T"),
    ("{and,or,xor}{.pred,.b8,.b16,.b32,.b64,.u32}", "T T T"), ("{not,cnot}{.pred,.b16,.b32,.b64}", "T T"),
    ("{shl,shr}{.b8,.b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64}", "T T %r9"),
    ("bfe{.b32,.u32,.u64,.s32,.s64,.u16}", "T T %r2 %r3"), ("bfi{.b16,.b32,.b64,.u32}", "T T T %r2 %r3"),
    ("fns{.b32,.u32}", "T T T T"), ("szext{,.clamp,.wrap}{.u32,.s32,.b32}", "T T T"),
    ("bmsk{,.clamp,.wrap}{.b32,.u32}", "T T T"), ("shf{.l,.r}{,.clamp,.wrap}{.b32,.b64,.u32}", "T T T %r5"),
    ("lop3{,.or,.and}{.b32,.b64}", "T T T T 0x1F"), ("lop3{.or,.and}.b32", "%r1|%p1 %r2 %r3 %r4 0x1F %p2"),
    ("prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", "%r1 %r2 %r3 %r4"),
    ("dp4a{.u32,.s32,.u16}{.u32,.s32}", "%r1 %r2 %r3 %r4"), ("dp2a{,.lo,.hi}{.u32,.s32}{.u32,.s32}", "%r1 %r2 %r3 %r4"),
    # Floats
    ("{add,sub,mul}" + ROUND + "{,.ftz}{,.sat}" + FLOATS, "T T T"),
    ("{add,sub}" + ROUND + "{,.sat}.f32{.f16,.bf16}", "F T F"),
    ("{fma,mad}" + ROUND + "{,.ftz}{,.sat,.relu,.oob,.oob.relu}" + FLOATS, "T T T T"),
    ("fma" + ROUND + "{,.sat}.f32{.f16,.bf16}", "F T T F"),
    ("div{,.rn,.rz,.rm,.rp,.approx,.full}{,.ftz}" + FLOATS, "T T T"),
    ("{rcp,sqrt}{,.rn,.rz,.rm,.rp,.approx}{,.ftz}" + FLOATS, "T T"),
    ("{rsqrt,sin,cos,lg2,ex2,tanh}{,.approx}{,.ftz}" + FLOATS, "T T"),
    ("{abs,neg}{,.ftz}" + FLOATS, "T T"), ("{min,max}{,.ftz}{,.NaN}{,.abs,.xorsign.abs}" + FLOATS, "T T T"),
    ("{min,max}{,.ftz}{,.NaN}{,.abs,.xorsign.abs}" + FLOATS, "T T T T"),
    ("copysign" + FLOATS, "T T T"),
    ("testp{.finite,.infinite,.number,.notanumber,.normal,.subnormal}" + FLOATS, "%p1 T"),
    # Comparison
    ("setp{.eq,.ne,.lt,.le,.gt,.ge,.lo,.ls,.hi,.hs,.equ,.ltu,.num,.nan}{,.ftz}"
     "{.b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64,.f16,.bf16,.f32,.f64}", "%p1 T T"),
    ("setp{.eq,.lt}{.and,.or,.xor}{.b16,.u32,.f32,.f16}", "%p1|%p2 T T !%p3"),
    ("setp{.eq,.ltu}{,.ftz}{.f16x2,.bf16x2}", "%p1|%p2 T T"),
    ("set{.eq,.ltu,.lo}{,.ftz}{.u32,.s32,.f32,.u16,.s16,.f16,.bf16}"
     "{.b16,.b32,.b64,.u16,.u32,.u64,.s16,.s32,.s64,.f16,.bf16,.f32,.f64}", "F T T"),
    ("set{.eq,.ltu}{,.ftz}{.f16x2,.bf16x2}{.f16x2,.bf16x2}", "F T T"),
    ("set{.eq}.and.u32{.u32,.f32}", "F T T %p1"),
    ("selp" + ANY, "T T T %p1"), ("slct{,.ftz}{.b16,.b32,.b64,.u16,.u32,.s64,.f32,.f64}{.s32,.f32,.u32}", "F F F T"),
    # Movement
    ("mov{.pred,.b8,.b16,.b32,.b64,.b128,.u16,.u32,.u64,.s16,.s32,.s64,.f16,.f32,.f64,.f16x2}", "T T"),
    ("shfl.sync{.up,.down,.bfly,.idx}{.b32,.b64,.u32}", "T|%p1 T %r3 %r4 %r5"), ("shfl{.up}.b32", "T T %r3 %r4"),
    ("vote.sync{.all,.any,.uni}.pred", "%p1 %p2 %r1"), ("vote.sync.ballot.b32", "%r1 %p2 %r1"),
    ("vote{.all,.any,.uni}.pred", "%p1 %p2"), ("match.any.sync{.b32,.b64,.u32}", "%r1 T %r3"),
    ("match.all.sync{.b32,.b64}", "%r1|%p1 T %r3"), ("activemask{.b32,.u32}", "%r1"),
    ("redux.sync{.add,.min,.max,.and,.or,.xor}{,.abs}{,.NaN}{.u32,.s32,.b32,.f32,.u64}", "T T %r3"),
    ("elect.sync", "%r1|%p1 %r2"), ("elect.sync", "_|%p1 %r2"), ("nanosleep.u32", "%r1"), ("nanosleep.u32", "20"),
    # Memory
    ("ld{,.weak,.volatile}{,.global,.shared,.local,.const,.shared::cta,.shared::cluster,.param}{,.v2,.v4,.v8}" + ANY,
     "V [%rd8]"),
    ("ld{.relaxed,.acquire}{,.cta,.cluster,.gpu,.sys}{,.global,.shared,.local}{.b8,.b32,.b128,.f64,.v2.b32,.v4.f32}", "V [%rd8]"),
    ("ld{,.relaxed}.mmio{,.relaxed}{.gpu,.sys}.global{.b32,.v2.b32}", "V [%rd8]"),
    ("ld.mmio{.relaxed,.acquire}.sys{,.global,.shared,.local}.b32", "T [%rd8]"),
    ("st.mmio{.relaxed,.release}.sys{,.global,.shared,.local}.b32", "[%rd8] T"),
    ("ld.global{,.ca,.cg,.cs,.lu,.cv}{,.nc}{,.L2::64B,.L2::128B,.L2::256B}{.b32,.v4.f32}", "V [%rd8]"),
    ("ld.global{,.L1::evict_normal,.L1::evict_first,.L1::no_allocate,.L1::evict_unchanged}"
     "{,.L2::evict_last,.L2::evict_first,.L2::evict_normal}{,.L2::cache_hint}{.b32,.v4.b64,.v8.b32}", "V [%rd8] %rd7"),
    ("ld.global{,.L1::evict_normal,.L1::evict_first,.L1::no_allocate}{,.L2::evict_last}{.b32,.v4.b64,.v8.b32}", "V [%rd8]"),
    ("ldu{,.global,.shared}{,.v2,.v4}{.b32,.f64,.u8,.b128}", "V [%rd8]"),
    ("st{,.weak,.volatile}{,.global,.shared,.local,.const,.shared::cta,.shared::cluster}{,.v2,.v4,.v8}" + ANY, "[%rd8] V"),
    ("st{.relaxed,.release}{,.cta,.cluster,.gpu,.sys}{,.global,.shared,.local}{.b8,.b32,.b128,.f64,.v2.b32}", "[%rd8] V"),
    ("st.mmio.relaxed{.gpu,.sys}.global{.b32,.v2.b32}", "[%rd8] V"),
    ("st.global{,.wb,.cg,.cs,.wt}{,.L1::no_allocate}{.b32,.v4.f32}", "[%rd8] V"),
    ("st.global{,.L1::evict_last}{,.L2::evict_last}.L2::cache_hint{.b32,.v8.f32}", "[%rd8] V %rd7"),
    ("st.async{,.weak}{,.shared::cluster}.mbarrier::complete_tx::bytes{,.shared::cluster}"
     "{,.v2,.v4}{.b8,.b32,.b64,.u32,.s64,.f32,.f64}", "[%rd8] V [%rd7]"),
    ("st.async{,.mmio}{,.release}{,.gpu,.sys}{,.global}{.b8,.b16,.b32,.b64,.u8,.s32,.f32,.f64}", "[%rd8] T"),
    ("st.bulk{,.weak}{,.shared::cta}", "[%rd8] %rd7 0"),
    ("red.async{,.relaxed}{,.cluster}{,.shared::cluster}.mbarrier::complete_tx::bytes{,.shared::cluster}"
     "{.inc,.dec,.min,.max,.add,.and,.or,.xor}{.u32,.s32,.u64,.s64,.b32}", "[%rd8] T [%rd7]"),
    ("red.async.mmio.release{.gpu,.sys,.cluster}{,.global}{.add,.min}{.u32,.s32,.u64}", "[%rd8] T"),
    ("red.async{,.mmio}.release.sys.global{.add,.inc}{.u32,.f32}", "[%rd8] T"),
    ("{atom}{,.relaxed,.acquire,.release,.acq_rel}{,.cta,.cluster,.gpu,.sys}{,.global,.shared,.shared::cluster}"
     "{.add,.min}{.u32,.s64}", "T [%rd8] T"),
    ("atom{.and,.or,.xor,.exch,.add,.inc,.dec,.min,.max}{,.noftz}"
     "{.b32,.b64,.b128,.u32,.u64,.s32,.s64,.f16,.f16x2,.bf16,.bf16x2,.f32,.f64}", "T [%rd8] T"),
    ("atom{,.acquire.sys}{,.global,.shared}.cas{.b16,.b32,.b64,.b128,.u32,.u64,.s32}", "T [%rd8] T T"),
    ("red{,.relaxed,.release,.acquire}{,.cta,.gpu}{,.global,.shared}{.add,.and,.inc,.max}{.u32,.b32,.s32,.u64,.s64,.f32,.f64}",
     "[%rd8] T"),
    ("red{.add,.min}{,.noftz}{.f16,.f16x2,.bf16,.bf16x2}", "[%rd8] T"),
    ("atom.global{.add,.min,.max}{,.noftz}{.v2,.v4,.v8}{.f16,.f16x2,.bf16,.bf16x2,.f32,.b32}", "V [%rd8] V"),
    ("red.global{.add,.min,.max}{,.noftz}{.v2,.v4,.v8}{.f16,.f16x2,.bf16,.bf16x2,.f32,.b32}", "[%rd8] V"),
    ("atom.global.add.L2::cache_hint.u32", "T [%rd8] T %rd7"), ("red.global.add.L2::cache_hint.u32", "[%rd8] T %rd7"),
    ("prefetch{,.global,.local,.const,.param,.shared,.shared::cta,.shared::cluster}{.L1,.L2}", "[%rd8]"),
    ("prefetch{,.const,.param,.global,.local,.shared}.tensormap", "[%rd8]"),
    ("prefetch{,.global,.local,.shared}{.L2::evict_last,.L2::evict_normal}", "[%rd8]"),
    ("prefetchu{,.global}{.L1,.L2,.L2::evict_last,.tensormap}", "[%rd8]"),
    ("applypriority{,.global}{.L2::evict_normal,.L2::evict_last}", "[%rd8] 128"), ("discard{,.global}{.L2,.L1}", "[%rd8] 128"),
    ("createpolicy.fractional{.L2::evict_last,.L2::evict_normal,.L2::evict_first,.L2::evict_unchanged}"
     "{,.L2::evict_first,.L2::evict_unchanged}.b64", "%rd1 0.5"),
    ("createpolicy.fractional.L2::evict_last.b64", "%rd1"),
    ("createpolicy.range{,.global}.L2::evict_last{,.L2::evict_first}.b64", "%rd1 [%rd8] %r1 %r2"),
    ("createpolicy.cvt.L2.b64", "%rd1 %rd2"),
    ("isspacep{.global,.const,.local,.param,.param::entry,.shared,.shared::cta,.shared::cluster}", "%p1 %rd1"),
    ("cvta{,.to}{.global,.const,.local,.param,.param::entry,.shared,.shared::cta,.shared::cluster}{.u64}", "%rd1 %rd2"),
    ("{mapa,getctarank}{,.shared::cluster}{.u64}", "%rd1 %rd2 %r1"), ("getctarank{,.shared::cluster}.u64", "%r1 %rd2"),
    ("{mapa}.shared::cluster{.u32}", "%r1 %r2 %r3"), ("getctarank.shared::cluster.u32", "%r1 %r2"),
    # Conversions
    ("cvt{,.rn,.rz,.rm,.rp,.rni,.rzi,.rmi,.rpi,.rna}{,.ftz}{,.sat}" + SCALARS + SCALARS, "F T"),
    ("cvt{,.rn,.rz,.rna,.rm}{,.relu}{,.satfinite}{.f16,.bf16,.tf32,.f32}{.f32,.f16,.bf16}", "F T"),
    ("cvt{,.rn,.rz,.rp,.rm}{,.relu}{,.satfinite}" + SMALL + ".f32", "F T %r7"),
    ("cvt{,.rn,.rz,.rp}{,.relu}{,.satfinite}" + SMALL + SMALL, "F T"),
    ("cvt.rs{,.relu}{,.satfinite}" + SMALL + ".f32", "F T %r7 %r8"), ("cvt.rs{,.relu}{,.satfinite}{.f16,.bf16,.tf32}.f32", "F T %r8"),
    ("cvt{.rs,.rn}{,.relu}{,.satfinite}" + QUADS + ".f32", "F {%r1,%r2,%r3,%r4} %r8"),
    ("cvt.pack.sat{.u16,.s16}.s32", "%r1 %r2 %r3"), ("cvt.pack.sat{.u8,.s8,.u4,.s4,.u2,.s2}{.s32,.u32}.b32", "%r1 %r2 %r3 %r4"),
    # Barriers and fences
    ("{bar,barrier}{,.cta}.sync{,.aligned}", "1"), ("{bar,barrier}{,.cta}{.sync,.arrive}{,.aligned}", "1 64"),
    ("{bar,barrier}{,.cta}.red.popc{,.aligned}.u32", "%r1 1 %p1"), ("{bar,barrier}{,.cta}.red{.and,.or}{,.aligned}.pred", "%p1 1 64 !%p2"),
    ("bar.warp.sync", "%r1"), ("barrier.cluster.arrive{,.release,.relaxed}{,.aligned}", ""), ("barrier.cluster.wait{,.acquire,.release}{,.aligned}", ""),
    ("membar{.cta,.gl,.sys,.gpu}", ""), ("fence{,.sc,.acq_rel,.acquire,.release}{,.cta,.cluster,.gpu,.sys}", ""),
    ("fence.proxy{.alias,.async,.async.global,.async.shared::cta,.async.shared::cluster,.async.generic}", ""),
    ("fence.mbarrier_init.release{.cluster,.cta}", ""), ("fence{.acquire,.release}.sync_restrict::shared{::cta,::cluster}{.cta,.cluster,.gpu,.sys}", ""),
    ("fence.proxy.tensormap::generic{.acquire,.release}{.cta,.gpu,.cluster}", "[%rd8] 128"), ("fence.proxy.tensormap::generic.release{.cta,.gpu,.sys}", ""),
    ("fence.proxy.async::generic{.acquire,.release}.sync_restrict::shared{::cta,::cluster}.cluster", ""),
    ("griddepcontrol{.wait,.launch_dependents}", ""), ("setmaxnreg{.inc,.dec}.sync.aligned.u32", "64"),
    ("mbarrier{.init,.inval}{,.shared,.shared::cta,.shared::cluster}.b64", "[%rd8] %r1"), ("mbarrier.inval{,.shared}.b64", "[%rd8]"),
    ("mbarrier{.arrive,.arrive_drop}{,.expect_tx}{,.noComplete}{,.release,.relaxed,.acquire}{,.cta,.cluster,.gpu,.sys}{,.shared,.shared::cta}.b64", "%rd1 [%rd8] %r1"),
    ("mbarrier{.arrive,.arrive_drop}{,.release,.relaxed}{,.cta,.cluster,.gpu,.sys}{,.shared,.shared::cta}.b64", "%rd1 [%rd8]"),
    ("mbarrier{.arrive,.arrive_drop}{,.expect_tx,.noComplete}{,.release,.relaxed}{,.cta,.cluster,.gpu,.sys}{.shared::cluster}.b64", "_ [%rd8] %r1"),
    ("mbarrier{.expect_tx,.complete_tx}{,.relaxed}{,.cta,.cluster,.gpu,.sys}{,.shared,.shared::cta,.shared::cluster}.b64", "[%rd8] %r1"),
    ("mbarrier{.test_wait,.try_wait}{,.parity}{,.acquire,.relaxed}{,.cta,.cluster,.gpu,.sys}{,.shared,.shared::cta}.b64", "%p1 [%rd8] %rd1"),
    ("mbarrier{.test_wait,.try_wait}.parity{,.acquire,.relaxed}{,.cta,.cluster,.gpu,.sys}{,.shared,.shared::cta}.b64", "%p1 [%rd8] %r1"),
    ("mbarrier{.test_wait,.try_wait}{.parity}.shared.b64", "%p1 [%rd8] %r1 %r2"), ("mbarrier.pending_count.b64", "%r1 %rd1"),
    # Copies
    ("cp.async{.ca,.cg}.shared{,::cta}.global{,.L2::64B,.L2::128B}", "[%r8] [%rd7] 16"), ("cp.async{.ca,.cg}.shared.global", "[%r8] [%rd7] 8"),
    ("cp.async.ca.shared.global", "[%r8] [%rd7] 4 %r1"), ("cp.async.ca.shared.global", "[%r8] [%rd7] 4 %p1"),
    ("cp.async.cg.shared.global.L2::cache_hint", "[%r8] [%rd7] 16 %rd1"), ("cp.async{.commit_group,.wait_all}", ""), ("cp.async.wait_group", "1"),
    ("cp.async.mbarrier.arrive{,.noinc}{,.shared,.shared::cta}.b64", "[%rd8]"),
    ("cp.async.bulk{.shared::cluster,.shared::cta,.shared}.global.mbarrier::complete_tx::bytes", "[%r8] [%rd7] %r1 [%r2]"),
    ("cp.async.bulk{.shared::cluster,.shared::cta}.global.mbarrier::complete_tx::bytes{.ignore_oob}", "[%r8] [%rd7] %r1 0 0 [%r2]"),
    ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster", "[%r8] [%rd7] %r1 [%r2] %h1"),
    ("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "[%r8] [%r7] %r1 [%r2]"),
    ("cp.async.bulk.global.shared::cta.bulk_group", "[%rd8] [%r7] %r1"), ("cp.async.bulk.global.shared::cta.bulk_group.cp_mask", "[%rd8] [%r7] %r1 %h1"),
    ("cp.async.bulk.prefetch.L2.global", "[%rd8] %r1"), ("cp.async.bulk.prefetch.L2.global.L2::cache_hint", "[%rd8] %r1 %rd1"),
    ("cp.async.bulk.commit_group", ""), ("cp.async.bulk.wait_group{,.read}", "1"),
    ("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes{.add,.min,.max,.inc,.dec,.and,.or,.xor}"
     "{.u32,.s32,.u64,.s64,.b32,.b64,.f32}", "[%r8] [%r7] %r1 [%r2]"),
    ("cp.reduce.async.bulk.global.shared::cta.bulk_group{.add,.min,.max,.inc,.dec,.and,.or,.xor}{,.noftz}"
     "{.u32,.s32,.u64,.s64,.b32,.b64,.f32,.f64,.f16,.bf16}", "[%rd8] [%r7] %r1"),
    # Matrices
    ("ldmatrix.sync.aligned.m8n8{.x1,.x2,.x4}{,.trans}{,.shared,.shared::cta}.b16", "@n [%rd8]"),
    ("ldmatrix.sync.aligned{.m16n16,.m8n16}{.x1,.x2,.x4}{,.trans}{,.shared}{.b8,.b8x16.b6x16_p32,.b8x16.b4x16_p64}", "@n [%rd8]"),
    ("stmatrix.sync.aligned.m8n8{.x1,.x2,.x4}{,.trans}{,.shared,.shared::cta}.b16", "[%rd8] @n"),
    ("stmatrix.sync.aligned.m16n8{.x1,.x2,.x4}{,.trans}{,.shared}.b8", "[%rd8] @n"),
    ("movmatrix.sync.aligned.m8n8{,.trans}.b16", "%r1 %r2"),
    ("mma{.sp,.sp::ordered_metadata}.sync.aligned{.m16n8k32,.m16n8k64,.m16n8k128}.row.col"
     "{.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4}{,.block_scale}{,.scale_vec::1X,.scale_vec::2X,.scale_vec::4X}"
     ".f32{.e4m3,.e2m1}{.e3m2,.e2m1}.f32{.ue8m0,.ue4m3}",
     "{%r1,%r2,%r3,%r4} {%r1,%r2,%r3,%r4} {%r1,%r2,%r3,%r4} {%r1,%r2,%r3,%r4} %r5 0 %r6 {0,0} %r7 {0,0}"),
    ("mma.sync.aligned{.m16n8k32,.m16n8k64}.row.col"
     "{.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4}{,.block_scale}{,.scale_vec::1X,.scale_vec::2X,.scale_vec::4X}"
     ".f32{.e4m3,.e2m1}{.e3m2,.e2m1}.f32{.ue8m0,.ue4m3}",
     "{%r1,%r2,%r3,%r4} {%r1,%r2,%r3,%r4} {%r1,%r2} {%r1,%r2,%r3,%r4} %r6 {0,0} %r7 {0,0}"),
    ("mma{,.sp,.sp::ordered_metadata}.sync.aligned{.m16n8k8,.m16n8k16,.m16n8k32,.m16n8k64}.row.col{,.satfinite}{,.kind::f8f6f4}"
     "{.f32,.f16,.s32}{.f16,.bf16,.tf32,.s8,.u8,.e4m3,.e2m1}{.f16,.bf16,.tf32,.s8,.e5m2}{.f32,.f16,.s32}", "@m"),
    ("clusterlaunchcontrol.try_cancel.async{,.shared::cta}.mbarrier::complete_tx::bytes{,.multicast::cluster::all}.b128", "[%rd8] [%rd7]"),
    ("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128", "%p1 %q1"),
    ("clusterlaunchcontrol.query_cancel.get_first_ctaid{::x,::y,::z}.b32.b128", "%r1 %q1"),
    ("clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128", "{%r1,%r2,%r3,%r4} %q1"),
    # Tensor memory
    ("tcgen05.alloc{,.cta_group::1,.cta_group::2}.sync.aligned.shared::cta.b32", "[%r8] 32"),
    ("tcgen05.alloc{,.cta_group::1,.cta_group::2}.sync.aligned{,.global}.b32", "[%rd8] 32"),
    ("tcgen05{.dealloc}{.cta_group::1,.cta_group::2}.sync.aligned.b32", "%r1 32"),
    ("tcgen05.relinquish_alloc_permit{,.cta_group::1,.cta_group::2}.sync.aligned", ""),
    ("tcgen05.ld.sync.aligned{.32x32b,.16x64b,.16x128b,.16x256b}{.x1,.x2,.x4,.x8}{,.pack::16b,.unpack::16b}.b32", "@t [%r8]"),
    ("tcgen05.ld.sync.aligned.16x32bx2{.x1,.x2,.x4,.x8}{,.pack::16b}.b32", "@t [%r8] 8"),
    ("tcgen05.st.sync.aligned{.32x32b,.16x64b,.16x128b,.16x256b}{.x1,.x2,.x4,.x8}{,.unpack::16b,.pack::16b}.b32", "[%r8] @t"),
    ("tcgen05.st.sync.aligned.16x32bx2{.x1,.x2,.x4,.x8}{,.unpack::16b}.b32", "[%r8] 8 @t"),
    ("tcgen05.ld.red.sync.aligned{.32x32b,.16x32bx2}.x2{.min,.max}{,.abs}{,.NaN}{.f32,.u32,.s32}", "{%r1,%r2} %r3 [%r8]"),
    ("tcgen05.ld.red.sync.aligned{.16x32bx2,.16x64b}{.x1,.x2,.x4}{.min,.max,.add}{,.abs}{,.pack::16b}{.f32,.u32,.s32,.b32}", "@t %r39 [%r8] 8"),
    ("tcgen05.ld.red.sync.aligned{.32x32b,.16x64b}{.x1,.x2,.x4}{.min,.max,.add}{,.pack::16b}{.f32,.u32,.s32,.b32}", "@t %r39 [%r8]"),
    ("tcgen05.st.red.sync.aligned.32x32b.x2{.min}{.f32,.b32}", "[%r8] {%r1,%r2}"),
    ("tcgen05.wait{,::ld,::st}.sync.aligned", ""), ("tcgen05.fence{,::before_thread_sync,::after_thread_sync}", ""),
    ("tcgen05.mma{.cta_group::1,.cta_group::2}{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}"
     "{,.ashift}{,.collector::a::fill,.collector::a::use,.collector::a::lastuse,.collector::a::discard}", "[%r1] %rd1 %rd2 %r3 %p1"),
    ("tcgen05.mma{,.sp}{.cta_group::1,.cta_group::2}{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}{,.ashift}", "[%r1] [%r2] %rd2 %r3 %p1"),
    ("tcgen05.mma.sp{.cta_group::1,.cta_group::2}{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}", "[%r1] %rd1 %rd2 [%r4] %r3 %p1"),
    ("tcgen05.mma.sp{.cta_group::1,.cta_group::2}{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}{,.ashift}{,.collector::a::use,.collector::b0::use}",
     "[%r1] [%r2] %rd2 [%r4] %r3 %p1"),
    ("tcgen05.mma.sp{.cta_group::1,.cta_group::2}{.kind::f16,.kind::i8}", "[%r1] %rd1 %rd2 [%r9] %r3 {%r4,%r5,%r6,%r7} %p1"),
    ("tcgen05.mma.sp.cta_group::1{.kind::f16,.kind::i8}", "[%r1] %rd1 %rd2 [%r4] %r3 %p1 3"),
    ("tcgen05.mma.sp.cta_group::1{.kind::f16,.kind::mxf4,.kind::mxf8f6f4}{,.block_scale}", "[%r1] %rd1 %rd2 [%r6] %r3 [%r4] [%r5] %p1"),
    ("tcgen05.mma.ws.sp.cta_group::1{.kind::f16,.kind::mxf4}{,.collector::b3::fill}", "[%r1] [%r2] %rd2 [%r4] %r3 %p1 %rd3"),
    ("tcgen05.mma{.cta_group::1,.cta_group::2}{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}", "[%r1] %rd1 %rd2 %r3 {%r4,%r5,%r6,%r7} %p1"),
    ("tcgen05.mma{.cta_group::1}{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}", "[%r1] %rd1 %rd2 %r3 %p1 3"),
    ("tcgen05.mma{.cta_group::1,.cta_group::2}{.kind::f8f6f4,.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4}{,.block_scale}"
     "{,.scale_vec::1X,.scale_vec::2X,.scale_vec::4X,.block16,.block32}", "[%r1] %rd1 %rd2 %r3 [%r4] [%r5] %p1"),
    ("tcgen05.mma.ws{,.sp}.cta_group::1{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}{,.collector::b0::fill,.collector::b1::use}",
     "[%r1] %rd1 %rd2 %r3 %p1"),
    ("tcgen05.mma.ws{.cta_group::1,.cta_group::2}{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}{,.ashift}"
     "{,.collector::a::fill,.collector::b0::use,.collector::b1::lastuse,.collector::b2::discard,.collector::b3::fill}", "[%r1] [%r2] %rd2 %r3 %p1 %rd3"),
    ("tcgen05.mma.ws.cta_group::1{.kind::f16,.kind::i8}", "[%r1] %rd1 %rd2 %r3 {%r4,%r5,%r6,%r7} %p1"),
    ("tcgen05.mma.ws.cta_group::1{.kind::f16,.kind::mxf4}{,.block_scale}", "[%r1] %rd1 %rd2 %r3 [%r4] [%r5] %p1"),
    ("tcgen05.mma.ws.cta_group::1{.kind::f16,.kind::f8f6f4}", "[%r1] %rd1 %rd2 %r3 %p1 0"),
    ("tcgen05.mma.ws.sp.cta_group::1{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8}", "[%r1] %rd1 %rd2 [%r4] %r3 %p1"),
    ("tcgen05.commit{.cta_group::1,.cta_group::2}.mbarrier::arrive::one{,.shared::cluster}.b64", "[%rd8]"),
    ("tcgen05.commit{.cta_group::1,.cta_group::2}.mbarrier::arrive::one{,.shared::cluster}.multicast::cluster.b64", "[%rd8] %h1"),
    ("tcgen05.cp{.cta_group::1,.cta_group::2}{.128x256b,.4x256b,.128x128b,.64x128b,.64x128b.warpx2::02_13,.64x128b.warpx2::01_23,"
     ".32x128b,.32x128b.warpx4}{,.b8x16.b6x16_p32,.b8x16.b4x16_p64}", "[%r8] %rd1"),
    ("tcgen05.shift{.cta_group::1,.cta_group::2}.down", "[%r8]"),
    # Others
    ("{trap,brkpt,exit,ret}", ""), ("pmevent", "1"), ("pmevent.mask", "3"), ("stacksave{.u32,.u64}", "T"), ("stackrestore{.u32,.u64}", "T"),
    ("alloca.u64", "%rd1 %rd2"), ("alloca.u64", "%rd1 %rd2 16"),
    ("tensormap.replace.tile{.global_address,.rank,.elemtype,.interleave_layout,.swizzle_mode,.swizzle_atomicity,.fill_mode}"
     "{,.global,.shared::cta}.b1024{.b32,.b64}", "[%rd8] 1"),
    ("tensormap.replace.tile{.global_address,.rank}{,.global,.shared::cta}.b1024{.b32,.b64}", "[%rd8] T"),
    ("tensormap.replace.tile{.box_dim,.global_dim,.global_stride,.element_stride}{,.global,.shared::cta}.b1024{.b32,.b64}", "[%rd8] 1 T"),
    ("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release{.cta,.cluster,.gpu,.sys}.sync.aligned", "[%rd8] [%rd7] 128"),
    ("multimem.ld_reduce{,.weak,.relaxed.gpu}{,.global}{.add,.min,.and}{,.acc::f32,.acc::f16}{,.v2,.v4}{.u32,.s64,.b32,.f16x2,.bf16x2,.f32,.f64,.e4m3x4}", "V [%rd8]"),
]


def multiplied(product: str) -> str:
    """The operands of an `mma`: the numbers of registers for its shape and types."""
    k = int(re.search(r"k(\d+)", product)[1])
    d, a, _, c = product.split(".")[-4:]
    bits = 32 if a == "tf32" else 16 if a in ("f16", "bf16") else 8
    sparse = ".sp" in product
    counts = [2 if d == "f16" else 4, 16 * k * bits // 1024 // (2 if sparse else 1), 8 * k * bits // 1024, 2 if c == "f16" else 4]
    counts = [max(count, 1) for count in counts]
    vectors = ["{" + ",".join(f"%r{n + 1}" for n in range(count)) + "}" for count in counts]
    return " ".join(vectors) + (" %r39 0" if sparse else "")


def movedRegisters(move: str) -> str:
    """The registers of a `tcgen05.ld` or `st`: 32 lanes or 16 of so many bits, as often as the modifier says."""
    bits, count = re.search(r"\.(?:16x|32x)(\d+)bx?2?\.x(\d+)", move).groups()
    each = {"32": 1, "64": 1, "128": 2, "256": 4}[bits]
    return "{" + ",".join(f"%r{n + 1}" for n in range(each * int(count))) + "}"


def lines() -> list[str]:
    """Each form once."""
    found = {}
    for instruction, operands in FAMILIES:
        for each in choices(instruction):
            names = operands
            if "@n" in names:
                count = int(re.search(r"\.x([124])", each)[1]) * (2 if "m16n16" in each else 1)
                names = names.replace("@n", "{" + ",".join(f"%r{n + 10}" for n in range(count)) + "}")
            names = names.replace("@t", movedRegisters(each)) if "@t" in names else names
            if names == "@m":
                names = multiplied(each)
            found[fill(each, names)] = None
    return list(found)


def acceptedByPtxas(ptxas: str, target: str, code: list[str], folder: str) -> set[int]:
    """The numbers of the accepted lines. The last line is invalid, so that no code is generated."""
    head = [".version 9.0", f".target {target}", ".address_size 64", ".visible .entry k() {", *REGISTERS.splitlines()]
    path = os.path.join(folder, target + ".ptx")
    with open(path, "w") as file:
        file.write("\n".join(head + code + ["no_instruction;", "}"]) + "\n")
    ended = subprocess.run([ptxas, "-arch=" + target, path, "-o", os.path.join(folder, "cubin")], capture_output=True, text=True)
    text = ended.stdout + ended.stderr
    fatal = re.search(r"line (\d+); fatal", text)
    if fatal:
        raise SystemExit(f"ptxas cannot parse '{(head + code)[int(fatal[1]) - 1]}': {text[-300:]}")
    wrong = {int(number) - 1 - len(head) for number in re.findall(r"line (\d+); error", text)}
    if len(code) not in wrong:
        raise SystemExit(f"ptxas accepts what is no instruction: {text[-300:]}")
    return set(range(len(code))) - wrong


def acceptedByMachine(tests: str, code: list[str], folder: str) -> dict[int, str]:
    """The messages for refused lines."""
    listed, answers = os.path.join(folder, "lines"), os.path.join(folder, "answers")
    with open(listed, "w") as file:
        file.write("\n".join([REGISTERS.replace("\n", " "), *code]) + "\n")
    subprocess.run([tests, "--gtest_filter=Accepts.Lines"], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"TILEWRIGHT_PTX_LINES": listed, "TILEWRIGHT_PTX_ANSWERS": answers})
    with open(answers) as file:
        said = file.read().splitlines()
    assert len(said) == len(code), (len(said), len(code))
    return {number: answer for number, answer in enumerate(said) if answer}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--tests", required=True, help="ptx_tests")
    parser.add_argument("--known", help="a file of differences that are known")
    options = parser.parse_args()
    code = lines()
    with tempfile.TemporaryDirectory() as folder:
        accepted = set()
        for target in TARGETS:
            accepted |= acceptedByPtxas(options.ptxas, target, code, folder)
        refused = acceptedByMachine(options.tests, code, folder)
    patterns = readKnown(options.known) if options.known else []
    differences = {}
    for number, line in enumerate(code):
        if number in accepted and number in refused:
            differences[line] = f"ptxas accepts, the machine refuses: {refused[number]}"
        elif number not in accepted and number not in refused:
            differences[line] = "ptxas refuses, the machine accepts"
    found = {line: [p for p in patterns if said.startswith(f"ptxas {p[0]},") and p[1].match(line)] for line, said in differences.items()}
    for line, said in differences.items():
        if not found[line]:
            print(f"{line}\n    {said}")
    seen = [p for every in found.values() for p in every]
    for pattern in patterns:
        if pattern not in seen:
            print(f"'{pattern[1].pattern}' is no difference any more")
    unknown = sum(not every for every in found.values())
    print(f"{len(code)} instructions, {unknown} unknown differences")
    print(f"{len(accepted)} accepted by ptxas, {len(differences)} differences")


def readKnown(path: str) -> list[tuple[str, re.Pattern]]:
    """`accepts PATTERN`: only ptxas does; `refuses PATTERN`: only the machine accepts. `#` begins a comment."""
    with open(path) as file:
        rows = [line.split("#")[0].split() for line in file]
    return [(row[0], re.compile(row[1])) for row in rows if row]


if __name__ == "__main__":
    main()
