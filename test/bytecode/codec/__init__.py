# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second implementation of the bytecode format, written from its specification alone, to
hold the one in tilewright/bytecode/ against: a comparison is worth something only between
strangers. Nothing here is derived from the dialect's records or from the C++ sources.

layouts           the per-operation table, as data
program           what a file says, without its bytes
cursor, decode    bytes -> program; decode_body: operations
conventions       the choices of writers
writer, encode    program -> bytes, in a convention; encode_body: operations
transform         program -> another program, and damage
pieces, builder   what random programs are made of, and how
generate          random programs; generate_values and generate_memory: their operations
"""
