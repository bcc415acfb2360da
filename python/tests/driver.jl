# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What driver.rs does, in Julia.
#
#     julia driver.jl BYTECODE OUTPUT EXTENT

const libcuda = "libcuda.so.1"
const bytecode, output = ARGS[1], ARGS[2]
const extent, stride = Ref(parse(Int32, ARGS[3])), Ref(Int32(1))

function expect(status, what)
    status == 0 && return
    println(what, ": ", status)
    exit(1)
end

expect((@ccall libcuda.cuInit(0::Cuint)::Cint), "cuInit")
device = Ref{Cint}()
expect((@ccall libcuda.cuDeviceGet(device::Ptr{Cint}, 0::Cint)::Cint), "cuDeviceGet")
context = Ref{Ptr{Cvoid}}()
expect((@ccall libcuda.cuDevicePrimaryCtxRetain(context::Ptr{Ptr{Cvoid}}, device[]::Cint)::Cint),
       "cuDevicePrimaryCtxRetain")
expect((@ccall libcuda.cuCtxSetCurrent(context[]::Ptr{Cvoid})::Cint), "cuCtxSetCurrent")
major, minor = map((75, 76)) do attribute
    value = Ref{Cint}()
    expect((@ccall libcuda.cuDeviceGetAttribute(
        value::Ptr{Cint}, attribute::Cint, device[]::Cint)::Cint), "cuDeviceGetAttribute")
    value[]
end

run(`tileiras --gpu-name sm_$major$minor $bytecode -o $output`)
image = read(output)
loaded, kernel = Ref{Ptr{Cvoid}}(), Ref{Ptr{Cvoid}}()
expect((@ccall libcuda.cuModuleLoadData(loaded::Ptr{Ptr{Cvoid}}, image::Ptr{Cvoid})::Cint),
       "cuModuleLoadData")
expect((@ccall libcuda.cuModuleGetFunction(
    kernel::Ptr{Ptr{Cvoid}}, loaded[]::Ptr{Cvoid}, "vector_add"::Cstring)::Cint), "cuModuleGetFunction")

a, b, c = Float32.(0:2499), fill(0.5f0, 2500), zeros(Float32, 2500)
addresses = map((a, b, c)) do array
    address = Ref{UInt64}()
    expect((@ccall libcuda.cuMemAlloc_v2(address::Ptr{UInt64}, sizeof(array)::Csize_t)::Cint), "cuMemAlloc")
    expect((@ccall libcuda.cuMemcpyHtoD_v2(
        address[]::UInt64, array::Ptr{Cvoid}, sizeof(array)::Csize_t)::Cint), "cuMemcpyHtoD")
    address
end
at(number) = Base.unsafe_convert(Ptr{Cvoid}, number)
GC.@preserve addresses extent stride begin
    arguments = [at(x) for address in addresses for x in (address, extent, stride)]
    expect((@ccall libcuda.cuLaunchKernel(
        kernel[]::Ptr{Cvoid}, 3::Cuint, 1::Cuint, 1::Cuint, 1::Cuint, 1::Cuint, 1::Cuint, 0::Cuint,
        C_NULL::Ptr{Cvoid}, arguments::Ptr{Ptr{Cvoid}}, C_NULL::Ptr{Cvoid})::Cint), "cuLaunchKernel")
end
expect((@ccall libcuda.cuCtxSynchronize()::Cint), "cuCtxSynchronize")
expect((@ccall libcuda.cuMemcpyDtoH_v2(
    c::Ptr{Cvoid}, addresses[3][]::UInt64, sizeof(c)::Csize_t)::Cint), "cuMemcpyDtoH")
println(c == a + b ? "right" : "wrong")
for address in addresses
    expect((@ccall libcuda.cuMemFree_v2(address[]::UInt64)::Cint), "cuMemFree")
end
expect((@ccall libcuda.cuModuleUnload(loaded[]::Ptr{Cvoid})::Cint), "cuModuleUnload")
