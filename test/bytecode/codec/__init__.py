# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second implementation of the bytecode format, written from its specification alone, to
hold the one in tilewright/bytecode/ against: a comparison is worth something only between
strangers. Nothing here is derived from the dialect's records or from the C++ sources.

layouts     the per-operation table, as data
program     what a file says, without its bytes
decode      bytes -> program
conventions the choices of writers
encode      program -> bytes, in a convention
transform   programs -> other programs, and damage
pieces      what random programs are made of
generate    random programs
"""
