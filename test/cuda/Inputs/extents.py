# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests a kernel whose symbol contains no types on the reference machine: `extents.py IMAGE`, with the
kernels of driver.py. Arrays end where the driver's allocation ends."""

import ctypes
import pathlib
import sys

from calls import call, made

ILLEGAL_ADDRESS, NOT_SUPPORTED = 700, 801


def launch(address, value=0, kernel=None):
    words = [ctypes.c_uint64(address), ctypes.c_uint64(value)]
    pointers = (ctypes.c_void_p * 2)(*map(ctypes.addressof, words))
    return call("cuLaunchKernel", kernel or store, 1, 1, 1, 1, 1, 1, 0, 0, pointers, None)


assert call("cuInit", 0) == 0
library = made("cuLibraryLoadData", pathlib.Path(sys.argv[1]).read_bytes(), 0, 0, 0, 0, 0, 0)
store = made("cuLibraryGetKernel", library, b"store")
memory = made("cuMemAlloc_v2", 12)
assert call("cuMemsetD8_v2", memory, 0, 12) == 0
for element in range(3):
    assert launch(memory + 4 * element, 7 + element) == 0 and call("cuCtxSynchronize") == 0
words = (ctypes.c_int32 * 3)()
assert call("cuMemcpyDtoH_v2", words, memory, 12) == 0 and list(words) == [7, 8, 9]
# The number of elements equals the number of bytes.
last = made("cuLibraryGetKernel", library, b"last_of_12")
assert call("cuMemsetD8_v2", memory, 0, 12) == 0 and call("cuMemsetD8_v2", memory, 0x38, 1) == 0
assert launch(memory, kernel=last) == 0 and call("cuCtxSynchronize") == 0
assert ctypes.string_at(memory, 12) == b"\x38" + bytes(10) + b"\x38"
# Registered host memory, and memory that is unknown to the driver.
own = (ctypes.c_int32 * 2)()
assert launch(ctypes.addressof(own), 5) == NOT_SUPPORTED
assert call("cuMemHostRegister_v2", ctypes.addressof(own), 4, 0) == 0
assert launch(ctypes.addressof(own), 5) == 0 and call("cuCtxSynchronize") == 0 and list(own) == [5, 0]
# Memory allocated by a graph.
captured = made("cuStreamCreate", 1)
assert call("cuStreamBeginCapture_v2", captured, 0) == 0
memory = made("cuMemAllocAsync", 4, captured)
graph = ctypes.c_void_p()
assert call("cuStreamEndCapture", captured, ctypes.byref(graph)) == 0
assert launch(memory, 6) == 0 and call("cuCtxSynchronize") == 0
assert ctypes.c_int32.from_address(memory).value == 6
# No room for a whole element; and no memory.
short = made("cuMemAlloc_v2", 3)
assert launch(short, 1) == 0 and call("cuCtxSynchronize") == ILLEGAL_ADDRESS
assert launch(0, 1) == 0 and call("cuCtxSynchronize") == ILLEGAL_ADDRESS
print("passed extents")
