# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of probes.py as PTX text, and their expected results."""

import struct
from dataclasses import dataclass

import numpy as np

CTAS, THREADS = 2, 128
MOST_SHARED, MUCH_SHARED, USUAL_SHARED = 160 << 10, 64 << 10, 32 << 10
WORD = 0x600DF00D
CLUSTER = ".reqnctapercluster 1\n.blocksareclusters\n"
BOX = 16  # u32 elements
MAP = 128  # bytes per tensor map


def module(version: str, target: str, text: str) -> bytes:
    return f".version {version}\n.target {target}\n.address_size 64\n{text}".encode()


def numbers(directives: str = "", version: str = "6.3", target: str = "sm_75") -> bytes:
    """Each thread stores its index, counted from 1."""
    return module(version, target, f"""
.visible .entry k(.param .u64 out)
.reqntid {THREADS}, 1, 1
{directives}{{
  .reg .b32 %r<4>; .reg .b64 %rd<3>;
  ld.param.u64 %rd0, [out];
  cvta.to.global.u64 %rd0, %rd0;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.u32 %r2, %r0, {THREADS}, %r1;
  mul.wide.u32 %rd1, %r2, 4;
  add.u64 %rd2, %rd0, %rd1;
  add.u32 %r3, %r2, 1;
  st.global.u32 [%rd2], %r3;
  ret;
}}
""")


def last_word(declared: int, version: str, target: str, used: int = MUCH_SHARED) -> bytes:
    """Stores a word at the end of `used` bytes, of which `declared` are declared, and reads it
    back. The address is loaded from memory, so that the assembler cannot see that it is out of bounds."""
    return module(version, target, f"""
.visible .entry k(.param .u64 out)
.reqntid 1, 1, 1
{{
  .reg .b32 %r<4>; .reg .b64 %rd<1>;
  .shared .align 16 .b8 much[{declared}];
  ld.param.u64 %rd0, [out];
  cvta.to.global.u64 %rd0, %rd0;
  mov.u32 %r0, much;
  ld.global.u32 %r1, [%rd0];
  add.u32 %r2, %r0, %r1;
  mov.u32 %r3, {WORD};
  st.volatile.shared.u32 [%r2+{used - 4}], %r3;
  ld.volatile.shared.u32 %r3, [%r2+{used - 4}];
  st.global.u32 [%rd0], %r3;
  ret;
}}
""")


def segment_of(elf: bytes, offset: int, size: int) -> int:
    """The header of the segment that ends with a section at this offset, without bytes in the file."""
    start, = struct.unpack_from("<Q", elf, 0x20)
    step, count = struct.unpack_from("<HH", elf, 0x36)
    for header in range(start, start + count * step, step):
        begin, = struct.unpack_from("<Q", elf, header + 8)
        in_file, in_memory = struct.unpack_from("<QQ", elf, header + 0x20)
        is_loaded = struct.unpack_from("<I", elf, header)[0] == 1  # PT_LOAD
        if is_loaded and begin + in_file == offset and in_memory - in_file == size:
            return header
    raise ValueError("no segment of the cubin loads the section")


def with_section_size(elf: bytes, name: str, size: int) -> bytes:
    """Changes the size of a section that has no bytes in a 64-bit ELF file, both in the section's header
    (sh_size) and in its segment's header (p_memsz)."""
    start, = struct.unpack_from("<Q", elf, 0x28)
    step, count, strings = struct.unpack_from("<HHH", elf, 0x3A)
    texts, = struct.unpack_from("<Q", elf, start + strings * step + 0x18)
    for number in range(count):
        header = start + number * step
        text = texts + struct.unpack_from("<I", elf, header)[0]
        if elf[text:elf.index(b"\0", text)] == name.encode():
            offset, before = struct.unpack_from("<QQ", elf, header + 0x18)
            segment = segment_of(elf, offset, before)
            in_file, = struct.unpack_from("<Q", elf, segment + 0x20)
            edited = bytearray(elf)
            struct.pack_into("<Q", edited, header + 0x20, size)
            struct.pack_into("<Q", edited, segment + 0x28, in_file + size)
            return bytes(edited)
    raise ValueError(f"the cubin has no section {name}")


# --- Tensor maps -------------------------------------------------------------------------

# For a row of u32 (elemtype 2): not interleaved, not swizzled, filled with zeros outside.
FIELDS = f"""
  tensormap.replace.tile.global_address.shared::cta.b1024.b64 [map], %rd0;
  tensormap.replace.tile.rank.shared::cta.b1024.b32 [map], 0;
  tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [map], 0, {BOX};
  tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [map], 0, {BOX * CTAS};
  tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [map], 0, 1;
  tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [map], 2;
  tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [map], 0;
  tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [map], 0;
  tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [map], 0;
"""


NARROW_ROWS, NARROW_ROOM = 16, 4096  # rows of the box; bytes of shared memory around it
UNTOUCHED = 0xEEEEEEEE


def within_swizzle(address: int, swizzle: int) -> int:
    """The swizzled address of 16 bytes at `address`, for a swizzle of 32, 64 or 128 bytes."""
    return address ^ (address >> 7 & swizzle // 16 - 1) << 4


def narrow() -> bytes:
    """Loads the box of a 2D map into prefilled shared memory, waits until `bytes` have arrived (or a limited
    time), and copies all of the memory to the result, followed by whether they arrived."""
    return module("8.0", "sm_90a", f"""
.visible .entry k(.param .align 64 .b8 map[{MAP}], .param .u64 out, .param .u32 bytes)
.reqntid {THREADS}, 1, 1
{{
  .reg .b32 %r<10>; .reg .b64 %rd<6>; .reg .pred %p<4>;
  .shared .align 1024 .b8 box[{NARROW_ROOM}];
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd0, [out];
  ld.param.u32 %r0, [bytes];
  mov.b64 %rd1, map;
  cvta.param.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, box;
  mad.lo.u32 %r3, %r1, 4, %r2;
  mov.u32 %r4, 0;
fill:
  st.shared.u32 [%r3], {UNTOUCHED};
  add.u32 %r3, %r3, {4 * THREADS};
  add.u32 %r4, %r4, {4 * THREADS};
  setp.lt.u32 %p0, %r4, {NARROW_ROOM};
  @%p0 bra fill;
  fence.proxy.async;
  bar.sync 0;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra copied;
  mov.u32 %r5, bar;
  mbarrier.init.shared.b64 [%r5], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r5], %r0;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd1, {{0, 0}}], [%r5];
  mov.u32 %r6, 0;
  mov.u32 %r7, 0;
poll:
  mbarrier.test_wait.parity.shared.b64 %p2, [%r5], 0;
  selp.u32 %r7, 1, 0, %p2;
  nanosleep.u32 1000;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p3, %r6, 1000;
  @!%p2 bra again;
  bra done;
again:
  @%p3 bra poll;
done:
  st.global.u32 [%rd0+{NARROW_ROOM}], %r7;
copied:
  bar.sync 0;
  mov.u32 %r4, 0;
copy:
  mad.lo.u32 %r8, %r1, 4, %r4;
  add.u32 %r3, %r2, %r8;
  ld.shared.u32 %r9, [%r3];
  cvt.u64.u32 %rd3, %r8;
  add.u64 %rd3, %rd0, %rd3;
  st.global.u32 [%rd3], %r9;
  add.u32 %r4, %r4, {4 * THREADS};
  setp.lt.u32 %p0, %r4, {NARROW_ROOM};
  @%p0 bra copy;
  ret;
}}
""")


def maps(fields: str = FIELDS) -> bytes:
    """Each CTA creates a tensor map of all data in its part of the pool, loads its box through the map, copies
    the box to the result, and stores the number of cycles that creating the map took."""
    return module("8.3", "sm_90a", f"""
.visible .entry k(.param .u64 data, .param .u64 out, .param .u64 pool, .param .u64 cycles)
.reqntid 32, 1, 1
{{
  .reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .pred %p<4>;
  .shared .align 128 .b8 map[{MAP}];
  .shared .align 128 .b8 box[{4 * BOX}];
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd0, [data];
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [pool];
  ld.param.u64 %rd3, [cycles];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p0, %r0, 0;
  mad.wide.u32 %rd2, %r1, {MAP}, %rd2;
  mov.u64 %rd4, %clock64;
  mov.u32 %r2, map;
  mad.lo.u32 %r2, %r0, 4, %r2;
  st.shared.u32 [%r2], 0;
  bar.warp.sync -1;
  @!%p0 bra $made;
{fields}
$made:
  bar.warp.sync -1;
  mov.u64 %rd5, map;
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd2], [%rd5], {MAP};
  fence.proxy.tensormap::generic.acquire.gpu [%rd2], {MAP};
  mov.u64 %rd6, %clock64;
  sub.u64 %rd6, %rd6, %rd4;
  @!%p0 bra $loaded;
  mad.wide.u32 %rd7, %r1, 8, %rd3;
  st.global.u64 [%rd7], %rd6;
  mbarrier.init.shared.b64 [bar], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared.b64 %rd8, [bar], {4 * BOX};
  mul.lo.u32 %r3, %r1, {BOX};
  cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [box], [%rd2, {{%r3}}], [bar];
$loaded:
  bar.sync 0;
$wait:
  mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;
  @!%p1 bra $wait;
  setp.ge.u32 %p2, %r0, {BOX};
  @%p2 bra $end;
  mov.u32 %r4, box;
  mad.lo.u32 %r4, %r0, 4, %r4;
  ld.shared.u32 %r5, [%r4];
  mad.lo.u32 %r6, %r1, {BOX}, %r0;
  mad.wide.u32 %rd9, %r6, 4, %rd1;
  st.global.u32 [%rd9], %r5;
$end:
  ret;
}}
""")


# --- Products ----------------------------------------------------------------------------

M, N, K, STEP = 64, 128, 64, 16
ROW = 128  # bytes, swizzled in units of 16


@dataclass
class FactorForm:
    """The layout of the right operand in shared memory, and its encoding in the descriptor."""
    is_transposed: bool
    leading: int
    stride: int
    step: int  # bytes between steps of 16 along k


ALONG_K = FactorForm(False, 16, 1024, 32)
ALONG_N = FactorForm(True, K * ROW, 1024, STEP * ROW)


def swizzled(rows: np.ndarray) -> bytes:
    """Rows of 64 f16 each: 16-byte unit c of row r is at position c ^ r % 8."""
    pieces = rows.astype(np.float16).reshape(len(rows), 8, 8)
    placed = np.empty_like(pieces)
    for row, content in enumerate(pieces):
        for piece in range(8):
            placed[row, piece ^ row % 8] = content[piece]
    return placed.tobytes()


class Product:
    """A 64x64 by 64x128 product of small integers: exact in every order of additions."""

    count = M * N

    def __init__(self, form: FactorForm):
        self.form = form
        random = np.random.default_rng(6)
        self.left = random.integers(-8, 9, (M, K))
        self.right = random.integers(-8, 9, (K, N))

    def shared_bytes(self) -> bytes:
        if self.form.is_transposed:  # stored in blocks of 64 columns
            right = np.concatenate([self.right[:, :64], self.right[:, 64:]])
        else:
            right = self.right.T
        return swizzled(self.left) + swizzled(right)

    def wrong(self, data: bytes) -> int:
        """The number of wrong elements. Thread t stores its 64 elements in the manual's order."""
        held = np.frombuffer(data, np.float32)
        expected = self.left @ self.right
        thread, slot = np.divmod(np.arange(self.count), N // 2)
        warp, lane = np.divmod(thread, 32)
        row = 16 * warp + lane // 4 + 8 * (slot // 2 % 2)
        column = slot // 4 * 8 + lane % 4 * 2 + slot % 2
        return int((held != expected[row, column]).sum())

    def code(self) -> bytes:
        registers = ", ".join(f"%f{number}" for number in range(N // 2))
        zeros = "\n".join(f"  mov.f32 %f{number}, 0f00000000;" for number in range(N // 2))
        stores = "\n".join(f"  st.global.f32 [%rd5+{4 * number}], %f{number};"
                           for number in range(N // 2))
        steps = "\n".join(self.step(number, registers) for number in range(K // STEP))
        total = len(self.shared_bytes())
        return module("8.0", "sm_90a", f"""
.visible .entry k(.param .u64 in, .param .u64 out)
.reqntid {THREADS}, 1, 1
{{
  .reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .pred %p<2>; .reg .f32 %f<{N // 2}>;
  .shared .align 1024 .b8 factors[{total}];
  ld.param.u64 %rd0, [in];
  ld.param.u64 %rd1, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, factors;
  mul.lo.u32 %r2, %r0, 4;
$copy:
  cvt.u64.u32 %rd2, %r2;
  add.u64 %rd3, %rd0, %rd2;
  ld.global.u32 %r3, [%rd3];
  add.u32 %r4, %r1, %r2;
  st.shared.u32 [%r4], %r3;
  add.u32 %r2, %r2, {4 * THREADS};
  setp.lt.u32 %p0, %r2, {total};
  @%p0 bra $copy;
  fence.proxy.async.shared::cta;
  bar.sync 0;
{zeros}
  setp.eq.u32 %p1, %r0, %r0;
  cvt.u64.u32 %rd4, %r1;
  wgmma.fence.sync.aligned;
{steps}
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  mad.wide.u32 %rd5, %r0, {2 * N}, %rd1;
{stores}
  ret;
}}
""")

    def step(self, number: int, registers: str) -> str:
        left = self.descriptor(number * ALONG_K.step, ALONG_K)
        right = self.descriptor(M * ROW + number * self.form.step, self.form)
        return f"""  shr.u64 %rd6, %rd4, 4;
  add.u64 %rd7, %rd6, {left};
  add.u64 %rd8, %rd6, {right};
  wgmma.mma_async.sync.aligned.m64n{N}k{STEP}.f32.f16.f16 {{{registers}}}, %rd7, %rd8, %p1, 1, 1, 0, {int(self.form.is_transposed)};"""

    @staticmethod
    def descriptor(offset: int, form: FactorForm) -> int:
        """All fields except for the address: 128-byte swizzle is mode 1 in the upper bits."""
        return offset >> 4 | (form.leading >> 4) << 16 | (form.stride >> 4) << 32 | 1 << 62
