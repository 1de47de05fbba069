#!/bin/sh
# check.sh [--list] [WORD...]: what has to be shown on a real GPU; a line per check, and the figures behind it.  Needs a
# driver, sh, awk, sed; nothing else.  Ends with "N passed, N failed, N skipped".  Recordings stay in ./data-WORD.
here=$(cd "$(dirname "$0")" && pwd)
prof=$here/bin/prof
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PROF_RUNTIME=$here/lib/libprof-runtime.so.1
PROF_HELPER=$prof
export LD_LIBRARY_PATH PROF_RUNTIME PROF_HELPER
passed=0 failed=0 skipped=0

list() {
  cat <<'END'
device       the device, driver and CUPTI are recorded; CUPTI 13 with this driver (others: PROF_CUPTI=FILE ./check.sh)
launches     100,000 empty kernels: all recorded, none lost; ns per launch, plain and recorded (<= 2000 added, aim 700)
callback     which API callback <<<>>> fires (211 cudaLaunchKernel or 505 __cudaLaunchKernel)
events       total time of kernels within 2% of CUDA events
clock        no kernel before its launching call; the clocks' readings within 2 us; the library takes our clock
names        template and anonymous-namespace names under the host paths that launched them
pipeline     four streams: every kernel and copy, bytes, overlap of copies with kernels, NVTX ranges and names of streams
graphs       nodes of a captured graph, 1000 runs, destroyed and made again
nodes        nodes of a captured graph say where they were captured (created_path), also those of a graph that was made again
lines        samples of places in kernels (--gpu-lines): most of spin's lie on its loop; or one line says what to ask the administrator for
hostlines    the GPU's time by host lines: lines with calls have all of it
open         ranges of NVTX that a fault leaves open are there
bounds       --capture-range: the host and the GPU are recorded in ranges only, and there whole; --delay: nothing before it
buffers      what CUPTI delivers is kept; copy the files to test/gpu/buffers, where test_replay.py plays them
copies       bytes and kinds of pinned and pageable copies
threads      eight launching threads
gaps         idle time of the GPU charged to the function that kept it waiting
metrics      NVML: utilisation, memory, power and energy of the devices
host         events, cudaStreamWaitEvent, cudaLaunchHostFunc
driver       launches by the driver's API alone
library      a kernel in a library that is loaded and unloaded
forked       fork before and after cuInit
fault        illegal access: everything up to 200 ms before is there
aborted      abort: the same
alone        PROF_RECORD=1 without prof record: setenv in the runtime's constructor is early enough
without      programs run plain say the same as recorded
gemm         cuBLAS products (if libcublas is here)
torch        a PyTorch training step without probes: sum of kernel times within 2% of torch.profiler's, same ten longest (if torch is here)
END
}

say() { # passed|failed|skipped WORD TEXT
  eval "$1=\$(($1 + 1))"
  printf '%-8s %-10s %s\n' "$1" "$2" "$3"
}

cover() { # KEY: of the last report
  sed -n "s/^ *\"$1\":\([0-9][0-9]*\).*/\1/p" report | head -1
}

figure() { # WORD: the number behind it in what the program printed
  awk -v word="$1" '{ for (i = 1; i < NF; i++) if ($i == word) { print $(i + 1); exit } }' printed
}

record() { # WORD [ARGUMENTS]: records and reports; false: it was said
  word=$1
  rm -rf "data-$word"
  "$prof" record --gpu=on -o "data-$word" "$here/programs/suite" "$@" >printed 2>said
  status=$?
  "$prof" gpu -i "data-$word" --format=json -n 0 >report 2>>said && return 0
  say failed "$word" "no report: $(tail -1 said)"
  return 1
}

complete() { # WORD KERNELS: all there, joined, timed
  bad=
  [ "$(cover kernels)" = "$2" ] || bad="$(cover kernels) kernels, not $2"
  for key in unmatched untimed dropped lost early hung; do
    [ "$(cover $key)" = 0 ] || bad="$bad; $key $(cover $key)"
  done
  [ -z "$bad" ] && return 0
  say failed "$1" "$bad"
  return 1
}

check_device() {
  record copies || return
  "$prof" info -i data-copies | sed -n '/CAPABILITY/,$p'
  "$prof" info -i data-copies | grep -q CAPABILITY && say passed device "as above" || say failed device "no device in the recording"
}

check_launches() {
  "$here/programs/suite" launches >printed || { say failed launches "the program does not run here"; return; }
  plain=$(figure ns_each)
  record launches || return
  complete launches "$(figure launches)" || return
  added=$(($(figure ns_each) - plain))
  [ $added -le 2000 ] && say passed launches "$plain ns plain, $added ns added each" || say failed launches "$plain ns plain, $added ns added each, at most 2000"
}

check_callback() {
  record names || return
  calls=$("$prof" gpu -i data-names --format=csv | awk -F, 'NR > 1 { print $16 }' | sort -u | tr '\n' ' ')
  [ -n "$calls" ] && say passed callback "$calls" || say failed callback "kernels have no call"
}

check_events() {
  record events || return
  complete events "$(figure kernels)" || return
  awk -v ours="$(cover kernel_ns)" -v theirs="$(figure events_ns)" 'BEGIN { d = ours / theirs - 1; printf "%.0f ns, CUDA events %.0f ns, %+.2f%%\n", ours, theirs, d * 100; exit d > 0.02 || d < -0.02 }' >line \
    && say passed events "$(cat line)" || say failed events "$(cat line)"
}

check_clock() {
  record gaps || return
  error=$(cover clock_error_ns) early=$(cover early)
  converted=$(grep -c '"converted_clock":true' report)
  text="readings within $error ns, $early kernels before their call, $([ "$converted" = 0 ] && echo our clock || echo converted)"
  [ "$early" = 0 ] && [ "$error" -le 2000 ] && say passed clock "$text" || say failed clock "$text"
}

check_names() {
  record names || return
  complete names "$(figure kernels)" || return
  "$prof" gpu -i data-names --by=path --format=csv >rows
  grep -q 'fill<float, 8>.*launch_fill' rows && grep -q 'twice.*launch_twice' rows && say passed names "$(grep -c . rows) rows" || { cat rows; say failed names "as above"; }
}

check_pipeline() {
  record pipeline || return
  complete pipeline "$(figure kernels)" || return
  bytes=$("$prof" gpu -i data-pipeline --show=copies --format=csv | awk -F, 'NR > 1 { sum += $6 } END { printf "%.0f", sum }')
  ranges=$("$prof" gpu -i data-pipeline --show=ranges --format=csv | grep -c round)
  overlap=$("$prof" gpu -i data-pipeline --show=devices --format=csv | awk -F, 'NR == 2 { print $11 }')
  names=$("$prof" gpu -i data-pipeline --show=streams --format=csv | grep -c -E 'odd|even')
  text="$bytes bytes, $overlap ns overlapped, $ranges ranges, $names named streams"
  [ "$bytes" = "$(figure bytes)" ] && [ "$ranges" = 1 ] && [ "$names" = 4 ] && say passed pipeline "$text" || say failed pipeline "$text"
}

plain_count() { # WORD
  record "$1" || return
  complete "$1" "$(figure kernels)" && say passed "$1" "$(cover kernels) kernels"
}

check_graphs() { plain_count graphs; }
check_threads() { plain_count threads; }
check_host() { plain_count host; }
check_driver() { plain_count driver; }

check_library() {
  (cd "$here/programs" && cp libkernel.so "$work/") && plain_count library
}

check_nodes() {
  record graphs || return
  complete nodes "$(figure kernels)" || return
  with=$(grep -c '"created_path":"[^"]*capture_graph' report) rows=$(grep -c '"created_path"' report)
  [ "$rows" -gt 0 ] && [ "$with" = "$rows" ] && say passed nodes "$with kernels know it" || { grep created_path report; say failed nodes "$with of $rows kernels"; }
}

check_lines() {
  rm -rf data-lines
  "$prof" record --gpu=on --gpu-lines -o data-lines "$here/programs/suite" lines >printed 2>said
  "$prof" gpu -i data-lines --format=json -n 0 >report 2>>said || { say failed lines "$(tail -1 said)"; return; }
  complete lines "$(figure kernels)" || return
  if grep -q 'GPU lines are not recorded' said; then
    say skipped lines "$(grep 'GPU lines' said)"
    return
  fi
  "$prof" lines -i data-lines --gpu -n 5
  share=$("$prof" lines -i data-lines --gpu --format=csv | awk -F, -v line="$(figure line)" 'NR > 1 { all += $5; if ($2 == line || $2 == line - 1) there += $5 } END { printf "%.0f", all > 0 ? 100 * there / all : 0 }')
  [ "$share" -ge 90 ] && say passed lines "$share% of the samples on the loop" || say failed lines "$share% of the samples on the loop"
}

check_hostlines() {
  record names || return
  all=$("$prof" gpu -i data-names --format=csv -n 0 | awk -F, 'NR > 1 { sum += $2 } END { printf "%.0f", sum }')
  most=$("$prof" lines -i data-names --sort=gpu --format=csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "gpu_ns") at = i } NR > 1 && $2 > 0 { sum += $at } END { printf "%.0f", sum }')
  awk -v most="${most:-0}" -v all="$all" 'BEGIN { exit !(most >= 0.95 * all && all > 0) }' && say passed hostlines "$most ns of kernels' $all" || say failed hostlines "$most ns of kernels' $all"
}

check_open() {
  record open || return
  open=$("$prof" gpu -i data-open --show=ranges --format=json | sed -n 's/.*"open":\([0-9]*\).*"name":"never".*/\1/p')
  [ "$open" = 1 ] && say passed open "status $status" || say failed open "never is not there as an open range"
}

check_bounds() {
  rm -rf data-bounds
  "$prof" record --capture-range=round -o data-bounds "$here/programs/suite" pipeline >printed 2>said
  "$prof" gpu -i data-bounds --format=json -n 0 >report 2>>said || { say failed bounds "$(tail -1 said)"; return; }
  complete bounds "$(figure kernels)" || return
  slices=$("$prof" info -i data-bounds --format=json | grep -c '"begin_ns"')
  rounds=$(($(figure kernels) / 4))
  "$prof" record --delay=1h -o data-bounds "$here/programs/suite" pipeline >printed 2>said
  "$prof" gpu -i data-bounds >report 2>&1
  [ $? = 1 ] && [ "$slices" = "$rounds" ] && grep -q 'before --delay had passed' said && say passed bounds "$slices slices" || say failed bounds "$slices slices of $rounds: $(tail -1 said)"
}

check_buffers() {
  mkdir -p buffers
  for word in names graphs pipeline copies; do
    (PROF_GPU_KEEP_BUFFERS=$work/buffers && export PROF_GPU_KEEP_BUFFERS && "$prof" record --gpu=on -o data-buffers "$here/programs/suite" $word 5 >printed 2>said)
  done
  count=$(find buffers -name '*.buffers' -size +1k | wc -l)
  [ "$count" -ge 1 ] && say passed buffers "$count files in $work/buffers" || say failed buffers "$(tail -1 said)"
}

check_copies() {
  record copies || return
  complete copies 0 || return
  "$prof" gpu -i data-copies --show=copies --format=csv >rows
  bytes=$(awk -F, 'NR > 1 { sum += $6 } END { printf "%.0f", sum }' rows)
  [ "$bytes" = "$(figure bytes)" ] && [ "$(grep -c pageable rows)" = 2 ] && [ "$(grep -c pinned rows)" = 2 ] && say passed copies "$bytes bytes" || { cat rows; say failed copies "as above"; }
}

check_gaps() {
  record gaps || return
  complete gaps "$(figure kernels)" || return
  ours=$("$prof" gpu -i data-gaps --show=idle --format=csv | awk -F, '$5 == "host" && /think/ { sum += $2 } END { printf "%.0f", sum }')
  awk -v ours="$ours" -v wanted="$(figure idle_ns)" 'BEGIN { exit !(ours > wanted * 0.95 && ours < wanted * 1.05) }' \
    && say passed gaps "$ours ns under think" || say failed gaps "$ours ns under think, expected $(figure idle_ns)"
}

check_metrics() {
  rm -rf data-metrics
  "$prof" record --gpu=on --gpu-metrics -o data-metrics "$here/programs/suite" gaps 100 >printed 2>said
  "$prof" gpu -i data-metrics --show=metrics --format=csv >rows
  [ "$(grep -c . rows)" -ge 2 ] && say passed metrics "$(sed -n 2p rows)" || say failed metrics "$(tail -1 said)"
}

check_forked() {
  record forked || return
  complete forked "$(figure kernels)" || return
  record forked_late || return
  complete forked "$(figure kernels)" || return
  [ "$(figure child_status)" = 7 ] && say passed forked "before and after" || say failed forked "the child ended with $(figure child_status)"
}

check_fault() {
  record fault || return
  [ "$(cover kernels)" -ge "$(figure kernels)" ] && say passed fault "$(cover kernels) kernels, CUDA's error $(figure error)" || say failed fault "$(cover kernels) of $(figure kernels) kernels"
}

check_aborted() {
  record aborted || return
  [ "$(cover kernels)" -ge 100 ] && say passed aborted "$(cover kernels) kernels" || say failed aborted "$(cover kernels) of 100 kernels"
}

check_alone() {
  rm -rf data-alone
  PROF_RECORD=1 PROF_OPTIONS="-o data-alone" "$here/programs/suite" names >printed 2>said
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    "$prof" info -i data-alone --format=json 2>/dev/null | grep -q '"complete":true' && break
    sleep 1
  done
  "$prof" gpu -i data-alone --format=json >report 2>>said || { say failed alone "$(tail -1 said)"; return; }
  complete alone "$(figure kernels)" && say passed alone "$(cover kernels) kernels"
}

check_without() {
  for word in names graphs copies; do
    "$here/programs/suite" $word >plain 2>&1
    plain=$?
    "$prof" record -o data-without "$here/programs/suite" $word >printed 2>said
    [ $? = $plain ] && cmp -s plain printed || { say failed without "$word differs"; return; }
  done
  say passed without "names graphs copies"
}

check_gemm() {
  record gemm || return
  grep -q skipped printed && { say skipped gemm "$(cat printed)"; return; }
  [ "$(cover kernels)" -ge "$(figure products)" ] && [ "$(cover untimed)" = 0 ] && say passed gemm "$(cover kernels) kernels of $(figure products) products" || say failed gemm "$(cover kernels) kernels"
}

check_torch() {
  python3 -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null || { say skipped torch "no PyTorch with CUDA here"; return; }
  python3 "$here/torch_step.py" "$prof" >line 2>&1 && say passed torch "$(tail -1 line)" || say failed torch "$(tail -1 line)"
}

words=$(list | awk '{ print $1 }')
if [ "${1:-}" = --list ]; then
  list
  exit 0
fi
ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1' || [ -e /dev/nvidiactl ] || [ -e "$here/lib/libcuda.so.1" ] || {
  echo "there is no NVIDIA driver here; unproven:"
  list
  exit 77
}
work=$(mktemp -d) && cd "$work" || exit 1
echo "recordings: $work"
for word in ${*:-$words}; do
  "check_$word"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
