# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with optimization hints, for warpgroups.py: they change plans, and no results."""

from warpgroup_kernels import AHEAD, COPIED, Case


def hints():
    f16 = {"tile": (64, 64, 64), "sizes": (80, 80, 336)}
    for latency, stages in ((2, 2), (5, 4), (10, 6)):
        each = f"sm_90 = {{latency = {latency}}}"
        yield Case(f"latency {latency}", load_hints=(each, each), plan=(f"({stages} pipeline stages",), **f16)
    one = "default = {latency = 1}"
    yield Case("latency 1", load_hints=(one, one), ways=((COPIED, COPIED),), producer=False, **f16)
    yield Case("latency 1 of lhs", load_hints=(one, ""), ways=((COPIED, AHEAD),), **f16)
    yield Case("latency 1 of rhs, mma.sync", load_hints=("", one), ways=((AHEAD, COPIED),), tile=(32, 64, 64), instruction="mma.m",
               sizes=(80, 80, 336))
    for occupancy, registers in ((2, 200), (4, 96), (6, 64)):
        yield Case(f"occupancy {occupancy}", hints=f"default = {{occupancy = {occupancy}}}", plan=(f"up to {registers} registers",), **f16)
    yield Case("occupancy 2, 128x128", hints="sm_90 = {occupancy = 2}", tile=(128, 128, 64), sizes=(144, 144, 464),
               plan=("up to 200 registers",), schedules=("random",))
    yield Case("occupancy 8, latency 3", hints="sm_90 = {occupancy = 8}", load_hints=("sm_90 = {latency = 3}",) * 2,
               tile=(64, 32, 32), sizes=(80, 80, 144), plan=("for 8 CTAs",))
    for warps, tile in ((8, (64, 64, 64)), (8, (128, 64, 32)), (8, (64, 128, 32))):
        yield Case(f"{warps} warps, {tile}", hints=f"default = {{num_worker_warps_per_cta = {warps}}}", tile=tile, sizes=(144, 144, 144),
                   plan=(f"{warps} warps: a hint asks for them", "256 + 32 threads"), schedules=("down", "random"),
                   instruction="wgmma")
