# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contestants from Python frameworks: PyTorch (eager and compiled), JAX, and Numba, with the functions of the
same name in bench/peers/by_*.py. If a framework lacks the function, it is reported like one that is not
installed."""

import importlib.util
import os
import pathlib

import numpy as np

from .case import Contestant, Unsupported

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def by_frameworks(function: str, *names: str, result: str) -> list[Contestant]:
    """Calls the function with the arrays of these names; `result` names the one that is written."""
    def eager(library, arrays):
        return library.call(function, arrays, names, result, compiled=False)

    def compiled(library, arrays):
        return library.call(function, arrays, names, result, compiled=True)
    return [Contestant("torch", "Torch", eager), Contestant("torch.compile", "Torch", compiled),
            Contestant("JAX", "Jax", compiled), Contestant("Numba", "Numba", compiled)]


class Call:
    """A computation; `collect` copies the result to the array that is checked, if necessary."""

    def __init__(self, compute, target: np.ndarray, as_array):
        self.compute, self.target, self.as_array = compute, target, as_array

    def __call__(self):
        self.result = self.compute()

    def collect(self) -> None:
        if (found := self.as_array(self.result)) is not None:
            self.target[...] = found.reshape(self.target.shape)


class Framework:
    module: str

    @classmethod
    def environment_for(cls, threads: int) -> dict[str, str]:
        counts = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
        return {name: str(threads) for name in counts} | {
            # The process's CPU affinity limits JAX's threads. GPUs are not used.
            "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": "",
            "TORCHINDUCTOR_CACHE_DIR": str(
                ROOT / f"build/bench/inductor-{os.environ.get('BENCH_MARCH', 'native')}"),
            "TORCHINDUCTOR_COMPILE_THREADS": "1"}

    def __init__(self):
        try:
            self.framework = importlib.import_module(self.module)
        except ImportError as error:
            raise Unsupported(f"{self.module} cannot be imported: {error}") from None
        file = ROOT / f"bench/peers/by_{self.module}.py"
        specification = importlib.util.spec_from_file_location(f"by_{self.module}", file)
        self.functions = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(self.functions)

    def find(self, function: str):
        found = getattr(self.functions, function, None)
        if found is None:
            raise Unsupported(f"by_{self.module}.py has no {function}")
        return found


class Torch(Framework):
    module = "torch"

    def __init__(self):
        super().__init__()
        self.framework.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
        self.framework.set_grad_enabled(False)

    def call(self, function: str, arrays, names, result: str, compiled: bool):
        torch, found = self.framework, self.find(function)
        inputs = [self.tensor(arrays[name]) for name in names]
        out = self.tensor(arrays[result])
        if not compiled:
            return Call(lambda: found(*inputs, out=out), arrays[result], self.as_array)
        torch.compiler.reset()
        program = torch.compile(lambda *inputs: out.copy_(found(*inputs, out=None)), dynamic=False)
        return Call(lambda: program(*inputs), arrays[result], self.as_array)

    def as_array(self, tensor) -> np.ndarray:
        return (tensor.float() if tensor.dtype == self.framework.bfloat16 else tensor).numpy()

    def tensor(self, array: np.ndarray):
        """Shares memory with the array."""
        torch = self.framework
        if array.dtype.name == "bfloat16":  # PyTorch cannot convert this NumPy dtype
            return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(array)


class Jax(Framework):
    module = "jax"

    def call(self, function: str, arrays, names, result: str, compiled: bool):
        jax = self.framework
        program = jax.jit(self.find(function))
        inputs = [jax.numpy.asarray(arrays[name]) for name in names]
        return Call(lambda: program(*inputs).block_until_ready(), arrays[result], np.asarray)


class Numba(Framework):
    module = "numba"

    def call(self, function: str, arrays, names, result: str, compiled: bool):
        program = self.framework.njit(self.find(function), parallel=True, fastmath=True)
        given = [arrays[name] for name in (*names, result)]
        return Call(lambda: program(*given), arrays[result], lambda result: result)
