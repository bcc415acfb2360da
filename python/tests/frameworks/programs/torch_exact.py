# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that PyTorch's functions on "cuda" are at least as exact as on a GPU. Errors are in ulps of the
result's type, compared with the same function in f64. Each function checks one kind of operator; a test
runs all of them under `tilewright exec` (test_torch_exact.py)."""

import warnings

import mpmath
import torch
import torch.nn.functional as F
from tilewright._cuda import _torch_exact, _torch_rules

FLOATS = (torch.float16, torch.bfloat16, torch.float32)
ONCE = 0.501
"""Half an ulp, plus the error of the wider type."""


def units(found, exact) -> float:
    """The largest error of a tensor on "cuda". `exact` is an f64 tensor on the CPU."""
    assert found.is_cuda and found.shape == exact.shape and exact.dtype == torch.float64
    kind = torch.finfo(found.dtype)
    unit = kind.eps * 2.0 ** (torch.frexp(exact).exponent - 1).double()
    wrong = (found.detach().cpu().double() - exact.detach()).abs() / unit.clamp(min=kind.smallest_normal * kind.eps)
    wrong[exact.isinf() | (exact.abs() > kind.max)] = 0
    return wrong.max().item()


def close(name, found, exact, limit=ONCE):
    for one, other in zip(found, exact) if isinstance(found, (tuple, list)) else [(found, exact)]:
        assert units(one, other) <= limit, f"{name} of {one.dtype}: {units(one, other)} units"


def close_sums(name, found, exact):
    """Errors of f32 sums of 16-bit terms are visible where the terms cancel."""
    error, eps = (found.detach().cpu().double() - exact.detach()).abs(), torch.finfo(found.dtype).eps
    bound = ONCE * eps * exact.detach().abs() + 1e-6 * exact.detach().abs().max()
    assert found.is_cuda and bool((error <= bound).all()), f"{name} of {found.dtype}: {(error / bound).max()}"


def exact_of(tensor):
    return tensor.detach().cpu().double()


def randn(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda").to(dtype)


def refuses(error, text, call):
    try:
        call()
    except error as found:
        assert text in str(found), found
    else:
        raise AssertionError(f"no {error.__name__}")


# --- Elementwise --------------------------------------------------------------------------------

# In [-4, 4], (0, 4] and [-1, 1].
ANY = ["atan", "asinh", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "frac", "sigmoid", "sin", "sinc", "sinh",
       "tan", "tanh", "special.i0e", "special.i1", "nn.functional.gelu", "nn.functional.silu", "nn.functional.elu",
       "nn.functional.mish", "nn.functional.softplus", "nn.functional.logsigmoid", "nn.functional.celu"]
POSITIVE = ["digamma", "lgamma", "log", "log10", "log1p", "log2", "reciprocal", "rsqrt", "sqrt"]
SMALL = ["acos", "asin", "erfinv"]
TWO = ["atan2", "hypot", "logaddexp", "logaddexp2", "xlogy"]
CORRECT = ["add", "sub", "mul", "div", "maximum", "fmod", "remainder"]
"""Functions that are as exact on the CPU."""


def function(name):
    found = torch
    for part in name.split("."):
        found = getattr(found, part)
    return found


def functions_are_rounded_once():
    for dtype in FLOATS:
        x = (torch.rand(3000, device="cuda") * 8 - 4).to(dtype)
        for names, operand in ((ANY, x), (POSITIVE, x.abs() + 2**-9), (SMALL, x / 4)):
            for name in names:
                close(name, function(name)(operand), function(name)(exact_of(operand)))
        y = x.flip(0).abs() + 2**-9
        for name in (*TWO, *CORRECT):
            close(name, function(name)(x, y), function(name)(exact_of(x), exact_of(y)))
        close("pow", torch.pow(y, x), torch.pow(exact_of(y), exact_of(x)))
        close("addcmul", torch.addcmul(x, x, y), torch.addcmul(*map(exact_of, (x, x, y))))
        close("lerp", torch.lerp(x, y, 0.25), torch.lerp(exact_of(x), exact_of(y), 0.25))


def functions_are_those_of_mathematics():
    x = torch.linspace(0.01, 3.9, 60, device="cuda")
    with mpmath.workprec(120):
        for name, of in (("sinh", mpmath.sinh), ("tan", mpmath.tan), ("lgamma", mpmath.loggamma), ("erfc", mpmath.erfc),
                         ("exp", mpmath.exp), ("log1p", mpmath.log1p), ("sqrt", mpmath.sqrt), ("tanh", mpmath.tanh)):
            exact = torch.tensor([float(of(value)) for value in x.tolist()], dtype=torch.float64)
            close(name, function(name)(x), exact)


def functions_of_integers_convert_as_a_gpu_does():
    x = torch.randint(0, 1 << 62, (512,), device="cuda")
    for name in ("sqrt", "log", "sin", "atan"):
        close(name, function(name)(x), function(name)(exact_of(x.float())))
    assert torch.pow(x, 2).dtype == torch.int64 and torch.pow(x, 0.5).dtype == torch.float32


def many_elements_come_in_parts():
    for dtype in (torch.bfloat16, torch.float32):
        x = randn(3, 1 << 18, dtype=dtype)
        close("exp", torch.exp(x), torch.exp(exact_of(x)))
        assert torch.equal(x.clone().exp_(), torch.exp(x)) and torch.equal(torch.exp(x.T), torch.exp(x).T)
        assert (x > 0).dtype == torch.bool and torch.exp(x).shape == x.shape
        result = torch.empty((), device="cuda", dtype=dtype)
        with warnings.catch_warnings(action="ignore"):  # about resizing the result
            assert torch.exp(x, out=result).shape == x.shape and torch.equal(result, torch.exp(x))


def embedding_scales_its_table():
    table, index = randn(1000, 64, dtype=torch.bfloat16), torch.arange(1000, device="cuda")
    rows = exact_of(table)
    expected = (rows * (1 / rows.norm(dim=1, keepdim=True)).clamp(max=1)).to(torch.bfloat16)
    found = torch.nn.functional.embedding(index, table.clone(), max_norm=1.0)
    assert (found.cpu().float() - expected.cpu().float()).abs().max() <= 2**-9


# --- Sums ---------------------------------------------------------------------------------------


def reductions_are_rounded_once():
    for dtype in FLOATS:
        x = randn(64, 1000, dtype=dtype) + 1
        wide = exact_of(x)
        for name in ("sum", "mean", "std", "var", "logsumexp", "nansum", "norm", "cumsum", "logcumsumexp",
                     "nn.functional.softmax", "nn.functional.log_softmax"):
            options = {"dim": 1} if name not in ("norm",) else {}
            close(name, function(name)(x, **options), function(name)(wide, **options))
        close("prod", torch.prod(x[:, :9], 1), torch.prod(wide[:, :9], 1))
        close("vector_norm", torch.linalg.vector_norm(x, 3, 0), torch.linalg.vector_norm(wide, 3, 0))
        for name in ("mse_loss", "smooth_l1_loss", "huber_loss"):
            close(name, function("nn.functional." + name)(x, x.flip(0)),
                  function("nn.functional." + name)(wide, wide.flip(0)))


def products_are_rounded_once():
    for dtype in FLOATS:
        a, b, c = randn(96, 700, dtype=dtype), randn(700, 80, dtype=dtype), randn(96, 80, dtype=dtype)
        wide = [exact_of(tensor) for tensor in (a, b, c)]
        compare = close if dtype == torch.float32 else close_sums
        compare("matmul", a @ b, wide[0] @ wide[1])
        compare("addmm", torch.addmm(c, a, b), torch.addmm(wide[2], *wide[:2]))
        compare("linear", F.linear(a, b.T), F.linear(wide[0], wide[1].T))
        compare("bmm", torch.bmm(a[None], b[None]), torch.bmm(wide[0][None], wide[1][None]))
        compare("einsum", torch.einsum("ij,jk->ik", a, b), wide[0] @ wide[1])


def layer_norm_keeps_its_statistics():
    """The statistics of a bf16 layer norm are f32 on a GPU. PyTorch's CPU kernels save them in bf16."""
    for dtype in FLOATS:
        x = (randn(256, 2048) * 0.5 - 2.3).to(dtype)
        weight, bias = (torch.rand(2048, device="cuda").to(dtype) for _ in range(2))
        given = randn(256, 2048, dtype=dtype)
        operands = [tensor.requires_grad_() for tensor in (x, weight, bias)]
        exact = [exact_of(tensor).requires_grad_() for tensor in operands]
        found, wanted = F.layer_norm(x, (2048,), *operands[1:]), F.layer_norm(exact[0], (2048,), *exact[1:])
        (close if dtype == torch.float32 else close_sums)("layer_norm", found, wanted.detach())
        found.backward(given)
        wanted.backward(exact_of(given))
        for one, other in zip(operands, exact):
            assert one.grad.dtype == dtype and one.grad.is_cuda
            error, scale = (one.grad.cpu().double() - other.grad).abs().max(), other.grad.abs().max()
            # As on a GPU, an f32 backward pass starts from f32 statistics.
            assert error <= (2 if dtype == torch.float32 else 0.51) * torch.finfo(dtype).eps * scale, (error, scale)


def other_norms_and_gradients():
    for dtype in FLOATS:
        x = randn(8, 16, 32, dtype=dtype)
        means, variances = torch.zeros(16, device="cuda"), torch.ones(16, device="cuda")  # f32 whatever x is
        found = F.batch_norm(x, means, variances, training=True)
        wide_means, wide_variances = exact_of(means) * 0, exact_of(variances) * 0 + 1
        exact = F.batch_norm(exact_of(x), wide_means, wide_variances, training=True)
        (close if dtype == torch.float32 else close_sums)("batch_norm", found, exact)
        close("running mean", means, wide_means, 2)
        own = torch.zeros(16, device="cuda", dtype=dtype), torch.ones(16, device="cuda", dtype=dtype)
        F.batch_norm(x, *own, training=True)
        close("running mean", own[0], wide_means, 2)
        compare = close if dtype == torch.float32 else close_sums
        compare("group_norm", F.group_norm(x, 4), F.group_norm(exact_of(x), 4))
        for name in ("exp", "tanh", "nn.functional.gelu", "nn.functional.silu"):
            one, other = x.detach().clone().requires_grad_(), exact_of(x).requires_grad_()
            function(name)(one).sum().backward()
            function(name)(other).sum().backward()
            assert one.grad.is_cuda and one.grad.dtype == dtype
            assert (one.grad.cpu().double() - other.grad).abs().max() <= torch.finfo(dtype).eps * other.grad.abs().max()


# --- How functions are called -------------------------------------------------------------------


def results_go_where_they_should():
    for dtype in FLOATS:
        x = randn(4, 8, dtype=dtype)
        out = torch.empty(0, device="cuda", dtype=dtype)
        assert torch.exp(x, out=out) is out and torch.equal(out, torch.exp(x))
        assert torch.sum(x, 1, out=out.resize_(0)) is out and torch.equal(out, x.sum(1))
        assert torch.matmul(x, x.T, out=out.resize_(0)) is out and torch.equal(out, x @ x.T)
        copy = x.clone()
        assert copy.exp_() is copy and torch.equal(copy, torch.exp(x))
        part = x.clone()
        part[1:3, ::2].tanh_()
        assert torch.equal(part[1:3, ::2], torch.tanh(x[1:3, ::2])) and torch.equal(part[0], x[0])
        for tensors in (torch._foreach_exp([x, x]), torch._foreach_norm([x, x])):
            assert all(one.is_cuda and one.dtype == dtype for one in tensors)
        places = torch.tensor([0, 0, 1], device="cuda")
        part.index_put_((places,), torch.ones(3, 8, device="cuda", dtype=dtype), accumulate=True)
        assert torch.equal(part[0], (x[0].float() + 1 + 1).to(dtype)) and torch.equal(part[2:], x[2:].index_copy(
            1, torch.arange(0, 8, 2, device="cuda"), torch.cat([torch.tanh(x[2:3, ::2]), x[3:, ::2]])))
        values, indices = torch.max(x, 1)
        assert values.dtype == dtype and indices.dtype == torch.int64


def results_have_types_of_a_gpu():
    x, f32 = randn(4, 8, dtype=torch.float16), torch.float32
    found = [torch.mm(x, x.T, out_dtype=f32), torch.bmm(x[None], x.T[None], out_dtype=f32), torch.sum(x, dtype=f32),
             torch.addmm(torch.ones(4, 4, device="cuda"), x, x.T, out_dtype=f32), torch.softmax(x, 1, dtype=f32),
             torch.cumsum(x, 0, dtype=f32), torch.linalg.vector_norm(x, dtype=f32), x + torch.ones(8, device="cuda"),
             torch.mean(torch.arange(4, device="cuda"), dtype=f32)]
    assert [tensor.dtype for tensor in found] == [f32] * len(found)
    close("mm", found[0], exact_of(x) @ exact_of(x).T)
    assert (x * torch.tensor(2.0, device="cuda")).dtype == torch.float16
    assert torch.exp(x.bool()).dtype == f32 and x.sum(dtype=torch.float64).dtype == torch.float64
    z = torch.complex(f := randn(64), f)
    assert torch.exp(z).dtype == torch.complex64 and torch.abs(torch.exp(z)).dtype == f32
    with torch.inference_mode():
        assert F.linear(x, x).dtype == torch.float16 and F.linear(x, x).is_cuda


def what_a_gpu_refuses_is_refused():
    x = randn(4, 4, dtype=torch.float16)
    refuses(RuntimeError, "same dtype", lambda: x @ x.float())
    wide, integers = torch.empty(4, 4, device="cuda"), torch.empty(4, 4, dtype=torch.int64, device="cuda")
    refuses(RuntimeError, "can't be cast", lambda: torch.exp(x, out=integers))
    refuses(RuntimeError, "Expected out tensor", lambda: torch.mm(x, x, out=wide))
    refuses(NotImplementedError, "_efficient_attention_forward", lambda: torch.ops.aten._efficient_attention_forward(
        *[x[None, None]] * 3, None, None, None, None, None, 0.0, 0))


def tensors_of_the_cpu_are_as_they_were():
    x = torch.randn(1000)
    assert torch.sinh(x).is_cpu and not torch.equal(torch.sinh(x), torch.sinh(x.cuda()).cpu())
    half = x.bfloat16().requires_grad_()
    assert torch.native_layer_norm(half, (1000,), None, None, 1e-5)[1].dtype == torch.bfloat16
    assert torch.native_layer_norm(half.cuda(), (1000,), None, None, 1e-5)[1].dtype == torch.float32


def the_rules_name_every_operator():
    """Every operator of this PyTorch that computes on dense tensors, or could on a GPU, has exactly one rule."""
    host = ("CPU", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional", "CompositeImplicitAutograd")
    every, known, on_host = set(), set(), set()
    for name in torch._C._dispatch_get_all_op_names():
        packet, _, overload = name.removeprefix("aten::").partition(".")
        if not name.startswith("aten::") or packet.startswith(("_test_", "_foobar")):
            continue
        every.add(_torch_exact.name_of(packet))
        keys = {key for key in (*host, "CUDA") if torch._C._dispatch_has_kernel_for_dispatch_key(name, key)}
        operator = getattr(getattr(torch.ops.aten, packet), overload or "default")
        if keys - {"CompositeImplicitAutograd"} and torch.Tag.generated not in operator.tags:
            known.add(packet)
        if keys & set(host) and torch.Tag.generated not in operator.tags:
            on_host.add(_torch_exact.name_of(packet))
    named = [name for rule in _torch_rules.RULES for name in rule.operators]
    assert len(named) == len(set(named)), "named twice"
    missing = {name for name in map(_torch_exact.name_of, known)} - set(named) - {"powsum"}
    assert not missing, f"no rule: {sorted(missing)}"
    unknown = set(named) - every
    assert not unknown, f"no such operator: {sorted(unknown)}"
    assert not _torch_rules.REFUSED.operators & on_host, "refused, but PyTorch has it for the CPU"


torch.manual_seed(0)
for check in [value for value in list(globals().values())
              if callable(value) and getattr(value, "__module__", "") == __name__
              and value.__code__.co_argcount == 0 and value is not randn]:
    check()
    print(check.__name__, flush=True)
