# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every example in a separate process, and passes --quick on. The exit status is 1 if one
failed. `vector_add_ct_launch.py` runs with Tilewright's driver library and `tileiras`; it is skipped
without them, and so are examples for frameworks that are not installed."""

import argparse
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NEEDS_DRIVER = "vector_add_ct_launch.py"
NEEDS_MODULE = {"dask_blocks.py": "distributed"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, for tests")
    parser.add_argument("--cuda", type=pathlib.Path, metavar="FOLDER",
                        help="has bin/tileiras and lib/libcuda.so.1 (default: of the package, or of "
                             "the build that the package is in)")
    arguments = parser.parse_args()

    paths = sorted(path for path in HERE.glob("[!_]*.py") if path.name != "run_all.py")
    cuda = arguments.cuda or folder_of_build()
    passed, failed, left_out = [], [], []
    with tempfile.TemporaryDirectory(prefix="tilewright-examples-") as cache:
        for path in paths:
            command, environment = [sys.executable, str(path)], None
            if path.name == NEEDS_DRIVER:
                if cuda is None:
                    left_out.append(f"{path.name}, there is no driver library; --cuda names its folder")
                    continue
                environment = with_driver(cuda, cache)
            elif arguments.quick:
                command.append("--quick")
            module = NEEDS_MODULE.get(path.name)
            if module and importlib.util.find_spec(module) is None:
                left_out.append(f"{path.name}, there is no module {module}")
                continue
            print(f"--- {path.name}", flush=True)
            ended = subprocess.run(command, env=environment)
            (failed if ended.returncode else passed).append(path.name)

    for name in failed:
        print(f"failed: {name}")
    for name in left_out:
        print(f"left out: {name}")
    print(f"{len(passed)} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


def folder_of_build() -> pathlib.Path | None:
    """The folder of the driver library and `tileiras`, in the package that Python imports, or in its
    build tree."""
    package = importlib.util.find_spec("tilewright")
    if package is None or package.origin is None:
        return None
    folder = pathlib.Path(package.origin).parent
    found = [place / "libexec" / "tilewright" / "cuda" for place in (folder, folder.parents[1])]
    return next((cuda for cuda in found if (cuda / "lib" / "libcuda.so.1").exists()), None)


def with_driver(cuda: pathlib.Path, cache: str) -> dict[str, str]:
    """Environment variables for finding them. cuda-tile caches compiled kernels in `cache`, separate
    from those of another `tileiras`."""
    cuda = cuda.resolve()
    return {**os.environ, "CUDA_TILE_CACHE_DIR": cache,
            "PATH": f"{cuda / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
            "LD_LIBRARY_PATH": os.pathsep.join(
                filter(None, (str(cuda / "lib"), os.environ.get("LD_LIBRARY_PATH"))))}


if __name__ == "__main__":
    sys.exit(main())
