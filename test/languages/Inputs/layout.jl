# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints what examples/julia says of the structs and constants of Tilewright.h as a program in C,
# which compiles if the header says the same.

include(joinpath(@__DIR__, "..", "..", "..", "examples", "julia", "Tilewright.jl"))
const T = Tilewright

expect(condition, name) = println("_Static_assert(", condition, ", \"", name, "\");")

println("#include \"tilewright/api/Tilewright.h\"")
for struct_ in (T.twPlace, T.twCompileOptions, T.twArray, T.twArgument, T.twLaunchOptions, T.twFinding)
    name = nameof(struct_)
    # A struct that says its size may have grown.
    relation = fieldname(struct_, 1) == :size ? ">=" : "=="
    expect("sizeof($name) $relation $(sizeof(struct_))", name)
    for (i, member) in enumerate(fieldnames(struct_))
        expect("offsetof($name, $member) == $(fieldoffset(struct_, i))", "$name.$member")
        expect("sizeof((($name *)0)->$member) == $(sizeof(fieldtype(struct_, i)))", "$name.$member")
    end
end
expect("TW_SUCCESS == $(T.TW_SUCCESS)", "TW_SUCCESS")
expect("TW_CPU == $(Int(T.cpu)) && TW_REFERENCE == $(Int(T.reference))", "twDevice")
for (type, number) in T.elementTypes
    name = type === Bool ? "I1" : replace(replace(string(type), "Int" => "I"), "Float" => "F")
    expect("TW_$name == $number", type)
end
