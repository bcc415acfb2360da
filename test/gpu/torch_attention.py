# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times PyTorch's scaled_dot_product_attention: `torch_attention.py HEADS POSITIONS D f16|bf16 [--causal]` prints TFLOP/s, the
median of some launches, or why it cannot."""

import statistics
import sys

ROUNDS = 9


def main(heads: int, positions: int, d: int, type_: str, is_causal: bool) -> str:
    try:
        import torch
    except ImportError:
        return "there is no PyTorch"
    if not torch.cuda.is_available():
        return "PyTorch finds no GPU"
    element = {"f16": torch.float16, "bf16": torch.bfloat16}[type_]
    q, k, v = (torch.randn(1, heads, positions, d, dtype=element, device="cuda") for _ in "qkv")
    taken = []
    for _ in range(ROUNDS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        end.record()
        torch.cuda.synchronize()
        taken.append(begin.elapsed_time(end))
    operations = 4 * heads * positions**2 * d * (0.5 if is_causal else 1)
    return f"{operations / statistics.median(taken) / 1e9:.3g}"


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:4]), sys.argv[4], "--causal" in sys.argv))
