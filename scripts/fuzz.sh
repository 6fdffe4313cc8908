#!/usr/bin/env bash
# Fuzzes one reader, or all, with clang's libFuzzer and sanitizers, and says how many inputs were tried.
# usage: scripts/fuzz.sh TARGET|all SECONDS     for instance: scripts/fuzz.sh gltf 600
#        scripts/fuzz.sh TARGET|all --runs=N    N inputs a target, always the same ones
# A target is the NAME of a tests/fuzz/NAME_fuzz.cpp. What is found lies in build/fuzz/findings, what was learnt in
# build/fuzz/corpus, where the next run goes on; --runs begins anew each time, in build/fuzz_short.
# Exits with 77 where clang or its runtime is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${2:-}" in
  --runs=*[!0-9]* | --runs= | "") sed -n '3,4s/^# //p' "$0"; exit 2 ;;
  --runs=*) preset=fuzz_short length=("-runs=${2#--runs=}" -seed=1) ;;
  *) preset=fuzz length=("-max_total_time=$2") ;;
esac
command -v clang++ >/dev/null || { echo "SKIPPED: no clang++"; exit 77; }
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
  clang++ -x c++ - -fsanitize=fuzzer,address -o /dev/null 2>/dev/null ||
  { echo "SKIPPED: clang has no libFuzzer here (Debian: libclang-rt-14-dev)"; exit 77; }

all=$(basename -s _fuzz.cpp tests/fuzz/*_fuzz.cpp)
[ "$1" = all ] && names=$all || names=$1
for name in $names; do
  [ -f "tests/fuzz/${name}_fuzz.cpp" ] || { echo "$name: no such target; there are:" $all; exit 2; }
done
folder=build/$preset
mkdir -p "$folder/findings"
log=$folder/build.log
{ cmake --preset $preset && cmake --build --preset $preset --target fuzz write_corpus; } >"$log" 2>&1 || { cat "$log"; exit 1; }

failed=0
for name in $names; do
  corpus=$folder/corpus/$name log=$folder/$name.log
  [ $preset = fuzz ] || rm -rf "$corpus"
  mkdir -p "$corpus"
  "$folder/tests/fuzz/write_corpus" "$name" "$corpus"
  # Leaks are looked for after each input; a megabyte of input may never cost a gigabyte.
  if "$folder/tests/fuzz/fuzz" "$name" "$corpus" "${length[@]}" -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
      -malloc_limit_mb=1024 -artifact_prefix="$folder/findings/$name-" -print_final_stats=1 >"$log" 2>&1; then
    awk -v name="$name" '/number_of_executed_units/ { print name ": " $2 " inputs tried, nothing found" }' "$log"
  else
    echo "$name: FOUND something; the input lies in $folder/findings"
    tail -n 60 "$log"
    failed=1
  fi
done
exit $failed
