# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Features of PyTorch that GPU scripts use besides arithmetic: streams and events, timing, seeds, files,
device properties, references to compare with, profilers. Each function is a typical use; a test runs
all of them under `tilewright exec` (test_torch_cuda.py)."""

import copy
import io
import pickle
import statistics
import tempfile
import warnings

import cuda.tile as ct
import torch
import torch.nn.functional as F

CUDA = torch.device("cuda", 0)


@ct.kernel
def add(x, y, z):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (16,)) + ct.load(y, (i,), (16,)))


def operands(dtype=torch.float32):
    torch.manual_seed(0)
    x, y = (torch.randn(64, device="cuda", dtype=dtype) for _ in range(2))
    return x, y, torch.zeros_like(x)


def refuses(error, text, call):
    try:
        call()
    except error as found:
        assert text in str(found), found
    else:
        raise AssertionError(f"no {error.__name__}")


# --- Kernels and their references ---------------------------------------------------------------


def compares_with_references():
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        x, y, z = operands(dtype)
        ct.launch(torch.cuda.current_stream(), (4,), add, (x, y, z))
        torch.testing.assert_close(z, x + y, rtol=0, atol=0)
    refuses(AssertionError, "not close", lambda: torch.testing.assert_close(z, x))
    refuses(AssertionError, "device", lambda: torch.testing.assert_close(z, z.cpu()))
    torch.testing.assert_close(z, z.cpu(), check_device=False)


def casts_to_small_floats():
    x = torch.tensor([0.3, 1.0, 449.0, -2.0], device="cuda")
    assert x.to(torch.float8_e4m3fn).float().tolist() == [0.3125, 1.0, 448.0, -2.0]
    assert x.to(torch.float8_e5m2).float().tolist() == [0.3125, 1.0, 448.0, -2.0]
    assert x.to(torch.float8_e4m3fn).view(torch.uint8).is_cuda
    scale = torch.tensor(2.0, device="cuda")
    ones = torch.ones(16, 16, device="cuda").to(torch.float8_e4m3fn)
    product = torch._scaled_mm(ones, ones.T, scale_a=scale, scale_b=scale, out_dtype=torch.float32)
    assert product.is_cuda and product[0, 0] == 64


def calls_functions_of_networks():
    torch.manual_seed(0)
    q = torch.randn(1, 2, 16, 8, device="cuda", dtype=torch.float16)
    images = torch.ones(1, 1, 4, 4, device="cuda")
    indices = torch.tensor([0, 1], device="cuda")
    x = torch.randn(4, 8, device="cuda")
    for found in (F.scaled_dot_product_attention(q, q, q, is_causal=True), F.layer_norm(x, (8,)),
                  F.rms_norm(x, (8,)), F.gelu(x), F.silu(x), F.softmax(x, -1), F.dropout(x, 0.5),
                  F.cross_entropy(x[:2], indices), F.linear(x, torch.ones(3, 8, device="cuda")),
                  F.one_hot(indices, 3), F.conv2d(images, torch.ones(1, 1, 3, 3, device="cuda")),
                  F.embedding(indices, x)):
        assert found.is_cuda and found.device == CUDA


def compiles_references():
    x = torch.ones(4, device="cuda")
    reference = torch.compile(lambda a: torch.softmax(a, 0) * 2, mode="max-autotune", dynamic=False)
    assert reference(x).is_cuda and reference(x).tolist() == [0.5] * 4
    layer = torch.compile(torch.nn.Linear(3, 2).cuda())
    assert layer(torch.ones(1, 3, device="cuda")).is_cuda


def transforms_functions():
    ones = torch.ones(3, 4, device="cuda")
    seen = []

    def twice(row):
        seen.append(row.device)
        return row * 2 + torch.zeros(4, device="cuda")

    found = torch.func.vmap(twice)(ones)
    assert found.is_cuda and seen == [CUDA] and found.tolist() == [[2.0] * 4] * 3
    sums, columns = torch.vmap(lambda a, b: (a.sum(), a + b), (0, None), (0, 1))(ones, ones[0])
    assert sums.is_cuda and columns.is_cuda and columns.shape == (4, 3)
    on_host = torch.func.vmap(lambda a: a + 1)(torch.ones(3, 4))
    assert on_host.is_cpu and not on_host.is_cuda
    x = torch.tensor([1.0, 2.0], device="cuda")
    gradient = torch.func.grad(lambda a: (a * a).sum())(x)
    assert gradient.is_cuda and gradient.tolist() == [2.0, 4.0]
    assert torch.func.jacrev(lambda a: a * a)(x).tolist() == [[2.0, 0.0], [0.0, 4.0]]
    value, tangent = torch.func.jvp(lambda a: a * a, (x,), (torch.ones_like(x),))
    assert value.is_cuda and tangent.is_cuda and tangent.tolist() == [2.0, 4.0]


def trains_a_step():
    for options in ({}, {"fused": True}, {"foreach": True}):
        layer = torch.nn.Linear(3, 2).to("cuda")
        optimizer = torch.optim.AdamW(layer.parameters(), lr=0.1, **options)
        before = layer.weight.detach().clone()
        layer(torch.ones(1, 3, device="cuda")).sum().backward()
        torch.nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        assert layer.weight.is_cuda and not torch.equal(layer.weight, before)


# --- Time and order -----------------------------------------------------------------------------


def times_by_events():
    """As in benchmarks: a cache is cleared between runs, and each run is between two events."""
    x, y, z = operands()
    cache = torch.empty(1 << 16, dtype=torch.int, device="cuda")
    begins, ends = ([torch.cuda.Event(enable_timing=True) for _ in range(5)] for _ in range(2))
    for begin, end in zip(begins, ends):
        cache.zero_()
        begin.record()
        ct.launch(torch.cuda.current_stream(), (4,), add, (x, y, z))
        end.record()
    torch.cuda.synchronize()
    times = torch.tensor([begin.elapsed_time(end) for begin, end in zip(begins, ends)])
    assert torch.quantile(times, 0.5) > 0 and statistics.median(times.tolist()) > 0


def uses_streams_and_events_of_any_device():
    x, y, z = operands()
    begin, end = (torch.Event("cuda", enable_timing=True) for _ in range(2))
    stream = torch.Stream(device="cuda")
    begin.record(stream)
    ct.launch(stream, (4,), add, (x, y, z))
    end = stream.record_event(end)
    end.synchronize()
    assert begin.elapsed_time(end) > 0 and stream.query() and end.query()
    assert isinstance(torch.cuda.Stream(), torch.Stream)
    assert isinstance(torch.cuda.Event(), torch.Event) and stream.device == CUDA
    other = torch.cuda.Stream(priority=-1)
    other.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(other):
        doubled = x * 2
    doubled.record_stream(other)
    torch.cuda.current_stream().wait_event(other.record_event())
    least, greatest = torch.cuda.Stream.priority_range()
    assert greatest <= least and torch.cuda.get_stream_from_external(other.cuda_stream) == other
    assert torch.equal(doubled, x * 2) and torch.equal(z, x + y)


def refuses_graphs():
    refuses(NotImplementedError, "make_graphed_callables",
            lambda: torch.cuda.make_graphed_callables(lambda a: a, (torch.ones(1),)))
    assert not torch.cuda.is_current_stream_capturing()


def profiles():
    cuda, cpu = torch.profiler.ProfilerActivity.CUDA, torch.profiler.ProfilerActivity.CPU
    for activities in ([cpu, cuda], [cuda], None):
        with torch.profiler.profile(activities=activities) as seen:
            with torch.profiler.record_function("product"):
                torch.mm(*[torch.ones(4, 4, device="cuda")] * 2)
        assert "aten::mm" in seen.key_averages().table(sort_by="cuda_time_total", row_limit=50)
    with torch.autograd.profiler.profile(use_device="cuda"), torch.autograd.profiler.emit_nvtx():
        torch.ones(3, device="cuda")
    torch.cuda.nvtx.range_push("a")
    torch.cuda.nvtx.range_pop()
    torch.cuda.nvtx.mark("b")
    with torch.cuda.nvtx.range("c"), torch.cuda.profiler.profile():
        torch.cuda.nvtx.range_end(torch.cuda.nvtx.range_start("d"))
    assert torch.cuda.cudart().cudaProfilerStart() == torch.cuda.cudart().cudaProfilerStop() == 0


# --- Where tensors are --------------------------------------------------------------------------


def puts_tensors_on_the_device():
    host = torch.ones(3)
    for there in (host.cuda(), host.cuda(0), host.to("cuda:0"), host.to(0), host.to(CUDA),
                  host.to("cuda", non_blocking=True), host.pin_memory().to("cuda", non_blocking=True)):
        assert there.is_cuda and there.device == CUDA and there.device.index == 0
    assert host.pin_memory().is_pinned() and torch.empty(3, pin_memory=True).is_pinned()
    assert not host.is_pinned()
    refuses(RuntimeError, "cannot pin", host.cuda().pin_memory)
    back = torch.empty(3, pin_memory=True)
    back.copy_(host.cuda() * 2, non_blocking=True)
    torch.cuda.synchronize()
    assert back.tolist() == [2.0] * 3
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(8, 2)), batch_size=4,
                                         pin_memory=True)
    assert [batch.to("cuda").device for batch, in loader] == [CUDA] * 2


def has_default_devices():
    torch.set_default_device("cuda")
    assert torch.ones(3).is_cuda and torch.randn(3).is_cuda and torch.randperm(5).is_cuda
    assert torch.get_default_device().type == "cuda"
    torch.set_default_device("cpu")
    assert torch.ones(3).is_cpu
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated
        torch.set_default_tensor_type("torch.cuda.HalfTensor")
        assert torch.ones(2).is_cuda and torch.ones(2).dtype == torch.float16
        torch.set_default_tensor_type(torch.FloatTensor)
    assert torch.ones(2).is_cpu and torch.ones(2).dtype == torch.float32
    with torch.cuda.device(0), CUDA:
        assert torch.ones(3).is_cuda


def knows_the_device_of_storages():
    x = torch.ones(3, device="cuda")
    storage = x.untyped_storage()
    assert storage.device == CUDA and storage.cpu().device.type == "cpu"
    assert storage.cpu().data_ptr() != storage.data_ptr() == x.data_ptr()
    assert x.cpu().untyped_storage().device.type == "cpu"
    assert copy.deepcopy(x).is_cuda and pickle.loads(pickle.dumps(x)).is_cuda
    assert copy.deepcopy(x.cpu()).is_cpu and pickle.loads(pickle.dumps(x.cpu())).is_cpu


def saves_and_loads():
    x = torch.arange(8.0, device="cuda")
    things = {"x": x, "tail": x[2:], "host": torch.ones(2).pin_memory(), "weight": torch.nn.Parameter(x)}
    file = io.BytesIO()
    torch.save(things, file)
    assert b"cuda:0" in file.getvalue() and b"tilewright" not in file.getvalue()

    def load(**options):
        file.seek(0)
        return torch.load(file, **options)

    found = load()
    assert [found[name].device for name in things] == [CUDA, CUDA, torch.device("cpu"), CUDA]
    assert isinstance(found["weight"], torch.nn.Parameter)
    assert found["tail"].data_ptr() == found["x"].data_ptr() + 8  # two elements behind it
    for location in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"}, lambda storage, there: storage):
        found = load(map_location=location)
        assert all(found[name].is_cpu and not found[name].is_cuda for name in things), location
        assert found["x"].numpy().tolist() == x.tolist()
    for location in ("cuda", "cuda:0", CUDA, lambda storage, there: storage.cuda()):
        found = load(map_location=location)
        assert all(found[name].is_cuda and found[name].device == CUDA for name in things), location
    refuses(RuntimeError, "cuda:1", lambda: load(map_location="cuda:1"))

    layer = torch.nn.Linear(3, 2).cuda()
    with tempfile.NamedTemporaryFile() as kept:
        torch.save(layer.state_dict(), kept.name)
        assert layer.load_state_dict(torch.load(kept.name, map_location="cuda", weights_only=True))
    on_host = torch.nn.Linear(3, 2)
    on_host.load_state_dict(layer.state_dict())
    assert layer.weight.is_cuda and on_host.weight.is_cpu


# --- What a device says of itself ---------------------------------------------------------------


def asks_about_the_device():
    assert torch.cuda.is_available() and torch.cuda.is_bf16_supported(including_emulation=False)
    assert torch.cuda.get_device_name() == torch.cuda.get_device_name(CUDA)
    assert torch.cuda.get_device_capability("cuda:0") == torch.cuda.get_device_capability(0)
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    assert properties.name and properties.total_memory and properties.multi_processor_count
    assert properties.clock_rate >= 0 and properties.memory_bus_width >= 0
    assert torch.accelerator.current_accelerator() == torch.device("cuda")
    torch.accelerator.set_device_index(0)
    torch.accelerator.synchronize()
    assert torch.cuda.get_sync_debug_mode() == 0


def asks_about_memory():
    assert "memory summary" in torch.cuda.memory_summary(abbreviated=True)
    before = torch.cuda.memory_allocated()
    more = torch.ones(1000, device="cuda")
    assert torch.cuda.memory_reserved(0) == torch.cuda.memory_allocated() == before + 4000
    assert torch.cuda.memory_stats("cuda")["allocated_bytes.all.peak"] == torch.cuda.max_memory_allocated()
    assert torch.cuda.max_memory_allocated() >= before + 4000
    free, total = torch.cuda.mem_get_info()
    assert 0 < free <= total
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    refuses(NotImplementedError, "set_per_process_memory_fraction",
            lambda: torch.cuda.set_per_process_memory_fraction(0.5))


def sets_how_to_compute():
    for allowed in (True, False):
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = allowed
        assert torch.backends.cuda.matmul.allow_tf32 is allowed
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    torch.backends.cudnn.benchmark = torch.backends.cudnn.deterministic = True
    torch.set_float32_matmul_precision("high")
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        q = torch.ones(1, 1, 4, 4, device="cuda")
        assert F.scaled_dot_product_attention(q, q, q).is_cuda
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert torch.mm(q[0, 0], q[0, 0]).dtype == torch.bfloat16


def draws_random_numbers():
    for seed in (torch.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all):
        seed(3)
        first = torch.rand(4, device="cuda")
        with torch.random.fork_rng(devices=["cuda"]):
            torch.rand(4, device="cuda")
        second = torch.rand(4, device="cuda")
        seed(3)
        assert torch.equal(first, torch.rand(4, device="cuda"))
        assert torch.equal(second, torch.rand(4, device="cuda"))


for script in [value for name, value in list(globals().items())
               if callable(value) and getattr(value, "__module__", "") == __name__
               and name not in ("operands", "refuses")]:
    script()
    print(script.__name__, flush=True)
