# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch CUDA graphs under `tilewright exec`."""

import pytest
from test_torch_cuda import pytestmark, run  # noqa: F401


@pytest.mark.parametrize("options", [[], ["--check=all"]], ids=str)
def test_kernels_and_functions_run_when_the_graph_does(options, tmp_path):
    run(tmp_path, """
        one, count = torch.ones(64, device="cuda"), torch.zeros((), device="cuda")
        host = torch.zeros(1)
        graph = torch.cuda.CUDAGraph()
        assert not torch.cuda.is_current_stream_capturing()
        with torch.cuda.graph(graph):
            assert torch.cuda.is_current_stream_capturing()
            more = torch.empty_like(x)
            ct.launch(torch.cuda.current_stream(), (4,), add, (x, one, more))
            twice = more.view(8, 8).T * 2
            count += 1
            one[5:6] = 10
            y.copy_(more)
            torch.add(more, 1, out=(written := torch.empty(64, device="cuda")))
            ct.launch(torch.cuda.current_stream(), (4,), add, (more, one, z))
            values, indices = torch.topk(z, 2)
            host += 1  # not on the GPU: now
        assert host == 1 and count == 0 and z.sum() == 0 and one.sum() == 64
        for turn in range(1, 4):
            x.fill_(turn)
            graph.replay()
            last = torch.ones(64); last[5] = 10
            before = 1 if turn == 1 else last
            expected = torch.full((64,), float(turn)) + before
            assert count == turn and host == 1
            assert torch.equal(more.cpu(), expected) and torch.equal(twice.cpu(), expected.view(8, 8).T * 2)
            assert torch.equal(y, more) and torch.equal(written, more + 1)
            assert torch.equal(z.cpu(), expected + last)
            assert values[0] == z.max() and indices[0] == 5
        for result in (more, twice, values, indices, written):
            assert result.is_cuda
        graph.reset()
        expect(RuntimeError, "without a preceding successful capture", graph.replay)
        """, *options)


def test_a_step_of_training(tmp_path):
    """The reference runs without a graph. As in PyTorch's documentation, with a warm-up on a side stream."""
    run(tmp_path, """
        def make():
            torch.manual_seed(1)
            model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)).cuda()
            return model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

        def step(model, optimizer, data, target):
            optimizer.zero_grad(set_to_none=True)
            loss = torch.nn.functional.mse_loss(model(data), target)
            loss.backward()
            optimizer.step()
            return loss

        batches = [(torch.randn(16, 4, device="cuda"), torch.randn(16, 1, device="cuda")) for _ in range(6)]
        model, optimizer = make()
        expected = [step(model, optimizer, *batch).item() for batch in batches]

        graphed, optimizer = make()
        data, target = batches[0][0].clone(), batches[0][1].clone()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            found = [step(graphed, optimizer, data, target).item()]
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss = step(graphed, optimizer, data, target)
        for batch in batches[1:]:
            data.copy_(batch[0]); target.copy_(batch[1])
            graph.replay()
            found.append(loss.item())
        assert found == expected, (found, expected)
        for a, b in zip(model.parameters(), graphed.parameters()):
            assert torch.equal(a, b)
        """)


def test_streams_join_a_capture(tmp_path):
    run(tmp_path, """
        graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()
        with torch.cuda.graph(graph):
            begun = torch.cuda.current_stream().record_event()
            with torch.cuda.stream(side):
                side.wait_event(begun)
                assert side.is_capturing()
                ct.launch(torch.cuda.current_stream(), (4,), add, (x, y, z))
                doubled = z * 2
            torch.cuda.current_stream().wait_stream(side)
        assert z.sum() == 0
        graph.replay()
        assert torch.equal(z, x + y) and torch.equal(doubled, z * 2)
        other = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(other):
                side.wait_stream(torch.cuda.current_stream())
        except RuntimeError as error:
            assert "CUDA error" in str(error)
        with torch.cuda.graph(graph := torch.cuda.CUDAGraph()):
            z.zero_()
        graph.replay()
        assert z.sum() == 0
        """)


@pytest.mark.parametrize("call", ["z.sum().item()", "z.cpu()", "torch.nonzero(z)", "torch.cuda.synchronize()"])
def test_what_waits_cannot_be_captured(call, tmp_path):
    run(tmp_path, f"""
        def capture():
            with torch.cuda.graph(torch.cuda.CUDAGraph()):
                {call}

        expect(RuntimeError, "CUDA error: operation", capture)
        with torch.cuda.graph(graph := torch.cuda.CUDAGraph()):
            z += 1
        graph.replay()
        assert z.sum() == 64
        """)


def test_errors_and_random_numbers_of_a_replay(tmp_path):
    run(tmp_path, """
        with torch.cuda.graph(graph := torch.cuda.CUDAGraph()):
            drawn = torch.rand(100, device="cuda")
        graph.replay()
        first = drawn.clone()
        graph.replay()
        assert not torch.equal(first, drawn) and (drawn < 1).all() and drawn.sum() > 0

        index = torch.zeros(1, dtype=torch.int64, device="cuda")
        with torch.cuda.graph(graph := torch.cuda.CUDAGraph()):
            taken = torch.index_select(x, 0, index)
        index.fill_(3)
        graph.replay()
        assert taken == 3
        index.fill_(99)
        expect((IndexError, RuntimeError), "out of range", graph.replay)
        index.fill_(5)
        graph.replay()
        assert taken == 5

        with torch.cuda.graph(graph := torch.cuda.CUDAGraph()):
            ct.launch(torch.cuda.current_stream(), (5,), add, (x, y, z))
        graph.replay()
        expect(RuntimeError, "CUDA error", torch.cuda.synchronize)
        """.replace("(IndexError, RuntimeError)", "Exception"), "--check=all")


def test_benchmarks(tmp_path):
    pytest.importorskip("triton")
    run(tmp_path, """
        import triton

        def launch():
            ct.launch(torch.cuda.current_stream(), (4,), add, (x, y, z))

        for measure in (triton.testing.do_bench, triton.testing.do_bench_cudagraph):
            z.zero_()
            assert 0 < measure(launch, rep=5) < 1000
            assert torch.equal(z, x + y)
        """)


def test_an_operator_is_one_node_whose_temporaries_do_not_stay(tmp_path):
    """Operators that compute in a wider type, in chunks of 64K elements, are recorded as one call."""
    run(tmp_path, """
        big = torch.randn(1 << 18, device="cuda")
        empty = torch.empty(0, device="cuda")
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = torch.exp(big)
            torch.exp(one := torch.ones(3, device="cuda"), out=empty)
        for _ in range(2):
            big.copy_(torch.randn(1 << 18))
            graph.replay()
            assert torch.equal(result, torch.exp(big)) and torch.equal(empty, torch.exp(one)), empty.shape
        """)


def test_devices_that_are_numbers(tmp_path):
    run(tmp_path, """
        host = torch.ones(4)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            made = torch.zeros(4, device=0)
            made += 1
        for _ in range(2):
            graph.replay()
            assert torch.equal(made.cpu(), torch.ones(4)), made
        expect(torch.OutOfMemoryError, "CUDA out of memory", lambda: torch.ones(1 << 44, device=0))
        """)


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_statistics_of_a_batch_norm_change_at_the_replay(dtype, tmp_path):
    """The reference runs without a graph."""
    run(tmp_path, f"""
        data = torch.randn(4, 3, 5, 5, device="cuda", dtype=torch.{dtype})
        norm, expected = (torch.nn.BatchNorm2d(3, device="cuda", dtype=torch.{dtype}) for _ in range(2))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            norm(data)
        assert torch.equal(norm.running_mean.cpu(), torch.zeros(3, dtype=torch.{dtype}))
        for _ in range(2):
            graph.replay()
            expected(data)
        assert torch.equal(norm.running_mean, expected.running_mean)
        assert torch.equal(norm.running_var, expected.running_var)
        """)


def test_copies_to_pinned_memory_are_recorded(tmp_path):
    run(tmp_path, """
        x = torch.ones(3, device="cuda")
        back = torch.zeros(3, pin_memory=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            back.copy_(x * 2, non_blocking=True)
        for turn in range(1, 3):
            x.fill_(turn)
            graph.replay()
            torch.cuda.synchronize()
            assert torch.equal(back, torch.full((3,), 2.0 * turn)), back
        """)
