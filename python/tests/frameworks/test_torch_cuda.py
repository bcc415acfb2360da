# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch under `tilewright exec`: "cuda" tensors in host memory."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None,
                                reason="needs PyTorch (./dev test frameworks installs it)")

PRELUDE = """
import warnings; warnings.simplefilter("error")
import cuda.tile as ct
import torch

@ct.kernel
def add(x, y, z):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (16,)) + ct.load(y, (i,), (16,)))

x = torch.arange(64, dtype=torch.float32, device="cuda")
y = torch.randn(64, device="cuda")
z = torch.zeros_like(x)
cuda = torch.device("cuda", 0)

def expect(error, text, call):
    try:
        call()
    except error as found:
        assert text in str(found), found
    else:
        raise AssertionError(f"no {error.__name__}")
"""


def run(tmp_path, script, *options):
    path = tmp_path / "script.py"
    path.write_text(PRELUDE + textwrap.dedent(script))
    ended = subprocess.run([sys.executable, "-m", "tilewright", *options, str(path)],
                           capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    return ended


@pytest.mark.parametrize("options", [[], ["--check=all"], ["--arrays=torch"]], ids=str)
def test_launch(options, tmp_path):
    run(tmp_path, """
        ct.launch(torch.cuda.current_stream(), (4,), add, (x, y, z))
        torch.testing.assert_close(z, x + y, rtol=0, atol=0)
        twice = torch.empty_like(z)
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            assert torch.cuda.current_stream() == stream
            ct.launch(torch.cuda.current_stream(), (4,), add, (z, y, twice))
        stream.synchronize()
        assert torch.cuda.current_stream() == torch.cuda.default_stream()
        assert twice.cpu().tolist() == (x.cpu() + y.cpu() + y.cpu()).tolist()
        ct.launch(torch.cuda.Stream().cuda_stream, (4,), add, (x, y, z))  # a handle without its stream
        assert torch.cuda.Stream() != torch.cuda.Stream()
        """, *options)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16",
                                   "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2"])
def test_every_type_passes(dtype, tmp_path):
    run(tmp_path, f"""
        @ct.kernel
        def copy(x, y):
            ct.store(y, (0, 0), ct.load(x, (0, 0), (4, 8)))

        source = torch.randint(0, 2, (8, 4), device="cuda").to(torch.{dtype}).T
        target = torch.zeros(4, 8, device="cuda").to(torch.{dtype})
        ct.launch(torch.cuda.current_stream(), (1,), copy, (source, target))
        assert source.float().tolist() == target.float().tolist()
        """)


def test_where_a_tensor_is(tmp_path):
    run(tmp_path, """
        linear = torch.nn.Linear(4, 3, device="cuda")
        moved = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU()).cuda()
        loss = moved(torch.ones(2, 4, device=cuda)).sum()
        loss.backward()
        on_cuda = [
            x, x + 1, 1 / x, x[2:], x[None], x.view(8, 8), x.view(8, 8).T, x.float(), x.half(), x.to("cuda"), x.sum(),
            torch.ones(3).cuda(), torch.ones(3).to("cuda"), torch.ones(3).to(cuda, torch.float16),
            torch.ones(3).to(x), torch.empty(3, device=0), torch.tensor([1], device="cuda:0"),
            x.new_zeros(3), torch.rand_like(x), torch.cat([x, y]), torch.split(x, 32)[1],
            torch.topk(x, 3).values, next(iter(x)), x.unbind()[0], torch.where(x > 0, x, y),
            torch.nn.functional.softmax(x, 0), torch.stack((x, y)).max(dim=0)[1], linear.weight,
            moved[0].weight, moved[0].weight.grad, loss, torch.from_dlpack(x), x.detach(), x.clone(),
            torch.nonzero(x), x.nonzero(), torch.ones(3).type(torch.cuda.HalfTensor),
            x.as_subclass(type("Own", (torch.Tensor,), {})),
            torch.ones(3).type("torch.cuda.FloatTensor")]
        for index, tensor in enumerate(on_cuda):
            assert tensor.is_cuda and tensor.device == cuda and not tensor.is_cpu, index
            assert tensor.get_device() == 0 and tensor.__dlpack_device__() == (2, 0), index
        for index, tensor in enumerate([
                x.cpu(), x.to("cpu"), x.to(torch.ones(1)), torch.ones(3), torch.ones(3, device="cpu"),
                torch.zeros_like(x, device="cpu"), x.new_zeros(3, device="cpu"),
                torch.from_numpy(x.cpu().numpy())]):
            assert not tensor.is_cuda and tensor.is_cpu and tensor.device.type == "cpu", index
        assert x.to("cuda") is x and x.cuda() is x and x.type() == "torch.cuda.FloatTensor"
        assert "device='cuda:0', dtype=torch.float16" in repr(torch.ones(2, device="cuda").half())
        """)


def test_gradients(tmp_path):
    run(tmp_path, """
        class Sum(torch.autograd.Function):
            @staticmethod
            def forward(context, x, y):
                context.save_for_backward(x)
                result = torch.empty_like(x)
                ct.launch(torch.cuda.current_stream(), (4,), add, (x, y, result))
                return result

            @staticmethod
            def backward(context, gradient):
                (x,) = context.saved_tensors
                assert gradient.is_cuda and x.device == cuda
                assert torch.zeros(3, device="cpu").is_cpu and x.cpu().is_cpu
                result = torch.empty(64, device="cuda")
                ct.launch(torch.cuda.current_stream(), (4,), add, (x, gradient.contiguous(), result))
                return result, None

        x.requires_grad_()
        seen = []
        x.register_hook(lambda gradient: seen.append(gradient.is_cuda))
        (Sum.apply(x, y) * 2).sum().backward()
        torch.testing.assert_close(x.grad, x.detach() + 2, rtol=0, atol=0)
        assert x.grad.is_cuda and seen == [True]
        found, = torch.autograd.grad((Sum.apply(x, y) * 3).sum(), x)
        assert found.is_cuda and found[1] == 4
        host = torch.ones(2, requires_grad=True)
        host.register_hook(lambda gradient: seen.append(gradient.is_cuda))
        (host * 2).sum().backward()
        assert seen == [True, True, False] and host.grad.is_cpu
        """)


def test_arrays_of_others(tmp_path):
    run(tmp_path, """
        import cupy as cp

        class Array:
            __cuda_array_interface__ = x.__cuda_array_interface__

        for shared in (torch.as_tensor(Array(), device="cuda"), torch.as_tensor(cp.asarray(x)),
                       torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x)),
                       torch.from_dlpack(x.__dlpack__()), torch.from_dlpack(cp.from_dlpack(x))):
            assert shared.is_cuda and shared.data_ptr() == x.data_ptr()
        assert torch.as_tensor(Array(), device="cpu").is_cpu
        copied = torch.tensor(Array(), dtype=torch.float64)
        assert copied.is_cuda and copied.dtype == torch.float64 and copied.data_ptr() != x.data_ptr()
        taken = cp.from_dlpack(x)
        taken[0] = 7
        assert x[0] == 7
        """)


def test_texts(tmp_path):
    run(tmp_path, """
        ones = torch.ones(2, device="cuda")
        assert f"{ones}" == str(ones) == "tensor([1., 1.], device='cuda:0')"
        assert f"{ones.sum():.2f}" == "2.00"
        assert repr(torch.zeros(0, 3, device="cuda")) == "tensor([], device='cuda:0', size=(0, 3))"
        expect(TypeError, "format string", lambda: f"{ones:.2f}")
        """)


def test_random_numbers_and_memory(tmp_path):
    run(tmp_path, """
        for seed in (torch.cuda.manual_seed, torch.cuda.manual_seed_all, torch.manual_seed):
            seed(3)
            first = torch.randn(4, device="cuda")
            seed(3)
            assert torch.equal(first, torch.randn(4, device="cuda"))
        assert torch.cuda.initial_seed() == 3
        state = torch.cuda.get_rng_state_all()
        first = torch.rand(4, device="cuda")
        torch.cuda.set_rng_state_all(state)
        assert torch.equal(first, torch.rand(4, device="cuda"))
        """)


def test_memory_is_counted(tmp_path):
    run(tmp_path, """
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        kept = torch.empty(1 << 20, device="cuda")
        view = kept[5:]  # of the same memory
        assert torch.cuda.memory_allocated() - before == 4 << 20
        free, total = torch.cuda.mem_get_info()
        assert total == torch.cuda.get_device_properties(0).total_memory
        del kept
        assert torch.cuda.memory_allocated() - before == 4 << 20
        del view
        assert torch.cuda.memory_allocated() == before
        assert torch.cuda.max_memory_allocated() - before == 4 << 20
        torch.empty(1 << 20)  # of the host
        assert torch.cuda.max_memory_allocated() - before == 4 << 20
        shared = torch.from_dlpack(torch.ones(1 << 20, device="cuda"))
        assert torch.cuda.memory_allocated() - before == 4 << 20
        """)


def test_beyond_the_limit(tmp_path, monkeypatch):
    """The limit of 512 MiB applies to tensors and the driver together."""
    monkeypatch.setenv("TILEWRIGHT_MEMORY", "512M")
    run(tmp_path, """
        import ctypes
        driver = ctypes.CDLL("libcuda.so.1")
        MIB = 1 << 20

        def refuse(call):
            expect(torch.OutOfMemoryError, "CUDA out of memory", call)

        assert torch.cuda.mem_get_info()[1] == 512 * MIB
        for make in (lambda: torch.empty(600 * MIB, dtype=torch.uint8, device="cuda"),
                     lambda: torch.ones(200 * MIB, device="cuda"), lambda: torch.empty(1 << 40, device="cuda"),
                     lambda: torch.zeros(1 << 40, dtype=torch.uint8, device="cuda"),
                     torch.empty(600 * MIB, dtype=torch.uint8).cuda,
                     lambda: torch.empty(600 * MIB, dtype=torch.uint8).to("cuda"),
                     lambda: torch.ones(1 << 14, 1, device="cuda") * torch.ones(1 << 14, device="cuda"),
                     lambda: torch.empty(4, device="cuda").resize_(1 << 28)):
            refuse(make)
        kept = [torch.empty(100 * MIB, dtype=torch.uint8, device="cuda") for _ in range(5)]
        refuse(lambda: torch.empty(100 * MIB, dtype=torch.uint8, device="cuda"))
        address = ctypes.c_void_p()
        assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(100 * MIB)) == 2
        del kept
        assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(500 * MIB)) == 0
        refuse(lambda: torch.empty(100 * MIB, dtype=torch.uint8, device="cuda"))
        assert driver.cuMemFree_v2(address) == 0
        torch.empty(500 * MIB, dtype=torch.uint8, device="cuda")
        torch.empty(600 * MIB, dtype=torch.uint8)  # of the host
        expect(RuntimeError, "DefaultCPUAllocator", lambda: torch.empty(1 << 50, dtype=torch.uint8))
        """)


def test_temporary_memory_does_not_end_the_process(tmp_path):
    """The product of all pairs is never materialised: it would take 16 TB."""
    run(tmp_path, """
        query = torch.ones(1, 1, 1 << 21, 1, device="cuda")
        bias = torch.zeros(1, 1, 1, 1, device="cuda").expand(1, 1, 1 << 21, 1 << 21)
        expect(torch.OutOfMemoryError, "TILEWRIGHT_MEMORY", lambda: torch.einsum("abc,bcd->ad",
               torch.ones(1 << 21, 1, 1, device="cuda"), torch.ones(1, 1, 1 << 21, device="cuda")).sum())
        values = torch.ones(1 << 21, 1, device="cuda", requires_grad=True)
        expect(torch.OutOfMemoryError, "CUDA out of memory", lambda: torch.cdist(values, values.detach() + 1).sum())
        """)


def test_copies_are_copies(tmp_path):
    run(tmp_path, """
        back, again = x.cpu(), x.to("cpu")
        there = back.cuda()
        x[0] = 99
        assert back[0] == 0 and again[0] == 0 and there[0] == 0
        expect(TypeError, "Use Tensor.cpu()", x.numpy)
        forced = x.numpy(force=True)
        x[1] = 99
        assert forced[1] == 1
        """)


def test_defaults_contexts_and_threads(tmp_path):
    run(tmp_path, """
        import threading
        with torch.device("cuda"):
            assert torch.zeros(3).is_cuda and torch.nn.Linear(2, 2).weight.is_cuda
        assert not torch.zeros(3).is_cuda
        torch.set_default_device("cuda")
        assert torch.arange(3).is_cuda and torch.zeros(3, device="cpu").is_cpu
        torch.set_default_device(None)
        generator = torch.Generator(device="cuda").manual_seed(3)
        first = torch.randn(4, generator=generator, device="cuda")
        assert generator.device == cuda and isinstance(generator, torch.Generator)
        assert torch.equal(first, torch.randn(4, generator=generator.manual_seed(3), device="cuda"))
        with torch.autocast("cuda"):
            assert (torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda")).dtype == torch.float16
        found = []
        threads = [threading.Thread(target=lambda: found.append(torch.ones(3, device="cuda").is_cuda))
                   for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert found == [True] * 4
        import sys
        assert "torch._dynamo" not in sys.modules
        assert torch.compile(lambda value: value * 2)(x).is_cuda
        """)


def test_the_module_cuda(tmp_path):
    run(tmp_path, """
        assert torch.cuda.is_available() and torch.cuda.device_count() == 1
        assert torch.cuda.get_device_capability() == (10, 0) and torch.cuda.get_device_name()
        properties = torch.cuda.get_device_properties("cuda")
        assert properties.multi_processor_count >= 1 and properties.total_memory > 1 << 20
        assert (properties.major, properties.minor, properties.warp_size) == (10, 0, 32)
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record(); end.record(); torch.cuda.synchronize()
        assert begin.elapsed_time(end) >= 0
        expect(ValueError, "enable_timing", lambda: torch.cuda.Event().elapsed_time(end))
        expect(RuntimeError, "invalid device ordinal", lambda: torch.zeros(1, device="cuda:1"))
        """)


def test_one_process_in_place_of_nccl(tmp_path, monkeypatch):
    for name, value in (("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "0"), ("RANK", "0"), ("WORLD_SIZE", "1")):
        monkeypatch.setenv(name, value)
    run(tmp_path, """
        import os
        warnings.simplefilter("default")
        import torch.distributed as dist
        from torch.nn.parallel import DistributedDataParallel

        store = dist.HashStore()
        for options in ({}, {"backend": "nccl"}, {"backend": "nccl", "device_id": cuda},
                        {"backend": "cpu:gloo,cuda:nccl"}):
            dist.init_process_group(**options, store=dist.PrefixStore(str(options), store), rank=0, world_size=1)
            assert (dist.get_rank(), dist.get_world_size()) == (0, 1)
            before = x.clone()
            dist.all_reduce(x)
            gathered = [torch.zeros_like(x)]
            dist.all_gather(gathered, x)
            dist.barrier()
            assert torch.equal(x, before) and torch.equal(gathered[0], x)
            dist.all_reduce(x, group=dist.new_group(backend="nccl"))
            dist.destroy_process_group()
        expect(NotImplementedError, "nccl and 2 ranks", lambda: dist.init_process_group(
            "nccl", store=store, rank=0, world_size=2))
        os.environ["WORLD_SIZE"] = "8"
        expect(NotImplementedError, "nccl and 8 ranks", lambda: dist.init_process_group("nccl"))
        """)


def test_kernels_of_triton_are_refused(tmp_path, monkeypatch):
    pytest.importorskip("triton")
    script = """
        import triton, triton.language as tl

        @triton.jit
        def increment(x, n: tl.constexpr):
            i = tl.arange(0, n)
            tl.store(x + i, tl.load(x + i) + 1)
        """
    run(tmp_path, script + """
        expect(NotImplementedError, "the @triton.jit kernel increment needs a GPU", lambda: increment[(1,)](x, 64))
        """)
    monkeypatch.setenv("TRITON_INTERPRET", "1")  # as the message says
    run(tmp_path, "warnings.simplefilter('default')\n" + textwrap.dedent(script) + """
increment[(1,)](x, 64)
assert x.tolist() == list(range(1, 65))
""")


def test_profilers_say_nothing_of_devices(tmp_path):
    ended = run(tmp_path, """
        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled:
            (x + 1).sum()
        assert any(event.key == "aten::add" for event in profiled.key_averages())
        """)
    assert "ERROR" not in ended.stderr


def test_what_scripts_ask_for(tmp_path):
    script = pathlib.Path(__file__).parent / "programs" / "torch_cuda_script.py"
    ended = subprocess.run([sys.executable, "-W", "error::UserWarning", "-m", "tilewright", str(script)],
                           capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    asked = re.findall(r"^def (\w+)\(\):", script.read_text(), re.MULTILINE)
    assert ended.stdout.split() == asked and len(asked) > 15


def test_errors_of_kernels_are_told_when_values_are_read(tmp_path):
    run(tmp_path, """
        for read in (z.cpu, z.tolist, z.sum().item, lambda: bool(z[0] > 1), lambda: repr(z),
                     lambda: torch.equal(z, z), lambda: torch.ones(64).copy_(z), torch.cuda.synchronize):
            ct.launch(torch.cuda.current_stream(), (5,), add, (x, y, z))
            expect(RuntimeError, "CUDA error", read)
        z.cpu()
        """, "--check=all")


def test_a_tensor_on_the_cpu_is_refused(tmp_path):
    run(tmp_path, """
        expect(ValueError, "not on a CUDA device",
               lambda: ct.launch(torch.cuda.current_stream(), (4,), add, (x.cpu(), y, z)))
        """)


def test_without_arrays(tmp_path):
    path = tmp_path / "script.py"
    path.write_text("import torch; print(torch.ones(1).is_cuda, hasattr(torch, '_tilewright'))")
    ended = subprocess.run([sys.executable, "-m", "tilewright", "--arrays=none", str(path)],
                           capture_output=True, text=True)
    assert ended.stdout == "False False\n"
