#!/usr/bin/env bash
# Builds pt2scope with its tests (installing what is missing) and runs them all. Ends with the line `N passed, N failed`.
set -euo pipefail
root=$(cd "$(dirname "$0")" && pwd)
build=$root/build/release
"$root/third_party/install_packages.sh"
mkdir -p "$build"
if ! cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPT2_TESTS=ON >"$build/configure.log" 2>&1; then
  cat "$build/configure.log"
  exit 1
fi
cmake --build "$build" 2>&1 | tee "$build/build.log"

status=0
if grep -q 'warning:' "$build/build.log"; then
  echo "The build has warnings." >&2
  status=1
fi
ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" --timeout 900 || status=1

# A doctest executable counts its test cases, every other entry of ctest counts as one test.
awk '
  /^[0-9]+\/[0-9]+ Testing: / { counted = 0 }
  /^\[doctest\] test cases:/ { counted = 1; gsub(/[^0-9 ]/, ""); split($0, n, " "); passed += n[2]; failed += n[3]; case_failed = n[3] }
  /^Test Passed\./ { if (!counted) ++passed }
  /^Test Failed\.|^\*\*\*Failed|^\*\*\*Timeout|^\*\*\*Exception/ { if (!counted || !case_failed) ++failed }
  END { printf "%d passed, %d failed\n", passed, failed }
' "$build/Testing/Temporary/LastTest.log"
exit "$status"
