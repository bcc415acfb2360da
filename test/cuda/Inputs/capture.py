# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests stream capture: `capture.py IMAGE`, with the kernels of driver.py. Expected results are those of
the driver interface's documentation."""

import ctypes
import pathlib
import struct
import sys
import threading

import numpy as np
from calls import call, driver, made

image = pathlib.Path(sys.argv[1]).read_bytes()
ILLEGAL_STATE, UNSUPPORTED, INVALIDATED, MERGE, UNMATCHED, UNJOINED = 401, 900, 901, 902, 903, 904
ISOLATION, IMPLICIT, CAPTURED_EVENT, WRONG_THREAD, UPDATE_FAILURE = 905, 906, 907, 908, 910
INVALID_VALUE, INVALID_HANDLE, NOT_FOUND, NOT_SUPPORTED = 1, 400, 500, 801
GLOBAL, THREAD, RELAXED = 0, 1, 2
KERNEL, MEMCPY, MEMSET, HOST, GRAPH, WAIT, RECORD, ALLOC, FREE = 0, 1, 2, 3, 4, 6, 7, 10, 11
NON_BLOCKING = 1


def stream():
    return made("cuStreamCreate", NON_BLOCKING)


def begin(mode=GLOBAL):
    new = stream()
    assert call("cuStreamBeginCapture_v2", new, mode) == 0
    return new


def end(captured, error=0):
    graph = ctypes.c_void_p()
    assert call("cuStreamEndCapture", captured, ctypes.byref(graph)) == error
    assert bool(graph.value) == (error == 0)
    return graph.value


def status(captured):
    found = ctypes.c_int(-1)
    assert call("cuStreamIsCapturing", captured, ctypes.byref(found)) == 0
    return found.value


def launch(instance):
    assert call("cuGraphLaunch", instance, 0) == 0 and call("cuCtxSynchronize") == 0


def nodes(graph, function="cuGraphGetNodes"):
    count = ctypes.c_size_t()
    assert call(function, graph, None, ctypes.byref(count)) == 0
    found = (ctypes.c_void_p * count.value)()
    assert call(function, graph, found, ctypes.byref(count)) == 0
    return list(found)


def kinds(graph):
    found = []
    for node in nodes(graph):
        kind = ctypes.c_int(-1)
        assert call("cuGraphNodeGetType", node, ctypes.byref(kind)) == 0
        found.append(kind.value)
    return found


def edges(graph):
    """The edges as pairs of node numbers."""
    count = ctypes.c_size_t()
    assert call("cuGraphGetEdges", graph, None, None, ctypes.byref(count)) == 0
    sources, targets = (ctypes.c_void_p * count.value)(), (ctypes.c_void_p * count.value)()
    assert call("cuGraphGetEdges", graph, sources, targets, ctypes.byref(count)) == 0
    order = nodes(graph)
    return sorted((order.index(a), order.index(b)) for a, b in zip(sources, targets))


def fill(array, value, on):
    assert call("cuMemsetD32Async", array.ctypes.data, value, array.size, on) == 0


def copy(to, source, on):
    assert call("cuMemcpyAsync", to.ctypes.data, source.ctypes.data, to.nbytes, on) == 0


def test_what_is_captured_runs_when_the_graph_does():
    library = made("cuLibraryLoadData", image, 0, 0, 0, 0, 0, 0)
    store = made("cuLibraryGetKernel", library, b"store")
    a, b, c, seen = *np.zeros((3, 4), np.int32), []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(seen.append)
    captured = begin()
    fill(a, 7, captured)
    words = [ctypes.c_uint64(a.ctypes.data), ctypes.c_uint64(42)]
    pointers = (ctypes.c_void_p * 2)(*map(ctypes.addressof, words))
    assert call("cuLaunchKernel", store, 1, 1, 1, 1, 1, 1, 0, captured, pointers, None) == 0
    words[1].value = 0  # the value was copied before
    copy(b, a, captured)
    rectangle = struct.pack("QQIxxxxQQQQ", 0, 0, 2, 0, b.ctypes.data, 0, 16) + \
        struct.pack("QQIxxxxQQQQ", 4, 0, 2, 0, c.ctypes.data, 0, 16) + struct.pack("QQ", 8, 1)
    assert call("cuMemcpy2DAsync_v2", rectangle, captured) == 0
    assert call("cuLaunchHostFunc", captured, callback, 5) == 0
    assert status(captured) == 1
    graph = end(captured)
    assert status(captured) == 0 and not a.any() and not b.any() and not seen
    assert kinds(graph) == [MEMSET, KERNEL, MEMCPY, MEMCPY, HOST]
    assert edges(graph) == [(0, 1), (1, 2), (2, 3), (3, 4)]
    instance = made("cuGraphInstantiateWithFlags", graph, 0)
    assert call("cuGraphDestroy", graph) == 0 and call("cuStreamDestroy_v2", captured) == 0
    for launches in (1, 2):
        a[:] = b[:] = 1
        launch(instance)
        assert a.tolist() == b.tolist() == [42, 7, 7, 7] and c.tolist() == [0, 42, 7, 0]
        assert seen == [5] * launches


def test_other_streams_join():
    a, b, c = np.zeros((3, 2), np.int32)
    first, second = begin(), stream()
    fork, join = made("cuEventCreate", 0), made("cuEventCreate", 0)
    fill(a, 1, first)
    assert call("cuEventRecord", fork, first) == 0 and call("cuStreamWaitEvent", second, fork, 0) == 0
    assert status(second) == 1
    fill(b, 2, second)
    fill(c, 3, first)
    assert call("cuEventRecord", join, second) == 0 and call("cuStreamWaitEvent", first, join, 0) == 0
    copy(a, b, first)
    graph = end(first)
    assert status(second) == 0
    assert kinds(graph) == [MEMSET, MEMSET, MEMSET, MEMCPY]
    assert edges(graph) == [(0, 1), (0, 2), (1, 3), (2, 3)]
    assert nodes(graph, "cuGraphGetRootNodes") == nodes(graph)[:1]
    launch(made("cuGraphInstantiateWithFlags", graph, 0))
    assert a.tolist() == b.tolist() == [2, 2] and c.tolist() == [3, 3]
    assert call("cuStreamWaitEvent", second, join, 0) == CAPTURED_EVENT  # its capture has ended
    assert call("cuEventRecord", join, second) == 0 and call("cuStreamWaitEvent", first, join, 0) == 0


def test_what_did_not_join_is_an_error():
    word = np.zeros(1, np.int32)
    first, second, event = begin(), stream(), made("cuEventCreate", 0)
    assert call("cuEventRecord", event, first) == 0 and call("cuStreamWaitEvent", second, event, 0) == 0
    assert call("cuStreamEndCapture", second, ctypes.byref(ctypes.c_void_p())) == UNMATCHED
    end(first, INVALIDATED)
    first = begin()
    assert call("cuEventRecord", event, first) == 0 and call("cuStreamWaitEvent", second, event, 0) == 0
    fill(word, 1, second)
    end(first, UNJOINED)
    assert status(first) == status(second) == 0 and not word.any()
    # Captures cannot be merged, and a captured stream cannot wait for uncaptured work.
    first, other = begin(RELAXED), begin(RELAXED)
    assert call("cuEventRecord", event, first) == 0 and call("cuStreamWaitEvent", other, event, 0) == MERGE
    end(first, INVALIDATED), end(other, INVALIDATED)
    outside = made("cuEventCreate", 0)
    first = begin()
    assert call("cuStreamWaitEvent", first, outside, 0) == ISOLATION
    assert status(first) == 2
    end(first, INVALIDATED)


def test_who_waits_for_a_capture_ends_it():
    event, place = made("cuEventCreate", 0), ctypes.byref(ctypes.c_void_p())
    for waits, error in ((lambda s: call("cuStreamSynchronize", s), UNSUPPORTED),
                         (lambda s: call("cuStreamQuery", s), UNSUPPORTED),
                         (lambda s: call("cuCtxSynchronize"), UNSUPPORTED),
                         (lambda s: call("cuMemAlloc_v2", place, 16), UNSUPPORTED),
                         (lambda s: call("cuMemcpy", 0, 0, 0), UNSUPPORTED),
                         (lambda s: call("cuEventRecord", event, s) or call("cuEventSynchronize", event),
                          CAPTURED_EVENT)):
        captured = begin()
        assert waits(captured) == error and status(captured) == 2
        word = np.zeros(1, np.int32)
        assert call("cuMemsetD32Async", word.ctypes.data, 1, 1, captured) == INVALIDATED
        end(captured, INVALIDATED)
    # The legacy stream waits for streams without the non-blocking flag.
    blocking = made("cuStreamCreate", 0)
    assert call("cuStreamBeginCapture_v2", blocking, GLOBAL) == 0
    assert call("cuStreamIsCapturing", 0, place) == IMPLICIT and status(blocking) == 1
    assert call("cuMemsetD32Async", word.ctypes.data, 1, 1, 0) == IMPLICIT and status(blocking) == 2
    end(blocking, INVALIDATED)
    captured = begin()
    fill(word, 5, 0)
    assert word[0] == 5
    end(captured)


def test_modes():
    def exchange(mode):
        before = ctypes.c_uint(mode)
        assert call("cuThreadExchangeStreamCaptureMode", ctypes.byref(before)) == 0
        return before.value

    def allocate():
        address = ctypes.c_void_p()
        error = call("cuMemAlloc_v2", ctypes.byref(address), 16)
        assert error or call("cuMemFree_v2", address.value) == 0
        return error

    def elsewhere(function):
        found = []
        thread = threading.Thread(target=lambda: found.append(function()))
        thread.start()
        thread.join()
        return found[0]

    for mode, here, there in ((GLOBAL, UNSUPPORTED, UNSUPPORTED), (THREAD, UNSUPPORTED, 0), (RELAXED, 0, 0)):
        for use, error in ((allocate, here), (lambda: elsewhere(allocate), there)):
            captured = begin(mode)
            assert use() == error, mode
            end(captured, INVALIDATED if error else 0)
    captured = begin()
    assert exchange(RELAXED) == GLOBAL and allocate() == 0 and exchange(GLOBAL) == RELAXED
    assert elsewhere(lambda: call("cuStreamEndCapture", captured, ctypes.byref(ctypes.c_void_p()))) == WRONG_THREAD
    end(captured)
    captured = begin(RELAXED)
    assert elsewhere(lambda: bool(end(captured)))
    assert call("cuThreadExchangeStreamCaptureMode", ctypes.byref(ctypes.c_uint(3))) == INVALID_VALUE


def test_the_graph_goes_with_a_capture_that_fails():
    def graph_of(captured):
        kind, graph = ctypes.c_int(), ctypes.c_void_p()
        assert call("cuStreamGetCaptureInfo_v2", captured, ctypes.byref(kind), 0, ctypes.byref(graph), 0, 0) == 0
        return graph.value

    event, word = made("cuEventCreate", 0), np.zeros(1, np.int32)
    given = made("cuGraphCreate", 0)
    for ends in (lambda s: (call("cuCtxSynchronize"), end(s, INVALIDATED)),
                 lambda s: call("cuStreamDestroy_v2", s)):
        captured = begin()
        fill(word, 1, captured)
        graph = graph_of(captured)
        node = nodes(graph)[0]
        assert call("cuEventRecord", event, captured) == 0  # the event stays valid
        ends(captured)
        assert call("cuGraphNodeGetType", node, ctypes.byref(ctypes.c_int())) == INVALID_VALUE
        assert call("cuGraphDestroy", graph) == INVALID_HANDLE
        # A graph that the client created stays.
        captured = stream()
        assert call("cuStreamBeginCaptureToGraph", captured, given, 0, 0, 0, GLOBAL) == 0
        ends(captured)
    assert call("cuGraphDestroy", given) == 0


def test_wrong_use():
    place = ctypes.byref(ctypes.c_void_p())
    idle = stream()
    assert call("cuStreamEndCapture", idle, place) == ILLEGAL_STATE
    assert call("cuStreamBeginCapture_v2", 0, GLOBAL) == UNSUPPORTED
    assert call("cuStreamBeginCapture_v2", idle, 3) == INVALID_VALUE
    assert call("cuStreamBeginCapture_v2", 0xDEAD0, GLOBAL) == INVALID_HANDLE
    captured = begin()
    assert call("cuStreamBeginCapture_v2", captured, GLOBAL) == ILLEGAL_STATE
    assert call("cuStreamEndCapture", captured, 0) == INVALID_VALUE
    end(captured)
    assert call("cuStreamBeginCapture_v2", captured, GLOBAL) == 0
    assert call("cuStreamDestroy_v2", captured) == 0  # ends its capture
    assert call("cuMemcpy", 0, 0, 0) == 0


def test_what_a_capture_tells():
    word = np.zeros(1, np.int32)
    kind, number, graph, count = ctypes.c_int(), ctypes.c_uint64(), ctypes.c_void_p(), ctypes.c_size_t(9)
    behind, data = ctypes.POINTER(ctypes.c_void_p)(), ctypes.c_void_p(1)
    captured = begin()
    fill(word, 1, captured)
    assert call("cuStreamGetCaptureInfo_v3", captured, *map(ctypes.byref, (
        kind, number, graph, behind, data, count))) == 0
    assert kind.value == 1 and number.value and count.value == 1 and not data
    assert behind[0] == nodes(graph)[0]
    # A node added by the client, followed by captured nodes.
    own = made("cuGraphAddEmptyNode", graph, 0, 0)
    assert call("cuStreamUpdateCaptureDependencies", captured, (ctypes.c_void_p * 1)(own), 1, 1) == 0
    fill(word, 2, captured)
    assert call("cuStreamUpdateCaptureDependencies", captured, (ctypes.c_void_p * 1)(nodes(graph)[0]), 1, 0) == 0
    assert end(captured) == graph.value
    assert edges(graph) == [(1, 2)]
    assert call("cuStreamGetCaptureInfo_v2", captured, ctypes.byref(kind), 0, 0, 0, 0) == 0 and kind.value == 0


def test_what_the_client_releases_need_not_join():
    word, none = np.zeros(1, np.int32), (ctypes.c_void_p * 1)()
    captured = begin()
    fill(word, 1, captured)
    fill(word, 2, captured)
    assert call("cuStreamUpdateCaptureDependencies", captured, none, 0, 1) == 0
    fill(word, 3, captured)
    assert edges(end(captured)) == [(0, 1)]
    # A dependency in another stream; later work there must join again.
    for later, error in ((lambda: None, 0), (lambda: fill(word, 2, second), UNJOINED)):
        first, second, event = begin(), stream(), made("cuEventCreate", 0)
        assert call("cuEventRecord", event, first) == 0 and call("cuStreamWaitEvent", second, event, 0) == 0
        fill(word, 1, second)
        assert call("cuStreamUpdateCaptureDependencies", second, none, 0, 1) == 0
        later()
        end(first, error)


def test_memory_and_graphs_in_a_capture():
    word = np.zeros(1, np.int32)
    inner = begin()
    fill(word, 3, inner)
    instance = made("cuGraphInstantiateWithFlags", end(inner), 0)
    captured = begin()
    memory = made("cuMemAllocAsync", 4, captured)
    assert call("cuGraphLaunch", instance, captured) == 0
    assert call("cuMemcpyAsync", memory, word.ctypes.data, 4, captured) == 0
    fill(word, 0, captured)
    assert call("cuMemcpyAsync", word.ctypes.data, memory, 4, captured) == 0
    assert call("cuMemFreeAsync", memory, captured) == 0
    event = made("cuEventCreate", 0)
    assert call("cuEventRecordWithFlags", event, captured, 1) == 0
    assert call("cuStreamWaitEvent", captured, event, 1) == 0
    graph = end(captured)
    assert kinds(graph) == [ALLOC, GRAPH, MEMCPY, MEMSET, MEMCPY, FREE, RECORD, WAIT]
    assert not word.any()
    launch(made("cuGraphInstantiateWithFlags", graph, 0))
    assert word.tolist() == [3] and call("cuEventQuery", event) == 0
    base, size = ctypes.c_uint64(), ctypes.c_size_t()
    assert call("cuMemGetAddressRange_v2", ctypes.byref(base), ctypes.byref(size), memory + 3) == 0
    assert (base.value, size.value) == (memory, 4)
    assert call("cuMemFree_v2", memory) == 0 and call("cuMemFreeAsync", memory, 0) == 0
    launch(made("cuGraphInstantiateWithFlags", graph, 0))
    free, place = made("cuGraphCreate", 0), ctypes.byref(ctypes.c_void_p())
    assert call("cuGraphAddMemFreeNode", place, free, 0, 0, memory) == 0
    assert call("cuGraphAddMemFreeNode", place, free, 0, 0, memory + 1) == INVALID_VALUE
    # The memory is freed with everything made from the graph.
    captured = begin()
    memory = made("cuMemAllocAsync", 4, captured)
    assert call("cuGraphDestroy", end(captured)) == 0
    assert call("cuMemGetAddressRange_v2", 0, 0, memory) == NOT_FOUND
    other = made("cuMemAlloc_v2", 4)
    captured = begin()
    assert call("cuMemFreeAsync", other, captured) == INVALID_VALUE  # no node allocates it
    end(captured)
    assert call("cuMemFree_v2", other) == 0


def test_updates_and_clones():
    word = np.zeros(2, np.int32)

    def graph(*values, event=None):
        captured = begin()
        for value in values:
            fill(word, value, captured)
        if event:
            assert call("cuEventRecordWithFlags", event, captured, 1) == 0
        return end(captured)

    first = graph(1, 2)
    clone = made("cuGraphClone", first)
    assert edges(clone) == [(0, 1)] and kinds(clone) == [MEMSET] * 2 and not set(nodes(clone)) & set(nodes(first))
    instance = made("cuGraphInstantiateWithFlags", first, 0)
    info = ctypes.create_string_buffer(24)
    assert call("cuGraphExecUpdate_v2", instance, graph(5, 6), info) == 0
    launch(instance)
    assert word.tolist() == [6, 6]
    longer, other = graph(1, 2, 3), graph(1, event=made("cuEventCreate", 0))
    for wrong, result in ((longer, 2), (other, 3)):
        assert call("cuGraphExecUpdate_v2", instance, wrong, info) == UPDATE_FAILURE
        assert struct.unpack_from("i", info)[0] == result
    launch(instance)
    assert word.tolist() == [6, 6]
    launch(made("cuGraphInstantiateWithFlags", clone, 0))
    assert word.tolist() == [2, 2]
    # A child graph runs what the graph contained when it was added.
    outer = made("cuGraphCreate", 0)
    child = made("cuGraphAddChildGraphNode", outer, 0, 0, clone)
    seen = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(seen.append)
    host = struct.pack("QQ", ctypes.cast(callback, ctypes.c_void_p).value, 9)
    made("cuGraphAddHostNode", outer, (ctypes.c_void_p * 1)(child), 1, host)
    assert call("cuGraphDestroy", clone) == 0
    word[:] = 0
    launch(made("cuGraphInstantiateWithFlags", outer, 0))
    assert word.tolist() == [2, 2] and seen == [9]
    stranger = (ctypes.c_void_p * 1)(nodes(first)[0])
    assert call("cuGraphAddEmptyNode", ctypes.byref(ctypes.c_void_p()), outer, stranger, 1) == INVALID_VALUE


def test_a_kernel_of_an_instance_is_changed():
    library = made("cuLibraryLoadData", image, 0, 0, 0, 0, 0, 0)
    store = made("cuLibraryGetKernel", library, b"store")
    word = np.zeros(1, np.int32)

    def parameters(value):
        words = [ctypes.c_uint64(word.ctypes.data), ctypes.c_uint64(value)]
        pointers = (ctypes.c_void_p * 2)(*map(ctypes.addressof, words))
        kept.extend((words, pointers))
        return struct.pack("Q7IxxxxQQQQ", store, 1, 1, 1, 1, 1, 1, 0, ctypes.addressof(pointers), 0, 0, 0)

    kept = []
    graph = made("cuGraphCreate", 0)
    node = made("cuGraphAddKernelNode_v2", graph, 0, 0, parameters(1))
    instance = made("cuGraphInstantiateWithFlags", graph, 0)
    assert call("cuGraphExecKernelNodeSetParams_v2", instance, node, parameters(2)) == 0
    launch(instance)
    assert word.tolist() == [2]
    launch(made("cuGraphInstantiateWithFlags", graph, 0))
    assert word.tolist() == [1]
    empty = made("cuGraphAddEmptyNode", graph, 0, 0)
    assert call("cuGraphExecKernelNodeSetParams_v2", instance, empty, parameters(2)) == INVALID_VALUE


def test_edges_come_and_go():
    """Nodes run in an order that satisfies the edges, whichever was added first."""
    seen, kept = [], []

    def node(number):
        callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: seen.append(number))
        kept.append(callback)
        host = struct.pack("QQ", ctypes.cast(callback, ctypes.c_void_p).value, 0)
        return made("cuGraphAddHostNode", graph, 0, 0, host)

    def change(function, *pairs):
        array = ctypes.c_void_p * len(pairs)
        return call(function, graph, array(*(a for a, _ in pairs)), array(*(b for _, b in pairs)), len(pairs))

    def order():
        seen.clear()
        launch(made("cuGraphInstantiateWithFlags", graph, 0))
        return seen[:]

    def asked(function, of):
        count = ctypes.c_size_t(5)
        found = (ctypes.c_void_p * 5)()
        assert call(function, of, found, ctypes.byref(count)) == 0
        return found[:count.value]

    graph = made("cuGraphCreate", 0)
    a, b, c = node(1), node(2), node(3)
    before = made("cuGraphInstantiateWithFlags", graph, 0)
    assert change("cuGraphAddDependencies", (c, a), (b, a)) == 0 and order() == [2, 3, 1]
    assert sorted(asked("cuGraphNodeGetDependencies", a)) == sorted([b, c])
    assert asked("cuGraphNodeGetDependentNodes", b) == [a] and asked("cuGraphNodeGetDependentNodes", a) == []
    info = ctypes.create_string_buffer(24)
    assert call("cuGraphExecUpdate_v2", before, graph, info) == UPDATE_FAILURE  # it has no edges
    assert struct.unpack_from("i", info)[0] == 2

    # Refused calls change nothing: a cycle, an existing edge, a node without graph.
    for pairs in ([(b, c), (a, b)], [(b, c), (c, a)], [(a, a)], [(b, c), (graph, a)], [(b, c), (b, c)]):
        assert change("cuGraphAddDependencies", *pairs) == INVALID_VALUE
        assert asked("cuGraphNodeGetDependentNodes", b) == [a]
    assert change("cuGraphRemoveDependencies", (b, a), (b, c)) == INVALID_VALUE
    assert change("cuGraphRemoveDependencies", (b, a)) == 0 and asked("cuGraphNodeGetDependencies", a) == [c]

    data = struct.pack("Q", 0), struct.pack("Q", 1)
    one = ctypes.c_void_p * 1
    assert call("cuGraphAddDependencies_v2", graph, one(c), one(b), data[1], 1) == NOT_SUPPORTED
    assert call("cuGraphAddDependencies_v2", graph, one(c), one(b), data[0], 1) == 0
    count, found, bytes = ctypes.c_size_t(2), (ctypes.c_void_p * 2)(), ctypes.create_string_buffer(b"x" * 16)
    assert call("cuGraphNodeGetDependentNodes_v2", c, found, bytes, ctypes.byref(count)) == 0
    assert sorted(found) == sorted([a, b]) and bytes.raw[:16] == b"\0" * 16
    assert order() in ([3, 1, 2], [3, 2, 1])

    assert call("cuGraphDestroyNode", c) == 0 and call("cuGraphDestroyNode", c) == INVALID_VALUE
    assert nodes(graph, "cuGraphGetRootNodes") == nodes(graph) and edges(graph) == [] and sorted(order()) == [1, 2]
    seen.clear()
    launch(before)
    assert seen == [1, 2, 3]  # unchanged

    # Nothing can be removed from graphs with allocations.
    captured = begin()
    memory = made("cuMemAllocAsync", 64, captured)
    assert call("cuMemFreeAsync", memory, captured) == 0
    graph = end(captured)
    assert change("cuGraphRemoveDependencies", tuple(nodes(graph))) == INVALID_VALUE
    assert call("cuGraphDestroyNode", nodes(graph)[1]) == INVALID_VALUE


assert call("cuInit", 0) == 0
for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("passed", name)
