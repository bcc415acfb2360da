# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the driver library's C interface, without a client: `driver.py IMAGE`, where tileiras has
compiled IMAGE from

    entry @store(%x: tile<ptr<i32>>, %value: tile<i32>)    which stores the value at the address
    entry @fail(%limit: tile<i32>)                         which asserts that 3 < limit

Expected results are those of the driver interface's documentation."""

import ctypes
import pathlib
import struct
import sys
import threading

from calls import call, driver, made

image = pathlib.Path(sys.argv[1]).read_bytes()

INVALID_VALUE, NOT_INITIALIZED, INVALID_DEVICE, INVALID_IMAGE = 1, 3, 101, 200
INVALID_CONTEXT, INVALID_HANDLE, NOT_FOUND, DESTROYED, ASSERT = 201, 400, 500, 709, 710


def parameters(*values):
    """An array of pointers, one for each value."""
    words = [ctypes.c_uint64(value) for value in values]
    array = (ctypes.c_void_p * len(words))(*(ctypes.addressof(word) for word in words))
    array.words = words
    return array


def launch(kernel, *values, stream=0, grid=(1, 1, 1)):
    return call("cuLaunchKernel", kernel, *grid, 1, 1, 1, 0, stream, parameters(*values), None)


def kernel(library, name):
    return made("cuLibraryGetKernel", library, name)


def test_nothing_works_before_the_start():
    place = ctypes.byref(ctypes.c_void_p())
    for name, *arguments in (
            ("cuDeviceGetCount", place), ("cuCtxGetCurrent", place), ("cuCtxSetCurrent", 0),
            ("cuCtxPushCurrent_v2", 0), ("cuCtxPopCurrent_v2", place), ("cuCtxSynchronize",),
            ("cuCtxGetDevice", place), ("cuStreamSynchronize", 0), ("cuStreamCreate", place, 0),
            ("cuEventCreate", place, 0), ("cuMemAlloc_v2", place, 16), ("cuMemFree_v2", 16),
            ("cuMemGetInfo_v2", place, place), ("cuMemcpy", 0, 0, 0), ("cuGraphCreate", place, 0),
            ("cuMemsetD8_v2", 0, 0, 0), ("cuLibraryLoadData", place, image, 0, 0, 0, 0, 0, 0)):
        assert call(name, *arguments) == NOT_INITIALIZED, name
    assert call("cuInit", 1) == INVALID_VALUE
    assert call("cuInit", 0) == 0


def test_the_device_has_every_attribute():
    value = ctypes.c_int(-1)
    for attribute in range(1, 148):
        assert call("cuDeviceGetAttribute", ctypes.byref(value), attribute, 0) == 0, attribute
    for attribute, expected in ((1, 1024), (10, 32), (75, 10), (76, 0), (41, 1), (21, 0)):
        assert call("cuDeviceGetAttribute", ctypes.byref(value), attribute, 0) == 0
        assert value.value == expected, attribute
    for attribute in (0, 148, 100000):
        assert call("cuDeviceGetAttribute", ctypes.byref(value), attribute, 0) == INVALID_VALUE
    assert call("cuDeviceGetAttribute", None, 1, 0) == INVALID_VALUE
    assert call("cuDeviceGetAttribute", ctypes.byref(value), 1, 1) == INVALID_DEVICE
    name = ctypes.create_string_buffer(b"?" * 8, 8)
    assert call("cuDeviceGetName", name, 8, 0) == 0 and name.value == b"Tilewri"


def test_what_is_no_handle_is_refused():
    library = made("cuLibraryLoadData", image, 0, 0, 0, 0, 0, 0)
    stream, event, graph = made("cuStreamCreate", 0), made("cuEventCreate", 0), made("cuGraphCreate", 0)
    instance, context = made("cuGraphInstantiateWithFlags", graph, 0), made("cuDevicePrimaryCtxRetain", 0)
    store = kernel(library, b"store")
    place = ctypes.byref(ctypes.c_uint64())
    uses = {
        "library": [lambda x: call("cuLibraryGetKernel", place, x, b"store"),
                    lambda x: call("cuLibraryGetKernelCount", place, x),
                    lambda x: call("cuLibraryUnload", x)],
        "kernel": [lambda x: launch(x, 0, 0), lambda x: call("cuKernelGetName", place, x),
                   lambda x: call("cuKernelGetLibrary", place, x),
                   lambda x: call("cuKernelGetFunction", place, x),
                   lambda x: call("cuFuncGetAttribute", place, 0, x)],
        "stream": [lambda x: launch(store, 0, 0, stream=x), lambda x: call("cuStreamSynchronize", x),
                   lambda x: call("cuStreamGetId", x, place), lambda x: call("cuStreamDestroy_v2", x),
                   lambda x: call("cuGraphLaunch", instance, x), lambda x: call("cuEventRecord", event, x)],
        "event": [lambda x: call("cuEventRecord", x, 0), lambda x: call("cuEventQuery", x),
                  lambda x: call("cuStreamWaitEvent", 0, x, 0), lambda x: call("cuEventDestroy_v2", x),
                  lambda x: call("cuEventElapsedTime_v2", place, x, x)],
        "graph": [lambda x: call("cuGraphInstantiateWithFlags", place, x, 0),
                  lambda x: call("cuGraphAddEmptyNode", place, x, 0, 0),
                  lambda x: call("cuGraphDestroy", x)],
        "instance": [lambda x: call("cuGraphLaunch", x, 0), lambda x: call("cuGraphUpload", x, 0),
                     lambda x: call("cuGraphExecDestroy", x)],
    }
    handles = {"library": library, "kernel": store, "stream": stream, "event": event, "graph": graph,
               "instance": instance, "context": context}
    for kind, calls in uses.items():
        for other, handle in {**handles, "garbage": 0xDEAD0}.items():
            for number, use in enumerate(calls):
                assert other == kind or use(handle) == INVALID_HANDLE, (kind, other, number)
    for name in ("cuCtxSetCurrent", "cuCtxPushCurrent_v2", "cuCtxDestroy_v2"):
        assert call(name, stream) == INVALID_CONTEXT
    for handle, destroy in ((stream, "cuStreamDestroy_v2"), (event, "cuEventDestroy_v2"),
                            (graph, "cuGraphDestroy"), (instance, "cuGraphExecDestroy"),
                            (library, "cuLibraryUnload")):
        assert call(destroy, handle) == 0 and call(destroy, handle) == INVALID_HANDLE
    assert launch(store, 0, 0) == INVALID_HANDLE  # unloaded with its library


def test_null_pointers_are_refused():
    library = made("cuLibraryLoadData", image, 0, 0, 0, 0, 0, 0)
    store = kernel(library, b"store")
    for name, *arguments in (("cuLibraryLoadData", 0, image, 0, 0, 0, 0, 0, 0), ("cuCtxGetCurrent", 0),
                             ("cuStreamGetCtx", 0, 0), ("cuEventCreate", 0, 0), ("cuMemAlloc_v2", 0, 4),
                             ("cuGraphCreate", 0, 0), ("cuLaunchKernelEx", 0, store, 0, 0),
                             ("cuLibraryGetKernel", 0, library, b"store"), ("cuKernelGetName", 0, store),
                             ("cuGetErrorName", 0, 0), ("cuDriverGetVersion", 0),
                             ("cuPointerGetAttribute", 0, 1, 0)):
        assert call(name, *arguments) == INVALID_VALUE, name
    assert call("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, 0, None) == INVALID_VALUE
    nothing = (ctypes.c_void_p * 2)()
    assert call("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, 0, nothing, None) == INVALID_VALUE
    # The pointer to the attributes is null.
    config = ctypes.create_string_buffer(struct.pack("7IxxxxQQIxxxx", 1, 1, 1, 1, 1, 1, 0, 0, 0, 1))
    assert call("cuLaunchKernelEx", config, store, parameters(0, 0), 0) == INVALID_VALUE
    assert call("cuLibraryGetKernel", ctypes.byref(ctypes.c_void_p()), library, b"no") == NOT_FOUND
    for grid in ((0, 1, 1), (1 << 24, 1, 1), (1, 1 << 16, 1), (1, 1, 1 << 16)):
        assert launch(store, 0, 0, grid=grid) == INVALID_VALUE, grid


def test_a_graph_keeps_what_it_launches():
    library = made("cuLibraryLoadData", image, 0, 0, 0, 0, 0, 0)
    word = ctypes.c_int32(1)
    graph = made("cuGraphCreate", 0)
    given = parameters(ctypes.addressof(word), 42)
    node = struct.pack("Q7IxxxxQQQQ", kernel(library, b"store"), 1, 1, 1, 1, 1, 1, 0,
                       ctypes.addressof(given), 0, 0, 0)
    made("cuGraphAddKernelNode_v2", graph, 0, 0, node)
    event = made("cuEventCreate", 0)
    made("cuGraphAddEventRecordNode", graph, 0, 0, event)
    instance = made("cuGraphInstantiateWithFlags", graph, 0)
    assert call("cuLibraryUnload", library) == 0 and call("cuGraphDestroy", graph) == 0
    assert call("cuEventDestroy_v2", event) == 0
    assert call("cuGraphLaunch", instance, 0) == 0 and word.value == 42
    assert call("cuGraphExecDestroy", instance) == 0
    # A launch that is always invalid cannot become a node.
    graph, place = made("cuGraphCreate", 0), ctypes.byref(ctypes.c_void_p())
    assert call("cuGraphAddKernelNode_v2", place, graph, 0, 0, node) == INVALID_VALUE
    assert call("cuGraphAddEventRecordNode", place, graph, 0, 0, event) == INVALID_VALUE


def test_contexts():
    primary = made("cuDevicePrimaryCtxRetain", 0)
    assert made("cuCtxGetCurrent") == primary
    context = made("cuCtxCreate_v2", 0, 0)
    assert made("cuCtxGetCurrent") == context
    stream = made("cuStreamCreate", 0)
    memory = made("cuMemAlloc_v2", 16)
    seen = []

    def elsewhere():
        assert call("cuCtxSetCurrent", context) == 0
        ready.set()
        destroyed.wait()
        seen.extend((call("cuCtxSynchronize"), call("cuCtxSetCurrent", 0), made("cuCtxGetCurrent")))

    ready, destroyed = threading.Event(), threading.Event()
    thread = threading.Thread(target=elsewhere)
    thread.start()
    ready.wait()
    assert made("cuCtxGetDevice_v2", context) == 0 and call("cuCtxSynchronize_v2", context) == 0
    assert call("cuCtxDestroy_v2", context) == 0
    assert call("cuCtxSynchronize_v2", context) == INVALID_CONTEXT
    destroyed.set()
    thread.join()
    assert seen == [DESTROYED, 0, primary]
    assert made("cuCtxGetCurrent") == primary
    assert call("cuCtxPushCurrent_v2", context) == INVALID_CONTEXT
    owner = ctypes.c_void_p()
    assert call("cuStreamGetCtx", stream, ctypes.byref(owner)) == 0 and owner.value == context
    assert made("cuPointerGetAttribute", 1, memory + 8) == context
    assert made("cuPointerGetAttribute", 1, id(seen)) == primary  # memory from elsewhere
    assert call("cuMemFree_v2", memory) == 0


def test_streams_have_ids_of_their_own():
    ids = set()
    for stream in (0, 2, made("cuStreamCreate", 0), made("cuStreamCreate", 1)):
        number = ctypes.c_uint64()
        assert call("cuStreamGetId", stream, ctypes.byref(number)) == 0
        ids.add(number.value)
    assert len(ids) == 4


def test_freeing_memory_tells_no_error_of_a_kernel():
    library = made("cuLibraryLoadData", image, 0, 0, 0, 0, 0, 0)
    memory = made("cuMemAlloc_v2", 16)
    assert launch(kernel(library, b"fail"), 3) == 0
    assert call("cuMemFree_v2", memory) == 0 and call("cuMemFree_v2", memory) == INVALID_VALUE
    assert call("cuCtxSynchronize") == ASSERT and call("cuCtxSynchronize") == 0


def test_a_name_stands_for_what_the_client_knows():
    def address(name, version):
        found = ctypes.c_void_p()
        error = driver.cuGetProcAddress_v2(name, ctypes.byref(found), version, ctypes.c_uint64(0), None)
        return error or found.value

    def exported(name):
        return ctypes.cast(getattr(driver, name), ctypes.c_void_p).value

    for name, version, form in (
            (b"cuCtxGetDevice", 12080, "cuCtxGetDevice"), (b"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"),
            (b"cuStreamGetCtx", 9020, "cuStreamGetCtx"), (b"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"),
            (b"cuGetProcAddress", 11030, "cuGetProcAddress"),
            (b"cuGetProcAddress", 12000, "cuGetProcAddress_v2"), (b"cuMemAlloc", 3020, "cuMemAlloc_v2"),
            (b"cuCtxCreate", 4000, "cuCtxCreate_v2"), (b"cuCtxCreate", 13000, "cuCtxCreate_v4"),
            (b"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags"),
            (b"cuStreamGetCaptureInfo", 12000, "cuStreamGetCaptureInfo_v2"),
            (b"cuStreamGetCaptureInfo", 13000, "cuStreamGetCaptureInfo_v3")):
        assert address(name, version) == exported(form), (name, version)
    assert address(b"cuNothing", 13000) == NOT_FOUND
    old = ctypes.c_void_p()
    assert driver.cuGetProcAddress(b"cuInit", ctypes.byref(old), 11030, ctypes.c_uint64(0)) == 0
    assert old.value == exported("cuInit")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("passed", name)
