# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Answers questions that only a GPU can answer: how a driver launches and loads our code.

    probes.py NAME [EXTENT]     asks the first GPU one question, and prints the answer as JSON

Each question is a function that returns an Answer: yes or no with the observation, or why it was not
asked. `./dev gpu` runs each one in its own process with a time limit, because a kernel that fails or
never ends makes the GPU unusable for its process.
"""

import ctypes
import dataclasses
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import attention_probe
import probe_code
import product_probes
import small_probes
from answers import Answer, answer, not_asked
from driver import DriverError, Gpu

LIMIT = 60  # seconds per probe
EXTENT = 8192  # of the matrices in probes that measure speed


def ask(name: str, extent: int) -> Answer:
    """Runs the probe in this process. A driver error means "no"."""
    gpu = Gpu()
    probe = PROBES[name][1]
    try:
        return probe(gpu, extent) if name in SIZED else probe(gpu)
    except DriverError as error:
        return Answer("no", str(error))


def ask_apart(name: str, extent: int = EXTENT) -> Answer:
    """Runs the probe in its own process."""
    command = [sys.executable, __file__, name, str(extent)]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return Answer("no", f"it had not ended after {LIMIT} s")
    if ended.returncode:
        said = (ended.stdout + ended.stderr).strip().splitlines()
        return Answer("failed", f"status {ended.returncode}: {said[-1] if said else 'silent'}")
    return Answer(**json.loads(ended.stdout.splitlines()[-1]))


# --- T1 to T3: launches ------------------------------------------------------------------


def number_threads(gpu: Gpu, function, launch, block: int) -> Answer:
    """Whether all 128 threads of 2 CTAs ran although the launch requests `block` threads."""
    count = probe_code.CTAS * probe_code.THREADS
    out = gpu.array(bytes(4 * count))
    launch(function, probe_code.CTAS, block, out)
    seen = struct.unpack(f"{count}I", gpu.read(out, 4 * count))
    ran = sum(value == number + 1 for number, value in enumerate(seen))
    return answer(ran == count, f"{ran} of {count} threads ran")


def block_of_one(gpu: Gpu) -> Answer:
    return number_threads(gpu, gpu.function(probe_code.numbers(), "k"), gpu.launch, 1)


def block_of_one_in_graph(gpu: Gpu) -> Answer:
    return number_threads(gpu, gpu.function(probe_code.numbers(), "k"), gpu.launch_graph, 1)


def block_of_one_as_cluster(gpu: Gpu) -> Answer:
    if gpu.capability < 90:
        return not_asked("clusters need sm_90")
    code = probe_code.numbers(probe_code.CLUSTER, "9.0", "sm_90")
    return number_threads(gpu, gpu.function(code, "k"), gpu.launch, 1)


def library_of_text(gpu: Gpu) -> Answer:
    return number_threads(gpu, gpu.library_function(probe_code.numbers(), "k"), gpu.launch,
                          probe_code.THREADS)


# --- T2 and T5: static shared memory -----------------------------------------------------


def last_word_of(gpu: Gpu, code: bytes, size: int = probe_code.MUCH_SHARED) -> Answer:
    """Whether a kernel can use the last word of this much shared memory."""
    out = gpu.array(bytes(4))
    gpu.launch(gpu.function(code, "k"), 1, 1, out)
    word, = struct.unpack("I", gpu.read(out, 4))
    return answer(word == probe_code.WORD, f"byte {size - 4} held {word:#x}")


def much_shared_memory(gpu: Gpu) -> Answer:
    if gpu.capability < 90:
        return not_asked("the assembler gives 48 KB before sm_90")
    target = f"sm_{gpu.capability}a"
    version = "8.0" if gpu.capability == 90 else "9.0"
    return last_word_of(gpu, probe_code.last_word(probe_code.MUCH_SHARED, version, target))


def edited_shared_memory(gpu: Gpu) -> Answer:
    if gpu.capability not in (80, 86, 87, 89):
        return not_asked("it is about sm_80 to sm_89")
    return edited(gpu, probe_code.MUCH_SHARED)


def edited_on_hopper(gpu: Gpu) -> Answer:
    """T9: without the suffix `a`, ptxas gives 48 KB for sm_90, too, and cubins have the same format as before."""
    if gpu.capability != 90:
        return not_asked("it is about sm_90")
    answers = [edited(gpu, size) for size in (probe_code.MUCH_SHARED, probe_code.MOST_SHARED)]
    word = next((found.word for found in answers if found.word != "yes"), "yes")
    return Answer(word, "; ".join(dict.fromkeys(found.seen for found in answers)))


def edited(gpu: Gpu, size: int) -> Answer:
    """Whether a cubin loads and runs whose size of static shared memory was changed after ptxas."""
    assembler = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    if not assembler:
        return not_asked("there is no ptxas")
    target = f"sm_{gpu.capability}"
    text = probe_code.last_word(probe_code.USUAL_SHARED, "7.8", target, size)
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = pathlib.Path(folder, "k.ptx"), pathlib.Path(folder, "k.cubin")
        source.write_bytes(text)
        subprocess.run([assembler, f"-arch={target}", source, "-o", cubin], check=True)
        code = probe_code.with_section_size(cubin.read_bytes(), ".nv.shared.k", size)
    return last_word_of(gpu, code, size)


# --- T4: tensor maps that a kernel creates -----------------------------------------------


def maps_in_a_pool(gpu: Gpu, code: bytes | None = None) -> Answer:
    if gpu.capability != 90:
        return not_asked("the kernel is for sm_90a")
    box, ctas = probe_code.BOX, probe_code.CTAS
    values = struct.pack(f"{box * ctas}I", *range(100, 100 + box * ctas))
    data, out = gpu.array(values), gpu.array(bytes(len(values)))
    pool, cycles = gpu.array(bytes(probe_code.MAP * ctas)), gpu.array(bytes(8 * ctas))
    function = gpu.function(code or probe_code.maps(), "k")
    gpu.launch(function, ctas, 32, data, out, pool, cycles)
    right = gpu.read(out, len(values)) == values
    cost = struct.unpack(f"{ctas}Q", gpu.read(cycles, 8 * ctas))
    outcome = "the boxes are right" if right else "the boxes are wrong"
    return answer(right, f"{outcome}; {min(cost)} to {max(cost)} cycles for each CTA's map")


# --- T6: descriptors of wgmma ------------------------------------------------------------


def product_by_descriptors(gpu: Gpu, form: probe_code.FactorForm) -> Answer:
    if gpu.capability != 90:
        return not_asked("wgmma needs sm_90a")
    product = probe_code.Product(form)
    factors = gpu.array(product.shared_bytes())
    out = gpu.array(bytes(4 * product.count))
    gpu.launch(gpu.function(product.code(), "k"), 1, probe_code.THREADS, factors, out)
    wrong = product.wrong(gpu.read(out, 4 * product.count))
    return answer(not wrong, f"{wrong} of {product.count} elements differ from the plain product")


def product_along_k(gpu: Gpu) -> Answer:
    return product_by_descriptors(gpu, probe_code.ALONG_K)


def product_along_n(gpu: Gpu) -> Answer:
    return product_by_descriptors(gpu, probe_code.ALONG_N)


# --- T7: rows of a box that are narrower than the swizzle --------------------------------


def narrow_rows(gpu: Gpu) -> Answer:
    """Whether rows are as far apart as the swizzle is wide, and how many bytes an mbarrier counts."""
    if gpu.capability < 90:
        return not_asked("tensor maps need sm_90")
    function = gpu.function(probe_code.narrow(), "k")
    seen = [narrow_box(gpu, function, swizzle, width)
            for swizzle in (32, 64, 128) for width in range(16, swizzle, 16)]
    if all(found for found, _ in seen):
        return answer(True, f"in {len(seen)} kinds of boxes; an mbarrier counts the bytes of the rows, "
                      "and gaps are not touched")
    return answer(False, "; ".join(said for found, said in seen if not found))


def narrow_box(gpu: Gpu, function, swizzle: int, width: int) -> tuple[bool, str]:
    rows, room = probe_code.NARROW_ROWS, probe_code.NARROW_ROOM
    pieces = width // 16  # units of 16 bytes, which a swizzle keeps together
    data = b"".join(bytes([row, piece] * 8) for row in range(rows) for piece in range(pieces))
    address = gpu.array(data)
    map = gpu.tensor_map(address, "u8", (width, rows), (width,), (width, rows), f"{swizzle}B")
    counted, held = 0, b""
    for count in (rows * width, rows * swizzle):
        if counted:
            break
        out = gpu.array(bytes(room + 4))
        gpu.start(function, (1,), probe_code.THREADS, map, out, ctypes.c_uint32(count))
        gpu.wait()
        held = gpu.read(out, room + 4)
        if held[room:] == b"\1\0\0\0":
            counted = count
    places = {}
    for at in range(0, room, 16):
        row, piece = held[at], held[at + 1]
        if row < rows and piece < pieces and held[at:at + 16] == bytes([row, piece] * 8):
            places[row, piece] = at
    fitting = [pitch for pitch in (width, swizzle) if all(
        places.get((row, piece)) == probe_code.within_swizzle(row * pitch + 16 * piece, swizzle)
        for row in range(rows) for piece in range(pieces))]
    untouched = probe_code.UNTOUCHED.to_bytes(4, "little") * 4
    gaps = {held[at:at + 16] == untouched for at in range(0, rows * swizzle, 16)
            if at not in places.values()}
    return (fitting == [swizzle] and counted == rows * width and gaps == {True},
            f"{swizzle}B, rows of {width}: {fitting} apart, counts {counted}, gaps "
            f"{'untouched' if gaps == {True} else 'written'}")


# --- T8: NaNs that fill elements outside of a tensor -------------------------------------


def filled_with_nan(gpu: Gpu) -> Answer:
    """Whether 16-bit elements outside are 0x7FF7, which fma.oob treats as zero."""
    if gpu.capability < 90:
        return not_asked("tensor maps need sm_90")
    function = gpu.function(probe_code.narrow(), "k")
    rows, inside, seen = probe_code.NARROW_ROWS, 8, {}
    for kind, size in (("f16", 2), ("bf16", 2), ("f32", 4), ("f32.ftz", 4), ("tf32", 4), ("f64", 8)):
        address = gpu.array(bytes(inside * rows * size))
        map = gpu.tensor_map(address, kind, (inside, rows), (inside * size,), (2 * inside, rows),
                             fills_nan=True)
        out = gpu.array(bytes(probe_code.NARROW_ROOM + 4))
        gpu.start(function, (1,), probe_code.THREADS, map, out,
                  ctypes.c_uint32(2 * inside * rows * size))
        gpu.wait()
        held = gpu.read(out, 2 * inside * size)[inside * size:]
        seen[kind] = " or ".join(sorted({f"0x{held[at:at + size][::-1].hex()}"
                                         for at in range(0, len(held), size)}))
    return answer(seen["f16"] == seen["bf16"] == "0x7ff7",
                  ", ".join(f"{kind} {bits}" for kind, bits in seen.items()))


SIZED = product_probes.PROBES | attention_probe.SIZED | small_probes.SIZED  # probes that take an extent

PROBES = {
    "T1": ("may a launch say block 1 where the kernel says `.reqntid 128`", block_of_one),
    "T1-cluster": ("the same with `.blocksareclusters` of one CTA", block_of_one_as_cluster),
    "T1-graph": ("the same as a node of a graph", block_of_one_in_graph),
    "T2": ("does 64 KiB of static shared memory load and run without an option",
           much_shared_memory),
    "T3": ("does cuLibraryLoadData take PTX text", library_of_text),
    "T4": ("do tensor maps work that a kernel makes in global memory", maps_in_a_pool),
    "T5": ("do 64 KiB of static shared memory run that are written into a cubin",
           edited_shared_memory),
    "T6-k": ("do wgmma's 128-byte swizzle and descriptors along k mean what we read",
             product_along_k),
    "T6-n": ("and those of a right factor along n", product_along_n),
    "T7": ("do rows of a box that are narrower than its swizzle lie as far apart as that is wide",
           narrow_rows),
    "T8": ("is 0x7ff7, of 16 bits, the NaN that fills what is outside of a tensor", filled_with_nan),
    "T9": ("do 64 and 160 KiB of static shared memory run that are written into a cubin for sm_90", edited_on_hopper),
    **small_probes.PROBES,
    **SIZED,
}


if __name__ == "__main__":
    print(json.dumps(dataclasses.asdict(ask(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else EXTENT))))
