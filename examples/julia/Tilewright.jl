# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
Tile IR from Julia, over the C API of Tilewright: read a program, check or compile an entry, launch
it on arrays. The library is `\$TILEWRIGHT_LIB/libtilewright.so`, or what the loader finds.

    kernel = compile("matmul.mlir", "matmul"; device = reference)
    findings = launch(kernel, (2, 3), parameters(a)..., parameters(b)..., parameters(c)...)
"""
module Tilewright

export compile, launch, parameters, cpu, reference, TilewrightError

const libtilewright = joinpath(get(ENV, "TILEWRIGHT_LIB", ""), "libtilewright.so")

# ---- What tilewright/api/Tilewright.h declares, as far as this file needs it ----
# The names are those of the header, which describes them. test/languages/julia.test compares the
# structs with those of the header. A struct with `size` has zeros for what is as usual.

const TW_SUCCESS = Cint(0)

@enum twDevice::UInt32 cpu = 0 reference = 1

const elementTypes = Dict{DataType,UInt32}(
    Bool => 1, Int8 => 2, Int16 => 3, Int32 => 4, Int64 => 5, Float16 => 6, Float32 => 9, Float64 => 10)

struct twPlace
    file::Cstring
    line::Int64
    column::Int64
    byte::Int64
end

struct twCompileOptions
    size::Csize_t
    device::twDevice
    target::Cstring
    optimization::UInt32
    debugInfo::Cint
    checks::Cstring
    isRandom::Cint
    seed::UInt64
    maxSteps::Int64
end

struct twArray
    size::Csize_t
    data::Ptr{Cvoid}
    element::UInt32
    rank::Csize_t
    shape::Ptr{Int64}
    strides::Ptr{Int64}
    isUninitialised::Cint
    links::Ptr{Cvoid}
    linkCount::Csize_t
    name::Cstring
end

struct twArgument
    array::Ptr{twArray}
    element::UInt32
    bits::UInt64
end

struct twLaunchOptions
    size::Csize_t
    grid::NTuple{3,Int64}
    threads::Cint
    print::Ptr{Cvoid}
    printContext::Ptr{Cvoid}
end

struct twFinding
    size::Csize_t
    kind::Cint
    severity::Cint
    message::Cstring
    text::Cstring
    place::twPlace
    rule::Cstring
    section::Cstring
    help::Cstring
    kernel::Cstring
    block::NTuple{3,Int64}
    operation::Cstring
    element::Cstring
    array::Cstring
    arrayElement::Int64
end

# ---- Errors ----

"Why a call failed: what the command line would print."
struct TilewrightError <: Exception
    text::String
end
Base.showerror(io::IO, error::TilewrightError) = print(io, "TilewrightError: ", error.text)

"Releases diagnostics, and returns their text."
function take(diagnostics::Ref{Ptr{Cvoid}})
    text = unsafe_string(@ccall libtilewright.twDiagnosticsText(diagnostics[]::Ptr{Cvoid})::Cstring)
    @ccall libtilewright.twDiagnosticsDestroy(diagnostics[]::Ptr{Cvoid})::Cvoid
    String(chomp(text))
end

"Throws what was reported, unless the function succeeded."
function expect(status::Cint, diagnostics::Ref{Ptr{Cvoid}})
    text = take(diagnostics)
    status == TW_SUCCESS || throw(TilewrightError(text))
    nothing
end

# ---- Kernels ----

mutable struct Kernel
    handle::Ptr{Cvoid}
end

"An entry of a file: compiled for this processor, or on the reference machine, which checks it."
function compile(path::String, name::String; device::twDevice = cpu)
    diagnostics = Ref{Ptr{Cvoid}}(C_NULL)
    source = Ref{Ptr{Cvoid}}(C_NULL)
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    context = @ccall libtilewright.twContextCreate()::Ptr{Cvoid}
    try
        expect(@ccall(libtilewright.twModuleReadFile(
            context::Ptr{Cvoid}, path::Cstring, source::Ptr{Ptr{Cvoid}},
            diagnostics::Ptr{Ptr{Cvoid}})::Cint), diagnostics)
        entry = @ccall libtilewright.twModuleFindEntry(source[]::Ptr{Cvoid}, name::Cstring)::Ptr{Cvoid}
        entry == C_NULL && throw(TilewrightError("$path has no entry '$name'"))
        options = Ref(twCompileOptions(sizeof(twCompileOptions), device, C_NULL, 0, 0, C_NULL, 0, 0, 0))
        expect(@ccall(libtilewright.twKernelCompile(
            entry::Ptr{Cvoid}, options::Ptr{twCompileOptions}, handle::Ptr{Ptr{Cvoid}},
            diagnostics::Ptr{Ptr{Cvoid}})::Cint), diagnostics)
    finally
        # A kernel may outlive its module, and a module its context.
        @ccall libtilewright.twModuleDestroy(source[]::Ptr{Cvoid})::Cvoid
        @ccall libtilewright.twContextDestroy(context::Ptr{Cvoid})::Cvoid
    end
    release(kernel) = @ccall libtilewright.twKernelDestroy(kernel.handle::Ptr{Cvoid})::Cvoid
    finalizer(release, Kernel(handle[]))
end

# ---- Launches ----

"The parameters that an array is for cuTile and for the examples: itself, extents and strides."
parameters(array::Array) = (array, Int32.(size(array))..., Int32.(strides(array))...)

"What the library is told of an argument, and what must live while it is used."
argument(number::Union{Bool,Int8,Int16,Int32,Int64,Float16,Float32,Float64}) =
    (twArgument(C_NULL, elementTypes[typeof(number)], bitsOf(number)), nothing)

function argument(array::Array{T,N}) where {T,N}
    haskey(elementTypes, T) || throw(ArgumentError("expected an array of numbers, found one of $T"))
    shape, steps = collect(Int64, size(array)), collect(Int64, strides(array))
    described = Ref(twArray(sizeof(twArray), pointer(array), elementTypes[T], N,
                            pointer(shape), pointer(steps), 0, C_NULL, 0, Cstring(C_NULL)))
    address = Base.unsafe_convert(Ptr{twArray}, described)
    (twArgument(address, 0, 0), (array, shape, steps, described))
end

bitsOf(x::Union{Bool,Int8,Int16,Int32,Int64}) = UInt64(reinterpret(unsigned(typeof(x)), x))
bitsOf(x::Bool) = UInt64(x)
bitsOf(x::Float16) = UInt64(reinterpret(UInt16, x))
bitsOf(x::Float32) = UInt64(reinterpret(UInt32, x))
bitsOf(x::Float64) = reinterpret(UInt64, x)

"""
Runs a kernel on a grid, with one argument per parameter. Returns what it did wrong, which only the
reference machine knows; compiled code that leaves its arrays damages the process. Garbage collection
waits until the kernel has ended.
"""
function launch(kernel::Kernel, grid::NTuple{N,Integer}, arguments...) where {N}
    made = map(argument, arguments)
    words = collect(twArgument, map(first, made))
    blocks = ntuple(i -> i <= N ? Int64(grid[i]) : Int64(1), 3)
    options = Ref(twLaunchOptions(sizeof(twLaunchOptions), blocks, 0, C_NULL, C_NULL))
    diagnostics = Ref{Ptr{Cvoid}}(C_NULL)
    handle = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve kernel made begin
        expect(@ccall(libtilewright.twLaunchCreate(
            kernel.handle::Ptr{Cvoid}, options::Ptr{twLaunchOptions}, words::Ptr{twArgument},
            length(words)::Csize_t, handle::Ptr{Ptr{Cvoid}},
            diagnostics::Ptr{Ptr{Cvoid}})::Cint), diagnostics)
        try
            status = @ccall libtilewright.twLaunchRun(
                handle[]::Ptr{Cvoid}, diagnostics::Ptr{Ptr{Cvoid}})::Cint
            found = findings(handle[])
            isempty(found) ? expect(status, diagnostics) : take(diagnostics)
            return found
        finally
            @ccall libtilewright.twLaunchDestroy(handle[]::Ptr{Cvoid})::Cvoid
        end
    end
end

"Of the last run, as named tuples."
function findings(launch::Ptr{Cvoid})
    count = @ccall libtilewright.twLaunchFindingCount(launch::Ptr{Cvoid})::Csize_t
    map(1:count) do i
        finding = Ref{twFinding}()
        memory = Base.unsafe_convert(Ptr{twFinding}, finding)
        GC.@preserve finding begin
            unsafe_store!(Ptr{Csize_t}(memory), sizeof(twFinding)) # its first member
            status = @ccall libtilewright.twLaunchFinding(
                launch::Ptr{Cvoid}, (i - 1)::Csize_t, memory::Ptr{twFinding})::Cint
        end
        status == TW_SUCCESS || throw(TilewrightError("there is no finding $i"))
        f = finding[]
        (rule = unsafe_string(f.rule), file = unsafe_string(f.place.file), line = f.place.line,
         block = f.block, element = unsafe_string(f.element), message = unsafe_string(f.message),
         help = unsafe_string(f.help))
    end
end

end
