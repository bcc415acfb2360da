# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""complete.py TILEWRIGHT 'WORDS': prints bash's completions for the last word, one per line.

Bash splits words at '=' and ':' before it calls a completion function, and so does this.
"""

import re
import shlex
import subprocess
import sys

tilewright, line = sys.argv[1:]
words = [part for word in line.split(" ") for part in re.findall(r"[=:]|[^=:]+", word) or [""]]
script = f"""
source <({shlex.quote(tilewright)} completion bash)
COMP_WORDS=({" ".join(map(shlex.quote, words))})
COMP_CWORD={len(words) - 1}
compopt() {{ :; }} # bash has it only while it completes
_tilewright
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
sys.exit(subprocess.run(["bash", "--norc", "-c", script]).returncode)
