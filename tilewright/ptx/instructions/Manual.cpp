// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Manual.h.

#include "tilewright/ptx/instructions/Manual.h"

#include <utility>

using namespace tilewright::ptx;

/// Named alternatives that several rows share.
static constexpr std::pair<std::string_view, std::string_view> choices[] = {
    {"@integers", "{.u16,.u32,.u64,.s16,.s32,.s64}"},
    {"@pairs", "{.u16x2,.s16x2}"},
    {"@halves", "{.f16,.f16x2,.bf16,.bf16x2}"},
    {"@roundings", "{.rn,.rz,.rm,.rp}"},
    {"@carries", "{.u32,.s32,.u64,.s64}"},
    {"@words", "{.b32,.b64}"},
    {"@scalars", "{.u8,.s8,.b16,.b32,.b64,.f32,.f64,.b128}"},
};

static constexpr std::string_view unsupported = "all of it";

static constexpr ManualRow table[] = {
    {"Integer arithmetic", "add", "@integers @pairs .sat.s32 .cc@carries"},
    {"Integer arithmetic", "sub", "@integers .sat.s32 .cc@carries"},
    {"Integer arithmetic", "mul", "{.lo,.hi}@integers .wide{.u16,.u32,.s16,.s32}"},
    {"Integer arithmetic", "mad", "{.lo,.hi}@integers .wide{.u16,.u32,.s16,.s32} .hi.sat.s32"},
    {"Integer arithmetic", "mul24", "{.lo,.hi}{.u32,.s32}"},
    {"Integer arithmetic", "mad24", "{.lo,.hi}{.u32,.s32} .hi.sat.s32"},
    {"Integer arithmetic", "sad", "@integers"},
    {"Integer arithmetic", "div", "@integers"},
    {"Integer arithmetic", "rem", "@integers"},
    {"Integer arithmetic", "abs", "{.s16,.s32,.s64}"},
    {"Integer arithmetic", "neg", "{.s16,.s32,.s64}"},
    {"Integer arithmetic", "min", "@integers @pairs .relu{.s32,.s16x2}"},
    {"Integer arithmetic", "max", "@integers @pairs .relu{.s32,.s16x2}"},
    {"Integer arithmetic", "popc", "@words"},
    {"Integer arithmetic", "clz", "@words"},
    {"Integer arithmetic", "bfind", "@carries .shiftamt@carries"},
    {"Integer arithmetic", "fns", ".b32"},
    {"Integer arithmetic", "brev", "@words"},
    {"Integer arithmetic", "bfe", "@carries"},
    {"Integer arithmetic", "bfi", "@words"},
    {"Integer arithmetic", "szext", "{.clamp,.wrap}{.u32,.s32}"},
    {"Integer arithmetic", "bmsk", "{.clamp,.wrap}.b32"},
    {"Integer arithmetic", "dp4a", "{.u32,.s32}{.u32,.s32}"},
    {"Integer arithmetic", "dp2a", "{.lo,.hi}{.u32,.s32}{.u32,.s32}"},
    {"Integer arithmetic", "addc", "@carries .cc@carries"},
    {"Integer arithmetic", "subc", "@carries .cc@carries"},
    {"Integer arithmetic", "madc", "{.lo,.hi}@carries {.lo,.hi}.cc@carries"},

    {"Float arithmetic", "testp",
     "{.finite,.infinite,.number,.notanumber,.normal,.subnormal}{.f32,.f64}"},
    {"Float arithmetic", "copysign", "{.f32,.f64}"},
    {"Float arithmetic", "add",
     "@roundings{.f32,.f64,.f32x2} .ftz.f32 .sat.f32 @halves .f32{.f16,.bf16}"},
    {"Float arithmetic", "sub",
     "@roundings{.f32,.f64} .f32x2 .ftz.f32 .sat.f32 @halves .f32{.f16,.bf16}"},
    {"Float arithmetic", "mul", "@roundings{.f32,.f64} .f32x2 .ftz.f32 .sat.f32 @halves"},
    {"Float arithmetic", "fma",
     "@roundings{.f32,.f64} .f32x2 .rn.ftz.f32 .rn.sat.f32 .rn@halves .rn.relu@halves "
     ".rn.oob@halves .f32{.f16,.bf16}"},
    {"Float arithmetic", "mad", ".rn{.f32,.f64}"},
    {"Float arithmetic", "div", "@roundings{.f32,.f64} .approx.f32 .approx.ftz.f32 .full.f32"},
    {"Float arithmetic", "abs", "{.f32,.f64} .ftz.f32 @halves"},
    {"Float arithmetic", "neg", "{.f32,.f64} .ftz.f32 @halves"},
    {"Float arithmetic", "min",
     "{.f32,.f64} .ftz.f32 .NaN.f32 .xorsign.abs.f32 @halves .NaN@halves .abs.f32"},
    {"Float arithmetic", "max",
     "{.f32,.f64} .ftz.f32 .NaN.f32 .xorsign.abs.f32 @halves .NaN@halves .abs.f32"},
    {"Float arithmetic", "rcp", "@roundings{.f32,.f64} .approx.f32 .approx.ftz.f64"},
    {"Float arithmetic", "sqrt", "@roundings{.f32,.f64} .approx.f32"},
    {"Float arithmetic", "rsqrt", ".approx{.f32,.f64} .approx.ftz{.f32,.f64}"},
    {"Float arithmetic", "sin", ".approx.f32"},
    {"Float arithmetic", "cos", ".approx.f32"},
    {"Float arithmetic", "lg2", ".approx.f32"},
    {"Float arithmetic", "ex2", ".approx{.f32,.f16,.f16x2} .approx.ftz{.bf16,.bf16x2}"},
    {"Float arithmetic", "tanh", ".approx{.f32,.f16,.f16x2,.bf16,.bf16x2}"},

    {"Comparison and selection", "set", "{.u32,.s32,.f32}{.u32,.s32,.f32,.f64} .f16x2 .bf16x2"},
    {"Comparison and selection", "setp",
     "{.eq,.ne,.lt,.le,.gt,.ge}.s32 {.lo,.ls,.hi,.hs}.u32 {.equ,.neu,.ltu,.leu,.gtu,.geu}.f32 "
     "{.num,.nan}.f32 .and .or .xor .f64 .f16 .f16x2 .bf16 .bf16x2"},
    {"Comparison and selection", "selp", "{.b16,.b32,.b64,.f32,.f64}"},
    {"Comparison and selection", "slct", "{.b32,.u64,.f32}.s32 {.b32,.f64}.f32"},

    {"Logic and shifts", "and", "{.pred,.b16,.b32,.b64}"},
    {"Logic and shifts", "or", "{.pred,.b16,.b32,.b64}"},
    {"Logic and shifts", "xor", "{.pred,.b16,.b32,.b64}"},
    {"Logic and shifts", "not", "{.pred,.b16,.b32,.b64}"},
    {"Logic and shifts", "cnot", "{.b16,.b32,.b64}"},
    {"Logic and shifts", "lop3", ".b32 .or.b32 .and.b32"},
    {"Logic and shifts", "shf", "{.l,.r}{.clamp,.wrap}.b32"},
    {"Logic and shifts", "shl", "{.b16,.b32,.b64}"},
    {"Logic and shifts", "shr", "{.b16,.b32,.b64} @integers"},

    {"Data movement", "mov",
     "{.pred,.b16,.b32,.b64,.b128,.u16,.u32,.u64,.s16,.s32,.s64,.f32,.f64} .v4.u32"},
    {"Data movement", "shfl", ".sync{.up,.down,.bfly,.idx}.b32",
     "without .sync (sm_70 refuses it)"},
    {"Data movement", "prmt", ".b32 .b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}"},
    {"Data movement", "ld",
     ".global@scalars .shared.b32 .shared::cluster.b32 .local.b32 .const.b32 .param.u64 "
     ".global.nc.b32 .volatile.global .relaxed .acquire .v2 .v4 .v8"},
    {"Data movement", "ldu", ".global.f32 .global.v4.f32"},
    {"Data movement", "st",
     ".global{.u8,.b16,.b32,.b64,.f32,.f64,.b128} .shared.b32 .shared::cluster.b32 .local.b32 "
     ".param.b32 .volatile.global .relaxed .release .v2 .v4 .v8"},
    {"Data movement", "st", ".async.weak.shared::cluster .async.release.global .bulk"},
    {"Data movement", "prefetch", ".global.L2"},
    {"Data movement", "prefetchu", ".L1"},
    {"Data movement", "applypriority", ".global.L2::evict_normal"},
    {"Data movement", "discard", "{.L2,.global.L2}"},
    {"Data movement", "createpolicy", ".fractional.b64 .range.b64 .cvt.b64"},
    {"Data movement", "isspacep", "{.global,.const,.shared,.shared::cluster,.local,.param}"},
    {"Data movement", "cvta",
     "{.global,.const,.shared,.local,.param}.u64 .to{.global,.const,.shared,.local,.param}.u64"},
    {"Data movement", "cvt",
     "{.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64}.f32 {.f16,.bf16,.f32,.f64}.s32 {.f16,.bf16,.f64}.f32 "
     ".f32{.f16,.bf16,.f64} {.rn,.rna,.rz}.tf32.f32 {.f16x2,.bf16x2}.f32 "
     "{.e4m3x2,.e5m2x2,.e2m1x2,.e2m3x2,.e3m2x2,.ue8m0x2}.f32 "
     ".f16x2{.e4m3x2,.e5m2x2,.e2m1x2,.e2m3x2,.e3m2x2} {.e4m3x2,.e5m2x2}.f16x2 .ue8m0x2.bf16x2 "
     ".bf16x2.ue8m0x2 .pack.sat{.u16,.s16,.u8,.s8,.u4,.s4,.u2,.s2}.s32 "
     ".rs{.f16x2,.bf16x2,.e4m3x4,.e5m2x4,.e2m3x4,.e3m2x4,.e2m1x4}.f32"},
    {"Data movement", "mapa", "{.u64,.shared::cluster.u32}"},
    {"Data movement", "getctarank", "{.u64,.shared::cluster.u32}"},
    {"Data movement", "multimem",
     ".ld_reduce{.add.u32,.add.v4.f32,.max.s64,.add.acc::f32.bf16x2,.add.acc::f16.v2.e4m3x4,"
     ".min.e5m2x4} "
     ".st{.u32,.v4.f32} .red{.add.u32,.add.v2.f16x2}",
     "memory of more than one device; bulk copies"},
    {"Data movement", "tensormap",
     ".replace.tile{.global_address,.rank,.box_dim,.global_dim,.element_stride,.elemtype,"
     ".interleave_layout,.swizzle_mode,.swizzle_atomicity,.fill_mode} .cp_fenceproxy",
     "a swizzle atomicity of 32 bytes with a flip of 8"},

    {"Asynchronous copies", "cp",
     ".async.ca .async.cg .async.commit_group .async.wait_group .async.wait_all "
     ".async.mbarrier.arrive .async.bulk.shared::cluster.global .async.bulk.global.shared::cta "
     ".async.bulk.commit_group .async.bulk.wait_group .async.bulk.wait_group.read "
     ".async.bulk.prefetch.L2.global .reduce.async.bulk.add .async.bulk.tensor.1d "
     ".async.bulk.tensor.2d .async.bulk.tensor.3d .reduce.async.bulk.tensor.2d "
     ".async.bulk.tensor.2d{.cta_group::1,.cta_group::2} "
     ".async.bulk.tensor.2d.tile::gather4 .async.bulk.tensor.2d.tile::scatter4 "
     ".reduce.async.bulk.tensor.2d.tile::scatter4 .async.bulk.prefetch.tensor.2d.tile::gather4",
     "im2col and interleaved tensors, .ignore_oob"},

    {"Textures and surfaces", "tex", "", unsupported},
    {"Textures and surfaces", "tld4", "", unsupported},
    {"Textures and surfaces", "txq", "", unsupported},
    {"Textures and surfaces", "istypep", "", unsupported},
    {"Textures and surfaces", "suld", "", unsupported},
    {"Textures and surfaces", "sust", "", unsupported},
    {"Textures and surfaces", "sured", "", unsupported},
    {"Textures and surfaces", "suq", "", unsupported},

    {"Control flow", "bra", ". .uni"},
    {"Control flow", "brx", ".idx"},
    {"Control flow", "call", ". .uni"},
    {"Control flow", "ret", ". .uni"},
    {"Control flow", "exit", "."},

    {"Synchronisation", "bar", ".sync .arrive .red{.popc,.and,.or} .warp.sync"},
    {"Synchronisation", "barrier", ".sync .cluster.arrive .cluster.wait"},
    {"Synchronisation", "membar", "{.cta,.gl,.sys}"},
    {"Synchronisation", "fence",
     "{.sc,.acq_rel}.gpu .proxy.async .mbarrier_init.release.cluster .proxy.tensormap::generic"},
    {"Synchronisation", "atom",
     "{.and,.or,.xor}@words .exch{.b32,.b64,.b128} .cas{.b16,.b32,.b64,.b128} {.inc,.dec}.u32 "
     ".add{.u32,.s32,.u64,.f32,.f64,.noftz.f16,.noftz.f16x2,.noftz.bf16,.noftz.bf16x2} "
     "{.min,.max}{.u32,.s32,.u64,.s64} .v2 .v4"},
    {"Synchronisation", "red",
     ".add{.u32,.f32} .async.relaxed.cluster.shared::cluster .async.release.gpu.global"},
    {"Synchronisation", "vote", ".sync{.all,.any,.uni,.ballot}",
     "without .sync (sm_70 refuses it)"},
    {"Synchronisation", "match", ".any.sync@words .all.sync@words"},
    {"Synchronisation", "activemask", ".b32"},
    {"Synchronisation", "redux",
     ".sync{.add,.min,.max}{.u32,.s32} .sync{.and,.or,.xor}.b32 .sync{.min,.max}.f32 "
     ".sync{.min,.max}{.abs,.NaN}.f32"},
    {"Synchronisation", "griddepcontrol", "{.wait,.launch_dependents}"},
    {"Synchronisation", "elect", ".sync"},
    {"Synchronisation", "mbarrier",
     "{.init,.inval,.arrive,.arrive_drop,.expect_tx,.complete_tx,.test_wait,.try_wait,.pending_"
     "count}.b64"},
    {"Synchronisation", "clusterlaunchcontrol",
     ".try_cancel.async .try_cancel.async.multicast::cluster::all .query_cancel.is_canceled "
     ".query_cancel{.get_first_ctaid,.get_first_ctaid::x,.get_first_ctaid::y,.get_first_ctaid::z}"},

    {"Matrices", "wmma", ".load.a .load.b .load.c .store.d .mma"},
    {"Matrices", "mma",
     ".m8n8k4{.f16,.f32,.f64} .m16n8k8{.f16,.bf16,.tf32,.f64} .m16n8k16{.f16,.bf16,.s8,.f64} "
     ".m16n8k4{.tf32,.f64} .m8n8k16.s8 .m16n8k32{.s8,.s4,.e4m3,.e5m2} .m8n8k32.s4 .m16n8k64.s4 "
     ".m8n8k128.b1 .m16n8k128.b1 .m16n8k256.b1 .kind::f8f6f4{.e4m3,.e5m2,.e2m3,.e3m2,.e2m1} "
     ".kind::mxf8f6f4.ue8m0 .kind::mxf4.ue8m0 .kind::mxf4nvf4{.ue8m0,.ue4m3} "
     ".sp{.f16,.bf16,.tf32,.s8,.u8,.s4,.u4} .sp::ordered_metadata{.f16,.e4m3,.e5m2} "
     ".sp::ordered_metadata{.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4}.block_scale"},
    {"Matrices", "ldmatrix",
     ".m8n8{.x1,.x2,.x4}.b16 .m8n8.x4.trans.b16 .m8n16{.x1,.x2,.x4}.b8x16{.b4x16_p64,.b6x16_p32} "
     ".m16n16{.x1,.x2}.trans.b8 .m16n16{.x1,.x2}.trans.b8x16{.b4x16_p64,.b6x16_p32}"},
    {"Matrices", "stmatrix", ".m8n8{.x1,.x2,.x4}.b16 .m8n8.trans.b16 .m16n8{.x1,.x2,.x4}.trans.b8"},
    {"Matrices", "movmatrix", ".sync.aligned.m8n8.trans.b16"},
    {"Matrices", "wgmma",
     ".fence .commit_group .wait_group .mma_async{.f16,.bf16,.tf32,.e4m3,.e5m2,.s8} "
     ".mma_async.sp{.f16,.bf16,.tf32,.e4m3,.e5m2,.s8,.u8}"},
    {"Matrices", "tcgen05",
     ".alloc .dealloc .relinquish_alloc_permit "
     ".ld{.32x32b,.16x64b,.16x128b,.16x256b,.16x32bx2} .ld.pack::16b "
     ".ld.red{.32x32b,.16x32bx2}{.min,.max}{.f32,.u32,.s32} .ld.red{.min,.max}{.abs,.NaN}.f32 "
     ".st{.32x32b,.16x64b,.16x128b,.16x256b,.16x32bx2} .st.unpack::16b .wait::ld .wait::st "
     ".fence::before_thread_sync .fence::after_thread_sync "
     ".mma{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8} "
     ".mma{.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4}.block_scale "
     ".mma.ws{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8} "
     "{.mma.sp,.mma.ws.sp}{.kind::f16,.kind::tf32,.kind::f8f6f4,.kind::i8} .mma.sp.cta_group::2 "
     ".mma.sp{.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4}.block_scale "
     ".mma.ws{.collector::b0::fill,.collector::b1::use,.collector::b2::lastuse,"
     ".collector::b3::discard} "
     ".alloc.cta_group::2 .mma.cta_group::2 .cp{.128x256b,.4x256b,.128x128b,.64x128b.warpx2::02_13,"
     ".64x128b.warpx2::01_23,.32x128b.warpx4} "
     ".cp{.128x256b,.4x256b,.128x128b,.64x128b,.32x128b}.b8x16.b6x16_p32 .cp.cta_group::2 "
     ".shift.down .shift.down.cta_group::2 .commit .commit.multicast::cluster",
     ".ashift, .cp.b8x16.b4x16_p64"},

    {"Stack", "stacksave", ".u64"},
    {"Stack", "stackrestore", ".u64"},
    {"Stack", "alloca", ".u64"},

    {"Video", "vadd", "."},
    {"Video", "vsub", "."},
    {"Video", "vabsdiff", "."},
    {"Video", "vmin", "."},
    {"Video", "vmax", "."},
    {"Video", "vshl", "."},
    {"Video", "vshr", "."},
    {"Video", "vset", "."},
    {"Video", "vmad", ". .po .sat.shr15"},
    {"Video", "vadd2", "."},
    {"Video", "vsub2", "."},
    {"Video", "vavrg2", "."},
    {"Video", "vabsdiff2", "."},
    {"Video", "vmin2", "."},
    {"Video", "vmax2", "."},
    {"Video", "vset2", "."},
    {"Video", "vadd4", "."},
    {"Video", "vsub4", "."},
    {"Video", "vavrg4", "."},
    {"Video", "vabsdiff4", "."},
    {"Video", "vmin4", "."},
    {"Video", "vmax4", "."},
    {"Video", "vset4", "."},

    {"Other", "brkpt", "."},
    {"Other", "nanosleep", ".u32"},
    {"Other", "pmevent", ". .mask"},
    {"Other", "trap", "."},
    {"Other", "setmaxnreg", "{.inc,.dec}.sync.aligned.u32"},
};

std::span<const ManualRow> tilewright::ptx::manual() { return table; }

/// Replaces the names of alternatives.
static std::string withChoices(std::string_view form) {
  std::string text(form);
  for (const auto &[name, choice] : choices)
    if (const size_t at = text.find(name); at != std::string::npos)
      text.replace(at, name.size(), choice);
  return text;
}

/// `.lo{.u16,.u32}` becomes `.lo.u16`, `.lo.u32`.
static void expand(const std::string &before, std::string_view rest,
                   std::vector<std::string> &forms) {
  const size_t open = rest.find('{');
  if (open == std::string_view::npos) {
    forms.push_back(before + std::string(rest));
    return;
  }
  const size_t close = rest.find('}', open);
  std::string_view inside = rest.substr(open + 1, close - open - 1);
  while (true) {
    const size_t comma = inside.find(',');
    expand(before + std::string(rest.substr(0, open)) + std::string(inside.substr(0, comma)),
           rest.substr(close + 1), forms);
    if (comma == std::string_view::npos)
      return;
    inside.remove_prefix(comma + 1);
  }
}

std::vector<std::string> tilewright::ptx::formsOf(const ManualRow &row) {
  std::vector<std::string> forms;
  for (std::string_view left = row.forms; !left.empty();) {
    const size_t space = left.find(' ');
    const std::string_view form = left.substr(0, space);
    expand(std::string(row.opcode), form == "." ? "" : withChoices(form), forms);
    left.remove_prefix(space == std::string_view::npos ? left.size() : space + 1);
  }
  return forms;
}

std::string tilewright::ptx::manualPage() {
  std::string page =
      "# Instructions of the PTX machine\n\nThe instructions of the PTX manual (9.0), "
      "and what [the machine](ptx.md) has of them. `{.a,.b}` is a\nchoice. Each form "
      "has a unit test. What is not there is refused by name before anything runs.\n";
  page += "\n";
  for (const auto &[name, choice] : choices)
    page += "- `" + std::string(name) + "` is `" + std::string(choice) + "`\n";
  std::string_view chapter;
  for (const ManualRow &row : table) {
    if (row.chapter != chapter)
      page += "\n## " + std::string(row.chapter) +
              "\n\n| instruction | forms | not there |\n|---|---|---|\n";
    chapter = row.chapter;
    std::string forms;
    for (std::string_view left = row.forms; !left.empty();) {
      const size_t space = left.find(' ');
      const std::string_view form = left.substr(0, space);
      forms += (forms.empty() ? "`" : " `") + std::string(form == "." ? row.opcode : form) + "`";
      left.remove_prefix(space == std::string_view::npos ? left.size() : space + 1);
    }
    page += "| `" + std::string(row.opcode) + "` | " + forms + " | " + std::string(row.refused) +
            " |\n";
  }
  return page;
}
