#!/usr/bin/env bash
# Builds pt2scope (installing what is missing) and opens FILE.pt2, or the bundled sample, in its window.
# Without a display it says so and shows what the command line gives: info, the first lines of print, and a picture of the graph.
set -euo pipefail
root=$(cd "$(dirname "$0")" && pwd)
build=$root/build/release
"$root/third_party/install_packages.sh"
{
  mkdir -p "$build"
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$build/configure.log" 2>&1 || { cat "$build/configure.log" >&2; exit 1; }
  cmake --build "$build" --target pt2scope
} >&2

file=${1:-$root/assets/samples/conv_bn_relu.pt2}
if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
  status=0
  "$build/pt2scope" "$file" "${@:2}" || status=$?
  [[ $status -eq 6 ]] || exit "$status"
else
  echo "There is no display (DISPLAY and WAYLAND_DISPLAY are unset), so no window opens. This is what the command line gives:"
fi

picture=$root/build/$(basename "${file%%#*}" .pt2).png
echo; echo "\$ pt2scope info $file"
"$build/pt2scope" info "$file"
echo; echo "\$ pt2scope print $file | head -n 40"
"$build/pt2scope" print "$file" | sed -n '1,40p'
echo; echo "\$ pt2scope render $file -o $picture"
"$build/pt2scope" render "$file" -o "$picture"
echo "The graph as a picture: $picture"
echo "More: $build/pt2scope --help"
