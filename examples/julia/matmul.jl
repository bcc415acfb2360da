# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A matrix product with the kernel of examples/matmul.mlir: checked first, then compiled.
#
#     julia matmul.jl ../matmul.mlir [K]
#
# K is what the kernel is told of the common extent; another than 70 is a bug.

include("Tilewright.jl")
using .Tilewright

const m, k, n = 50, 70, 60
const tile = 32

path = ARGS[1]
told = length(ARGS) > 1 ? parse(Int32, ARGS[2]) : Int32(k)

# Small integers, so that all sums are exact.
a = Float16[(i + 2j) % 5 - 2 for i in 1:m, j in 1:k]
b = Float16[(3i + j) % 7 - 3 for i in 1:k, j in 1:n]
c = zeros(Float32, m, n)

# Arrays of Julia are in column-major order, which their strides say: the kernel takes any.
address, rows, columns, step, pitch = parameters(a)
arguments = (address, rows, told, step, pitch, parameters(b)..., parameters(c)...)
grid = (cld(m, tile), cld(n, tile))

found = launch(compile(path, "matmul"; device = reference), grid, arguments...)
for f in found
    println("$(f.file), line $(f.line): $(f.rule) in tile block $(f.block), at element $(f.element)")
    println(f.message, "\nhelp: ", f.help)
end
isempty(found) || exit(3)

fill!(c, 0)
launch(compile(path, "matmul"), grid, arguments...)
println("the product is ", c == Float32.(a) * Float32.(b) ? "right" : "wrong")
