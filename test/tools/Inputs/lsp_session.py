# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lsp_session.py TILEWRIGHT EXAMPLES: talks to the tilewright-lsp-server next to the program like an editor, and
compares its answers with the output of `tilewright ops` and the sources of the examples."""

import json
import pathlib
import re
import subprocess
import sys

TILEWRIGHT, EXAMPLES = map(pathlib.Path, sys.argv[1:])
SERVER = TILEWRIGHT.parent / "tilewright-lsp-server"
URI = "file:///k.mlir"
NESTED = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}


def framed(message):
    text = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


def messages_in(stream):
    while stream:
        head, stream = stream.split(b"\r\n\r\n", 1)
        length = int(re.fullmatch(rb"Content-Length: (\d+)", head)[1])
        yield json.loads(stream[:length])
        stream = stream[length:]


def exchange(*messages, status=0):
    """Sends all messages, and returns the replies by ID."""
    ended = subprocess.run([SERVER], input=b"".join(map(framed, messages)),
                           capture_output=True)
    assert ended.returncode == status, (ended.returncode, ended.stderr.decode())
    return {message["id"]: message for message in messages_in(ended.stdout) if "id" in message}


def session(text, *requests, capabilities=NESTED, between=()):
    """The results of requests about a text, in order."""
    begin = [{"id": "begin", "method": "initialize", "params": {"capabilities": capabilities}},
             {"method": "textDocument/didOpen", "params": {
                 "textDocument": {"uri": URI, "languageId": "mlir", "version": 1, "text": text}}}]
    asked = [{"id": number, "method": f"textDocument/{method}",
              "params": {"textDocument": {"uri": URI}, **params}}
             for number, (method, params) in enumerate(requests)]
    end = [{"id": "end", "method": "shutdown"}, {"method": "exit"}]
    replies = exchange(*begin, *between, *asked, *end)
    return [replies[number]["result"] for number in range(len(asked))]


def at(line, character, method):
    return method, {"position": {"line": line, "character": character}}


def end_of(text, method):
    """The position of the first `|`, which is removed from the text."""
    before = text.split("|")[0]
    return text.replace("|", "", 1), at(before.count("\n"), len(before.rsplit("\n", 1)[-1]), method)


def labels_at(text, **options):
    text, request = end_of(text, "completion")
    (result,) = session(text, request, **options)
    return [item["label"] for item in result["items"]]


def tilewright(*words):
    return subprocess.run([TILEWRIGHT, *words], check=True, capture_output=True, text=True).stdout


OPERATIONS = [row["mnemonic"] for row in json.loads(tilewright("ops", "--json"))]


def body(line):
    return f"cuda_tile.module @m {{\n  entry @e(%n: tile<i32>, %p: tile<ptr<f32>>) {{\n    {line}\n  }}\n}}\n"


def names_itself():
    version = re.match(r"tilewright (\S+)", tilewright("--version"))[1]
    replies = exchange({"id": 0, "method": "initialize", "params": {"capabilities": {}}},
                       {"id": 1, "method": "shutdown"}, {"method": "exit"})
    result = replies[0]["result"]
    assert result["serverInfo"] == {"name": "tilewright-lsp-server", "version": version}, result
    assert result["capabilities"]["documentFormattingProvider"] is True
    assert result["capabilities"]["documentSymbolProvider"] is True


def documents_every_operation():
    """In a text that does not parse: every mnemonic begins a line."""
    text = "cuda_tile.module @m {\n" + "\n".join(OPERATIONS)
    hovers = session(text, *(at(line, 1, "hover") for line in range(1, len(OPERATIONS) + 1)))
    details = tilewright("ops", *OPERATIONS)
    for name, hover in zip(OPERATIONS, hovers):
        value = hover["contents"]["value"]
        assert hover["contents"]["kind"] == "markdown" and value.startswith(f"**{name}**: "), value
        summary, code = re.fullmatch(r"\*\*\w+\*\*: (.*)\n\n```\n(.*)```\n", value, re.DOTALL).groups()
        assert f"{name} - {summary}\n\n{code}" in details, value
    # If it parses, the generic form follows.
    text = body("%y = muli %n, %n : tile<i32>")
    at_name, at_operand, of_type = session(text, at(2, 10, "hover"), at(2, 15, "hover"), at(1, 16, "hover"))
    assert at_name["contents"]["value"].startswith("**muli**: ")
    assert '%0 = "cuda_tile.muli"(' in at_name["contents"]["value"]
    assert at_name["range"]["start"] == {"line": 2, "character": 9}
    assert "muli" not in at_operand["contents"]["value"]
    assert of_type["contents"]["value"].startswith("**tile**: array of elements")


def completes():
    for line in ("|", "%y = |", "%y = mu|", "%y, %t = cuda_tile.lo|", "%y:2 = |"):
        assert labels_at(body(line))[:len(OPERATIONS)] == OPERATIONS, line
    overflow = ["none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap", "overflow"]
    for line in ("%y = addi %n, %n |", "%y = addi %n, %n over|", "%y = addi %n, %n overflow<|"):
        assert labels_at(body(line)) == overflow, line
    orderings = ["weak", "relaxed", "acquire", "release", "acq_rel", "tl_blk", "device", "sys", "token",
                 "optimization_hints"]
    assert labels_at(body("%y, %t = load_ptr_tko |"))[:10] == orderings
    assert labels_at(body("%y = cmpi |"))[:8] == [
        "equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal",
        "unsigned", "signed"]
    types = ["gather_scatter_view", "partition_view", "ptr", "strided_view", "tensor_view", "tile", "token"]
    for line in ("%y = addi %n, %n : |", "%y = addi %n, %n : ti|", "%y = itof %n signed : tile<i32> -> |",
                 "%y, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, |"):
        assert labels_at(body(line))[:7] == types, line
    for line in ("%y = iota : tile<|", "%y = iota : tile<4x|", "%y = iota : tile<4xi|", "%q = exti %n : tile<ptr<|",
                 "%v = make_tensor_view %p, shape = [%n], strides = [1] : tensor_view<?x8xf|"):
        labels = labels_at(body(line))
        assert {"i32", "f16", "f8E4M3FN", "ptr"} <= set(labels), (line, labels)
    # The server's completions remain: it provides the value names.
    assert labels_at(body("%y = addi %|")) == labels_at(body("%y = addi %n, %|")) == ["%p", "%n"]
    # In a text that is not Tile IR: MLIR's own answers.
    assert "addi" not in labels_at("module {\n  |\n}\n")
    # The changed text is used; characters are UTF-16 code units.
    changed = {"method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": body("%y = addi %n, %n ")}]}}
    (result,) = session("", at(2, 21, "completion"), between=[changed])
    assert [item["label"] for item in result["items"]] == overflow
    wide = body('%t = print_tko "𝄞é" -> token')  # 𝄞 has two UTF-16 code units and four bytes
    edit = {"range": {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 23}},
            "text": "%y = addi %n, %n over"}
    changed["params"]["contentChanges"] = [edit]
    (result,) = session(wide, at(2, 25, "completion"), between=[changed])
    assert [item["label"] for item in result["items"]][:5] == overflow


def lists_symbols():
    text = ("cuda_tile.module @kernels {\n  global @table <f32: [1.0]> : tile<1xf32>\n"
            "  entry @first() {\n  }\n  entry @second() {\n  }\n}\n")
    (nested,) = session(text, ("documentSymbol", {}))
    assert [symbol["name"] for symbol in nested] == ["kernels"]
    assert [child["name"] for child in nested[0]["children"]] == ["table", "first", "second"]
    (flat,) = session(text, ("documentSymbol", {}), capabilities={})
    assert [symbol["name"] for symbol in flat] == ["kernels", "table", "first", "second"]
    assert [symbol.get("containerName") for symbol in flat] == [None, "kernels", "kernels", "kernels"]
    assert flat[2]["location"] == {"uri": URI, "range": nested[0]["children"][1]["range"]}


def apply_edits(text, edits):
    lines = text.split("\n")
    for edit in edits:
        (start, end), new = (edit["range"]["start"], edit["range"]["end"]), edit["newText"]
        assert start["line"] == end["line"] and start["character"] == 0
        line = lines[start["line"]]
        content = line.removesuffix("\r")  # part of the line break
        assert end["character"] == len(content.encode("utf-16-le")) // 2
        lines[start["line"]] = new + line[len(content):]
    return "\n".join(lines)


def formatted(text):
    (edits,) = session(text, ("formatting", {"options": {"tabSize": 2, "insertSpaces": True}}))
    return apply_edits(text, edits)


def formats():
    # Sources that were indented by hand stay unchanged.
    sources = sorted(EXAMPLES.glob("*.mlir"))
    assert sources
    for source in sources:
        text = source.read_text()
        assert formatted(text) == text, source
    # Formatting restores the indentation, whatever it was.
    text = """// 𝄞
cuda_tile.module @m {
  // A comment.
  entry @e(%n: tile<i32>) {
    %text = print_tko "{ [ ( %% // \\" " -> token
    %zero = constant <i32: 0> : tile<i32>

    %sum = reduce %n dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>
    (%a: tile<i32>, %b: tile<i32>) {
      %c = addi %a, %b : tile<i32>
      yield %c : tile<i32>
    }
    if %c {
      return
    } else {
      %d = addi %a,
      %b : tile<i32>
    }
  }
}
"""
    for indent in ("", "\t", "        "):
        changed = "\n".join(indent + line.strip() + "  " for line in text.split("\n"))
        assert formatted(changed).rstrip("\n") == text.rstrip("\n"), formatted(changed)
    # Continuation lines keep their distance to the operation, and lines keep their line ends.
    text = "  entry @e(%a: tile<i32>,\r\n           %b: tile<i32>) {\r\n  return\r\n}\r\n"
    assert formatted(text) == "entry @e(%a: tile<i32>,\r\n         %b: tile<i32>) {\r\n  return\r\n}\r\n"


def survives():
    begin = {"id": 0, "method": "initialize", "params": {"capabilities": {}}}
    # After malformed JSON, too many brackets, an unknown request, or a request without a text, the next one is answered.
    replies = exchange(begin, b"{ nothing", b"[" * 2000000, {"id": 1, "method": "textDocument/nothing", "params": {}},
                       {"id": 2, "method": "textDocument/hover", "params": {}},
                       {"id": 3, "method": "textDocument/formatting", "params": {"textDocument": {"uri": URI}}},
                       {"id": 4, "method": "shutdown"}, {"method": "exit"})
    assert "error" in replies[1] and "error" in replies[2] and "error" in replies[3]
    assert replies[4]["result"] is None
    # `exit` without `shutdown` is an error, and so is a lost connection (LSP, "exit").
    exchange(begin, {"method": "exit"}, status=1)
    exchange(begin, status=1)
    for option, text in (("--version", "tilewright-lsp-server"), ("--help", "OVERVIEW")):
        ended = subprocess.run([SERVER, option], capture_output=True, text=True)
        assert ended.returncode == 0 and text in ended.stdout


for check in (names_itself, documents_every_operation, completes, lists_symbols, formats, survives):
    check()
