# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second, independent implementation of the bytecode format, written from the specification
alone. Tests compare the one in tilewright/bytecode/ with it; a comparison is only worth something
if the two share nothing, so this is not derived from the dialect's records or the C++ sources.

layouts           the per-operation table, as data
program           the contents of a file, independent of their encoding
cursor, decode    bytes -> program; decode_body: operations
conventions       the encoding choices of different writers
writer, encode    program -> bytes, in a convention; encode_body: operations
transform         program -> another program; damage to bytes
pieces, builder   the parts of random programs, and their construction
generate          random programs; generate_values and generate_memory: their operations
"""
