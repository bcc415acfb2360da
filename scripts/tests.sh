# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# Builds and runs the tests of ./dev test [FILTER]. Every test has a name: a unit test has its
# room's, a lit test its path under test/, a report the name in the table below. The tests whose
# name contains the filter run, after their dependencies are built. Sourced by `dev`, which defines
# `run`, `fail`, `set_up`, `build_with` and `pack_wheels`.

# Every part runs, even if a previous one has failed. scripts/summary.py then counts the test
# cases in their result files and ends with "N passed, N failed".
run_tests() {
  local preset=release sanitizer='' table=reports filter folder results parts=()
  local lit units=() files=() chosen=() targets=()
  case ${1:-} in
  --sanitize=address) preset=asan table=sanitized_reports ;;
  --sanitize=thread) preset=tsan table=sanitized_reports ;;
  --compiler=gcc) preset=gcc table=no_reports ;;
  -*) fail "test: there is no option '$1'; see ./dev help" ;;
  esac
  if [[ $preset != release ]]; then
    sanitizer=${1#*=}
    shift
  fi
  (($# < 2)) || fail "test: expected one FILTER, but got $#: $*"
  filter=${1:-} folder=$(build_folder "$preset")
  results=$PWD/$folder/results

  set_up
  lit=$("llvm-config-$LLVM" --bindir)/lit
  build_with "$preset" build.ninja || build_failed # the CMake files list the tests
  choose_tests
  rm -rf "$results"
  mkdir -p "$results"
  if ((${#targets[@]})); then
    build_with "$preset" "${targets[@]}" || build_failed
  fi

  if ((${#units[@]})); then unit_tests "$preset" "$results/unit"; fi
  if ((${#files[@]})); then lit_tests "$folder/test" "$results"; fi
  "$table" run_report
  "$PYTHON" scripts/summary.py "${parts[@]}"
}

build_failed() {
  "$PYTHON" scripts/summary.py --check build=1 || true
  exit 1
}

# Finds the unit tests, lit tests and reports whose names match the filter, and their dependencies.
# ctest, lit and the table of reports are queried, so that no list has to be maintained.
choose_tests() {
  local status=0 unit_names lit_names report_names folders matching=(grep -iE -e "$filter")
  "${matching[@]}" </dev/null || status=$?
  ((status < 2)) || fail "test: '$filter' is not a regular expression"
  unit_names=$(ctest --preset "$preset" -N | sed -n 's/^ *Test *#[0-9]*: //p')
  lit_names=$("$lit" --show-tests "$folder/test" | sed -n 's/^ *tilewright :: //p')
  report_names=$("$table" name_report)

  mapfile -t units < <("${matching[@]}" <<<"$unit_names")
  mapfile -t files < <("${matching[@]}" <<<"$lit_names")
  mapfile -t chosen < <("${matching[@]}" <<<"$report_names")
  folders=$(cut -d/ -f1 <<<"$lit_names" | sort -u)
  ((${#units[@]} + ${#files[@]} + ${#chosen[@]})) || fail "test: no test has '$filter' in its name.
  Unit tests are named after rooms: ${unit_names//$'\n'/ }
  Lit tests by their path in test/: ${folders//$'\n'//... }/...
  Reports: ${report_names//$'\n'/ }"
  mapfile -t targets < <(needed_targets | sort -u)
}

# Prints targets, one per line. A run without a filter also builds what no test needs, to check
# that it compiles.
needed_targets() {
  local program
  if [[ -z $filter ]]; then echo all; fi
  if ((${#units[@]})); then printf '%s_tests\n' "${units[@]}"; fi
  if ((${#files[@]})); then
    echo tilewright
    for program in tilewright-opt tilewright-lsp-server; do
      if grep -qF -e "$program" -- "${files[@]/#/test/}"; then echo "$program"; fi
    done
    if grep -qE -e '%(tileiras|tileirdisasm|cutile)' -- "${files[@]/#/test/}"; then
      printf '%s\n' tileiras tileirdisasm tilewright_cuda_driver nvidia-smi
    fi
    if grep -qE -e '%gpu' -- "${files[@]/#/test/}"; then echo test_gpu_driver; fi
    if grep -qE -e 'TILEWRIGHT_LIB' -- "${files[@]/#/test/}"; then echo tilewright_c; fi
  fi
  "$table" need_report
}

# The table of reports: for each, its name, the targets that it needs, and its command. ROW is
# called with every row.
reports() { # ROW
  local bin=build/bin
  "$1" lint '' lint
  "$1" demo tilewright "$PYTHON" examples/demo.py --tilewright $bin/tilewright --schedules 3
  "$1" tour 'tilewright tilewright-opt tilewright_c' "$PYTHON" scripts/tour.py --programs $bin
  "$1" completeness 'tilewright tilewright-opt' "$PYTHON" test/completeness.py --programs $bin
  "$1" mutants tilewright "$PYTHON" scripts/mutate.py --tilewright $bin/tilewright --count 2000
  "$1" robustness command_server "$PYTHON" test/robustness/run.py --programs $bin --count 250
  "$1" conformance tilewright "$PYTHON" test/conformance/run.py --programs $bin
  "$1" conformance-cpu tilewright "$PYTHON" test/conformance/run.py --programs $bin --device cpu
  "$1" conformance-ptx tilewright "$PYTHON" test/conformance/run.py --programs $bin --device ptx
  "$1" conformance-sm80 tilewright "$PYTHON" test/conformance/run.py --programs $bin --device ptx \
    --target sm_80 --schedule random --share 1/4
  "$1" conformance-ptxas tilewright "$PYTHON" test/conformance/assemble.py --programs $bin --share 3/80
  "$1" differential tilewright "$PYTHON" test/differential/run.py --programs $bin --count 400 \
    --seed 11 --devices reference,cpu,library --sample 2
  "$1" differential-launches tilewright "$PYTHON" test/differential/run.py --programs $bin --count 400 \
    --seed 14-launches --devices reference,cpu,library --levels 2 --sample 2
  "$1" differential-ptx tilewright "$PYTHON" test/differential/run.py --programs $bin --count 120 \
    --seed 12 --devices reference,ptx --schedules up,down,random --targets sm_80,sm_90a --sample 2
  "$1" differential-warpgroups tilewright "$PYTHON" test/differential/run.py --programs $bin --count 120 \
    --seed 15-tiles --devices reference,cpu,ptx --levels 2 --threads 2 --schedules up,random \
    --targets sm_80,sm_90a,sm_100a --sample 1
  "$1" python-ptx 'tilewright_python tilewright' "$PYTHON" test/nvidia/cutile_on_ptx.py
  "$1" distribution tilewright "$PYTHON" test/distribution/run.py --programs $bin
  "$1" instructions tilewright "$PYTHON" test/instructions/run.py --programs $bin
  "$1" located-mistakes tilewright "$PYTHON" scripts/located_mistakes.py --only 'mulhii' 'reverse scans' 'whatever their mask'
  "$1" prove-share tilewright "$PYTHON" scripts/proved.py
  "$1" prove-mutants tilewright "$PYTHON" scripts/proved.py --mutants 30
  "$1" foreign 'tilewright tilewright-opt' "$PYTHON" test/bytecode/foreign.py --programs $bin
  "$1" install installed_files "$PYTHON" test/install/run.py --build build
  "$1" wheel wheel_files installed_wheel
  "$1" python 'tilewright_python tilewright tileiras tileirdisasm tilewright_cuda_driver nvidia-smi test_gpu_driver' \
    python_tests
  # PyTorch takes several gigabytes, so this only runs on request.
  if [[ $filter == frameworks ]]; then
    "$1" frameworks 'tilewright_python tilewright tileiras tileirdisasm tilewright_cuda_driver nvidia-smi' framework_tests
  fi
  "$1" python-examples 'tilewright_python tileiras tileirdisasm tilewright_cuda_driver' python_examples
  "$1" notebook 'tilewright_python tilewright' env PYTHONPATH="$PWD/build/python" "$PYTHON" \
    scripts/notebook.py
  "$1" explore tilewright explore_pages
  "$1" fuzz fuzzers "$PYTHON" fuzz/run.py --programs $bin --seconds 8
  "$1" mutants-ptx mutate_ptx $bin/mutate_ptx 2000 1 build/mutant.ptx test/ptx/kernels/*.ptx \
    examples/ptx/*.ptx
  "$1" bench-build '' build_with release benchmarks # only compiles them
}

# Reports that execute kernels. A sanitized program compiles sanitized code (`--device cpu`);
# libraries are sanitized when they are loaded into a program that is not ours.
sanitized_reports() { # ROW
  local bin=$folder/bin
  "$1" conformance tilewright "$PYTHON" test/conformance/run.py --programs "$bin"
  "$1" conformance-cpu tilewright "$PYTHON" test/conformance/run.py --programs "$bin" --device cpu
  "$1" differential tilewright "$PYTHON" test/differential/run.py --programs "$bin" --count 60 \
    --seed 11 --devices reference,random,cpu --sample 2
  "$1" distribution tilewright "$PYTHON" test/distribution/run.py --programs "$bin" --count 200
  "$1" sanitized-libraries '' sanitized_libraries
  if [[ $sanitizer == thread ]]; then "$1" python-threads tilewright_python python_threads; fi
}

# Reports test programs that clang compiled; g++ is only a second opinion on the code.
no_reports() { :; }

sanitized_libraries() {
  build_with release tilewright &&
    run "$PYTHON" test/differential/run.py --programs build/bin --count 60 --seed 11 \
      --devices reference,library --sample 2 --sanitize "$sanitizer" &&
    run "$PYTHON" test/differential/run.py --programs build/bin --count 60 --seed 14-launches \
      --devices reference,library --levels 2 --sample 2 --sanitize "$sanitizer"
}

# Runs eight threads in a Python without sanitizers: the sanitizer's runtime must be preloaded. The
# options are those of cmake/SanitizerOptions.cpp, which are built into our programs only.
python_threads() {
  local runtime suppressed=$PWD/python/tests/thread_sanitizer.supp
  runtime=$("clang-$LLVM" -print-file-name="libclang_rt.tsan-$(uname -m).so")
  [[ -f $runtime ]] || fail "clang-$LLVM has no library of ThreadSanitizer: $runtime"
  run env LD_PRELOAD="$runtime" TSAN_OPTIONS="abort_on_error=1:halt_on_error=1:suppressions=$suppressed" \
    PYTHONPATH="$PWD/$folder/python" "$PYTHON" -m pytest -q --capture=sys \
    -p no:cacheprovider python/tests/test_threads.py
}

# Tests the package as imported from the build tree. The tests of one file run sequentially.
python_tests() {
  run env PYTHONPATH="$PWD/build/python" "$PYTHON" -m pytest -q -p no:cacheprovider -n "$JOBS" --dist loadfile \
    python/tests
}

# Tests the wheels for this processor, as built by `./dev wheel`.
installed_wheel() { pack_wheels build && run "$PYTHON" test/install/wheel.py build; }

# Tests with all frameworks; `.venv` has only JAX and Dask.
framework_tests() {
  local tests=python/tests
  install_python_modules "$FRAMEWORKS_VENV" requirements.txt test/requirements.txt \
    "$tests/frameworks/requirements.txt" &&
    run env PYTHONPATH="$PWD/build/python" "$FRAMEWORKS_VENV/bin/python" -m pytest -q -p no:cacheprovider \
      "$tests/frameworks" "$tests/test_arguments.py"
}

# Opens pages in a browser, which nothing else needs.
explore_pages() {
  install_packages chromium && run "$PYTHON" test/explore/run.py --programs build/bin
}

python_examples() {
  run env PYTHONPATH="$PWD/build/python" "$PYTHON" examples/python/run_all.py --quick
}

# Functions to call with the rows of the table: NAME TARGETS COMMAND...
name_report() { echo "$1"; }

need_report() {
  if [[ $2 ]] && is_chosen "$1"; then echo "${2// /$'\n'}"; fi
}

run_report() {
  if is_chosen "$1"; then check "$1" "${@:3}"; fi
}

is_chosen() { [[ " ${chosen[*]} " == *" $1 "* ]]; }

# The three kinds of results; each adds its part to `parts` of run_tests.
# unit_tests PRESET RESULTS: every GoogleTest program writes its cases to RESULTS/.
unit_tests() {
  mkdir -p "$2"
  GTEST_OUTPUT="xml:$2/" run ctest --preset "$1" -j "$JOBS" --output-junit "$2/ctest.xml" \
    ${filter:+-R "^($(tr ' ' '|' <<<"${units[*]}"))$"} || true
  parts+=(--unit "$2")
}

# lit_tests FOLDER RESULTS: lit reads the filter's selection from a file.
lit_tests() {
  local tests=$1
  if [[ $filter ]]; then
    tests=@$2/lit.txt
    printf "$1/%s\n" "${files[@]}" >"$2/lit.txt"
  fi
  run "$lit" --test-output=failed --print-result-after=failed -j "$JOBS" \
    --xunit-xml-output "$2/lit.xml" "$tests" || true
  parts+=(--lit "$2/lit.xml")
}

# check NAME COMMAND...: runs a command whose output is a report and whose status is one result.
check() {
  local name=$1 status=0 begin=$SECONDS
  shift
  run "$@" || status=$?
  parts+=(--check "$name=$status")
  echo "$name: $((SECONDS - begin)) s"
}
