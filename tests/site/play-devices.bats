# site/play/devices.js, the plate on several GPUs: its model agrees with lesson13's page and the CPU backend.

bats_require_minimum_version 1.5.0
load play

# Rounds of sweeps on several devices, as a learner's program queues them; kernels do nothing.
rounds_of_sweeps() {
  cat <<'TEXT'
#include <cucc.h>
#include <cuda_runtime.h>
#include <stdio.h>
enum { COLS = 256 };
struct part {
  int own, sides;
  float *d;
  cudaStream_t main, border;
  cudaEvent_t sent, early, bordered;
};
static part parts[4];
static int gpus;
__global__ void nothing() {}
static void sweep(int i, cudaStream_t stream, int rows) {
  cudaSetDevice(i);
  if (rows > 0) nothing<<<rows, COLS, 0, stream>>>();
}
template <typename F> static void of_neighbours(int i, F f) {
  if (i > 0) f(i - 1);
  if (i < gpus - 1) f(i + 1);
}
static void round_of(int depth, bool behind) {
  for (int i = 0; i < gpus; i++) {
    part &p = parts[i];
    const int edge = p.own < 2 * depth ? p.own : 2 * depth, more = behind ? depth - 1 : depth;
    if (more) of_neighbours(i, [&](int n) { cudaStreamWaitEvent(p.main, parts[n].sent, 0); });
    if (behind) cudaStreamWaitEvent(p.main, more ? p.sent : p.bordered, 0);
    for (int k = 0; k < more; k++) sweep(i, p.main, p.own + p.sides * (depth - 1 - k));
    cudaEventRecord(p.early, p.main);
    if (!behind) continue;
    cudaStreamWaitEvent(p.border, p.early, 0);
    of_neighbours(i, [&](int n) { cudaStreamWaitEvent(p.border, parts[n].sent, 0); });
    sweep(i, p.border, edge < depth ? edge : depth);
    sweep(i, p.border, edge - depth);
    cudaEventRecord(p.bordered, p.border);
    sweep(i, p.main, p.own - edge);
  }
  for (int i = 0; i < gpus; i++) {
    part &p = parts[i];
    const cudaStream_t stream = behind ? p.border : p.main;
    cudaSetDevice(i);
    if (depth > 1) of_neighbours(i, [&](int n) { cudaStreamWaitEvent(stream, parts[n].early, 0); });
    of_neighbours(i, [&](int n) {
      cudaMemcpyAsync(parts[n].d, p.d, depth * COLS * 4, cudaMemcpyDefault, stream);
    });
    cudaEventRecord(p.sent, stream);
  }
}
static void plan(int count, int rows, int depth, bool behind) {
  gpus = count;
  for (int i = 0; i < gpus; i++) {
    cudaSetDevice(i);
    part &p = parts[i];
    p.own = rows / gpus + (i < rows % gpus);
    p.sides = (i > 0) + (i < gpus - 1);
    of_neighbours(i, [&](int n) { cudaDeviceEnablePeerAccess(n, 0); });
    cudaMalloc(&p.d, 2 * 32 * COLS * 4);
    cudaMemset(p.d, 0, 2 * 32 * COLS * 4);
    for (cudaStream_t *s : {&p.main, &p.border}) cudaStreamCreateWithFlags(s, cudaStreamNonBlocking);
    for (cudaEvent_t *e : {&p.sent, &p.early, &p.bordered}) cudaEventCreate(e);
  }
  for (int i = 0; i < gpus; i++) cudaSetDevice(i), cudaDeviceSynchronize();
  cucc_reset();
  for (int k = 0; k < 6; k++) round_of(depth, behind);
  for (int i = 0; i < gpus; i++) cudaSetDevice(i), cudaDeviceSynchronize();
  cucc_activity done[1024];
  const size_t all = cucc_timeline(done, 1024);
  for (size_t i = 0; i < all; i++)
    printf("%d %d %d %d %d: %.2f-%.2f\n", count, rows, depth, behind, done[i].device, done[i].start_us,
           done[i].end_us);
  for (int i = 0; i < gpus; i++) {
    cudaSetDevice(i);
    cudaFree(parts[i].d);
    for (cudaStream_t s : {parts[i].main, parts[i].border}) cudaStreamDestroy(s);
    for (cudaEvent_t e : {parts[i].sent, parts[i].early, parts[i].bordered}) cudaEventDestroy(e);
  }
}
int main() {
  cucc_call_time(0);
  for (int count = 1; count <= 4; count++)
    for (int rows : {9, 2001})
      for (int depth : {1, 2})
        for (bool behind : {false, true}) plan(count, rows, depth, behind);
}
TEXT
}

@test "the timeline of one to four GPUs is that of the CPU backend's model" {
  cd "$BATS_TEST_TMPDIR"
  rounds_of_sweeps >plan.cu
  "$ROOT/common/cpu/cucc" -o plan plan.cu
  CUCC_DEVICES=4 CUCC_CHECK=none ./plan | sort >modelled
  [ "$(wc -l <modelled)" -gt 1000 ]
  js "const { run } = model('devices'), given = { columns: 256, start: 5, memory: 400, copy: 2, link: 25 };
    for (const gpus of [1, 2, 3, 4]) for (const rows of [9, 2001]) for (const depth of [1, 2])
    for (const behind of [false, true])
      for (const o of run({ gpus, rows, depth, behind, ...given }, 6))
        print(gpus, rows, depth, Number(behind), o.gpu + ': ' + o.start.toFixed(2) + '-' + o.end.toFixed(2));"
  diff <(sort <<<"$output") modelled
}

@test "a sweep takes as long as in the tables of lesson13's page, modelled and measured" {
  local ports=results/2026-11-24-epyc-2-cores/lesson13-ports.md
  local scaling=results/2026-11-25-nvidia-h100-x2/scaling13.md
  cd "$ROOT"
  grep -q "^<!-- results: $ports" lessons/lesson13/README.md
  grep -q "^<!-- results: $scaling" lessons/lesson13/README.md
  js "import { readFileSync } from 'node:fs';
    import { forms } from '$ROOT/site/play/forms.js';
    const { costs } = model('devices');
    const preset = (words) => forms.devices.buttons.find(({ label }) => label.includes(words)).set;
    const rows = (file, head) => {
      const part = readFileSync(file, 'utf8').split('| ' + head)[1].split('\n\n')[0];
      return part.split('\n').slice(2).map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim()));
    };
    // What the backend's model took for more sweeps, without the rows' deal and collection.
    const modelled = rows('$ports', 'function');
    const us = (...key) => Number(modelled.find((row) => key.every((k, i) => row[i] === String(k)))[7]);
    const near = (what, ours, theirs, percent) => {
      if (!(Math.abs(ours / theirs - 1) < percent / 100)) print(what, ours, theirs);
    };
    const page = { ...initial('devices'), ...preset('backend') };
    const of = (depth) => costs({ ...page, depth });
    near('after', of(1).after.us, (us('sweeps', 4, 16) - us('sweeps', 4, 8)) / 8, 2);
    near('behind', of(1).behind.us, (us('sweeps_hidden', 4, 16) - us('sweeps_hidden', 4, 8)) / 8, 2);
    near('deep', of(16).after.us, (us('sweeps_deep', 4, 33) - us('sweeps_deep', 4, 17)) / 16, 2);
    const cards = { ...initial('devices'), ...preset('H100s') };
    let compared = 0;
    for (const [size, name, one, two] of rows('$scaling', 'rows x cols').filter((row) => row[2])) {
      const [rows, columns] = size.split(' x ').map(Number);
      const c = costs({ ...cards, rows, columns, depth: name === 'sweeps_deep' ? 16 : 1 });
      near(size + ' ' + name + ', one GPU', c.one, Number(one), 7);
      near(size + ' ' + name, c[name === 'sweeps_hidden' ? 'behind' : 'after'].us, Number(two), 7);
      compared++;
    }
    print(compared);"
  is 6
}

@test "the answer to the question, and the times of each GPU add up to that of a sweep" {
  js "const { costs, draw, run } = model('devices'), first = costs(initial('devices'));
    print([first.after.us, first.behind.us].map(Math.round),
      first.after.parts[0].slice(0, 2).map(Math.round));
    const apart = (list) => list.sort((a, b) => a.start - b.start)
      .every((o, i) => i === 0 || o.start >= list[i - 1].end - 1e-9);
    for (const gpus of [1, 2, 3, 8])
    for (const depth of [1, 3, 32])
    for (const [rows, columns] of [[8, 1], [100, 7], [5000, 4000]])
    for (const plate of ['same', 'grows'])
    for (const [start, copy, link] of [[2, 14, 300], [0, 0, 0.01], [1000, 1, 100000]])
    for (const overlap of ['after', 'behind']) {
      const v = { ...initial('devices'), gpus, depth, rows, columns, plate, start, copy, link, overlap };
      const c = costs(v), w = c.chosen, drawn = draw(v, {});
      const bad = (words) => print(words, v);
      for (const part of w.parts)
        if (part.some((us) => us < -1e-9) || Math.abs(part[0] + part[1] + part[2] - w.us) > 1e-6 * w.us)
          bad('the parts do not add up');
      for (let i = 0; i < gpus; i++)
        for (const engine of [(o) => o.kind !== 'copy' && o.gpu === i,
            (o) => o.kind === 'copy' && o.gpu === i, (o) => o.to === i])
          if (!apart(w.all.filter(engine))) bad('two at a time');
      if (w.us < w.parts[0][0] - 1e-9 || c.efficiency > 1 + 1e-9) bad('better than its work');
      if (w.depth > Math.max(1, Math.floor(w.rows / gpus))) bad('a halo beyond a neighbour');
      if (/NaN|Infinity|undefined/.test(drawn.svg + drawn.say + drawn.out)) bad('no number');
      const [, width, height] = drawn.svg.match(/viewBox=\"0 0 (\d+) (\d+)\"/).map(Number);
      for (const [box] of drawn.svg.matchAll(/<rect[^>]*>/g)) {
        const [x, y, wide, high] = [...box.matchAll(/=\"([-\d.]+)\"/g)].map((m) => +m[1]);
        if (!(x >= 0 && wide >= 0 && x + wide <= width && y + high <= height)) bad('outside');
      }
    }"
  is "[39,30] [25,14]"
}
