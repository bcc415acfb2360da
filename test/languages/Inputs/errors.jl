# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Calls that fail, and what they throw.

include(joinpath(ARGS[1], "julia", "Tilewright.jl"))
using .Tilewright

const path = joinpath(ARGS[1], "matmul.mlir")

function attempt(call)
    try
        call()
        println("nothing was thrown")
    catch error
        showerror(stdout, error)
        println()
    end
end

attempt(() -> compile("no-such-file", "matmul"))
attempt(() -> compile(path, "softmax"))
attempt(() -> launch(compile(path, "matmul"), (1, 1), Int32(3)))
attempt(() -> launch(compile(path, "matmul"), (1, 1), zeros(ComplexF32, 3)))
