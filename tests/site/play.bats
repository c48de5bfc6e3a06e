# site/play: the interactive widgets. Their models agree with the workbook, its pages and its CPU backend.

bats_require_minimum_version 1.5.0
load play

NAMES=(grid memory streams jacobi matmul roofline order devices)

@test "each widget has at most 10 KB of script and no globals, requests or eval" {
  js "for (const [file, text] of Object.values(play).flatMap((thing) => Object.entries(thing.scripts))) {
      if (text.length > 10240) print(file, text.length);
      if (/\beval\b|Function\(|fetch\(|XMLHttp|\bimport\b|https?:/.test(text))
        print(file, 'does what it must not');
      const before = Object.keys(globalThis).length;
      const other = { addEventListener() {}, dispatchEvent() {}, CustomEvent: class {} };
      new Function(...Object.keys(other), text)(...Object.values(other));
      if (Object.keys(globalThis).length !== before) print(file, 'leaves a global');
    }
    print(Object.keys(play).join(' '));"
  is "${NAMES[*]}"
}

@test "without scripts each widget shows a picture, the numbers and a question, in the site's colours" {
  js "for (const name in play) {
      const html = play[name].html();
      for (const part of ['<svg viewBox', 'role=\"img\" aria-label=\"',
          '<form class=\"play-form\" hidden>', 'role=\"status\"', '<table>', '<summary>Predict: '])
        if (!html.includes(part)) print(name, 'lacks', part);
      if (/ id=|#[0-9a-f]{3,6}\b|style=|NaN|undefined|Infinity/.test(html.replace(/&#\d+;/g, '')))
        print(name, 'holds what it must not');
      if (!html.includes(model(name).draw(initial(name), {}).svg))
        print(name, 'shows another picture than its model');
      for (const [open] of html.matchAll(/<(input|select) [^>]*/g))
        if (!html.includes('</span>' + open)) print(name, 'has a field without a label', open);
    }"
  is ""
  run ! grep -nE '#[0-9a-fA-F]{3,8}\b|rgb|hsl' "$ROOT/site/play/play.css"
}

@test "grid: rounds blocks up, counts idle threads and those of the last block, finds the chosen thread" {
  js "const grid = model('grid'), of = (more) => {
      const l = grid.launch({ ...initial('grid'), ...more });
      return [l.gx, l.gy, l.threads, l.working, l.idle, l.left, l.last];
    };
    print(of({ n: 1000, bx: 256 }));
    print(of({ n: 1024, bx: 256 }));
    print(of({ n: 1, bx: 32 }));
    print(of({ n: 1000, bx: 256, blocks: 'down' }));
    print(of({ shape: '2D', columns: 50, rows: 18, bx: 32, by: 8 }));
    print(of({ shape: '2D', columns: 50, rows: 18, bx: 32, by: 8, blocks: 'own', gx: 1, gy: 4 }));
    const l = grid.launch({ ...initial('grid'), shape: '2D', columns: 50, rows: 18, bx: 16, by: 16 });
    const t = grid.thread(l, { b: 3, c: 1, x: 5, y: 3 });
    print([t.column, t.row, t.inside, t.warp, t.lane]);"
  is "[4,1,1024,1000,24,0,232]
[4,1,1024,1024,0,0,256]
[1,1,32,1,31,0,1]
[3,1,768,768,0,232,256]
[2,3,1536,900,636,0,36]
[1,4,1024,576,448,324,0]
[53,19,false,1,21]"
}

@test "grid: each thread of a launch has its own element, and together they cover all" {
  js "const grid = model('grid');
    for (const [columns, rows, bx, by] of [[50, 18, 32, 8], [7, 5, 3, 2], [1, 1, 32, 32], [64, 16, 8, 32]]) {
      const l = grid.launch({ ...initial('grid'), shape: '2D', columns, rows, bx, by }), done = new Set();
      for (let b = 0; b < l.gx; b++)
      for (let c = 0; c < l.gy; c++)
      for (let x = 0; x < bx; x++)
      for (let y = 0; y < by; y++) {
        const t = grid.thread(l, { b, c, x, y });
        if (t.inside) done.add(t.row * columns + t.column).size;
      }
      print(done.size === columns * rows && l.working === done.size);
    }"
  is $'true\ntrue\ntrue\ntrue'
}

@test "grid: rejects a launch that a GPU rejects, with the reason" {
  js "const grid = model('grid');
    const of = (more) => print(message(() => grid.draw({ ...initial('grid'), ...more })));
    of({ bx: 1025 }); of({ n: 0 }); of({ n: 100, bx: 256, blocks: 'down' });
    of({ shape: '2D', blocks: 'own', gy: 65536 });"
  is "1025 × 1 threads a block: at most 1024 are allowed, so the launch is refused and no thread runs.
A grid of 0 blocks is an error: launch nothing when there is nothing to do.
A grid of 0 blocks is an error: launch nothing when there is nothing to do.
65,536 blocks in y: at most 65535 are allowed, so the launch is refused and no thread runs."
}

# Expressions as a user types them, with the block and the bytes of an element. Values are small, since they
# also index shared memory.
expressions() {
  cat <<'TEXT'
32 1 4|threadIdx.x
32 1 4|threadIdx.x + 1
32 1 4|threadIdx.x * 2
32 8 4|threadIdx.x * 32 + threadIdx.y
32 8 4|threadIdx.x * 33 + threadIdx.y
8 32 4|threadIdx.y * 20 + threadIdx.x
100 1 4|threadIdx.x ^ 5
48 2 8|threadIdx.y * blockDim.x + threadIdx.x
32 1 8|threadIdx.x * 3
32 2 16|threadIdx.y * blockDim.x + threadIdx.x
40 1 16|threadIdx.x * 2 % 32
64 1 1|threadIdx.x * 4
64 1 2|threadIdx.x / 2 * 3
32 4 4|threadIdx.y
32 1 4|(threadIdx.x & 7) << 3 | threadIdx.x >> 3
32 1 4|~threadIdx.x & 31
32 1 4|(threadIdx.x - 5) % 32 + blockIdx.x
32 1 4|-(3 - 10) / 2 * threadIdx.x
TEXT
}

@test "memory: sectors, passes and conflicts of 18 expressions match the CPU backend's counts" {
  local type block_x block_y size text n=0
  cd "$BATS_TEST_TMPDIR"
  {
    printf '#include <cuda_runtime.h>\n#include <stdio.h>\n'
    while IFS='|' read -r shape text; do
      read -r block_x block_y size <<<"$shape"
      case $size in 1) type=char ;; 2) type=short ;; 4) type=float ;; 8) type=double ;; 16) \
        type=float4 ;; esac
      n=$((n + 1))
      cat <<TEXT
__global__ void global$n(const $type *a, $type *out) {
  const $type v = a[$text];
  out[threadIdx.y * blockDim.x + threadIdx.x] = v;
}
__global__ void shared$n($type *out) {
  __shared__ $type s[32768 / sizeof($type)];
  const unsigned me = threadIdx.y * blockDim.x + threadIdx.x;
  for (unsigned i = me; i < 32768 / sizeof($type); i += blockDim.x * blockDim.y) s[i] = $type();
  __syncthreads();
  out[me] = s[$text];
}
void run$n(void *a, void *out) {
  const dim3 block($block_x, $block_y);
  global$n<<<1, block>>>(($type *)a, ($type *)out);
  shared$n<<<1, block>>>(($type *)out);
}
TEXT
    done < <(expressions)
    printf '%s\n' 'int main() {' '  void *a, *out;' '  cudaMalloc(&a, 65536);' \
      '  cudaMalloc(&out, 65536);' '  cudaMemset(a, 0, 65536);'
    for ((i = 1; i <= n; i++)); do echo "  run$i(a, out);"; done
    printf '  cudaFree(a);\n  cudaFree(out);\n  return cudaDeviceSynchronize();\n}\n'
  } >all.cu
  "$ROOT/common/cpu/cucc" -o all all.cu
  CUCC_PROFILE=json:all.json ./all
  jq -r '.profile[] | .name as $name | .lines[] | select(.op == "ld") |
    if .space == "global" then "\($name) \(.requests) \(.sectors) \(.ideal_sectors)"
    else "\($name) \(.requests) \(.wavefronts) \(.bank_conflicts)" end' all.json |
    sort -V >counted
  expressions >typed
  js "import { readFileSync } from 'node:fs';
    const { counts } = model('memory'), lines = readFileSync('typed', 'utf8').trim().split('\n');
    for (const kind of ['global', 'shared']) lines.forEach((line, i) => {
      const bar = line.indexOf('|'), index = line.slice(bar + 1);
      const [bx, by, size] = line.slice(0, bar).split(' ').map(Number);
      const c = counts({ index, bx, by, size }, [...Array(Math.ceil(bx * by / 32)).keys()]);
      print(kind + (i + 1), c.requests, kind === 'global' ? c.sectors : c.wavefronts,
        kind === 'global' ? c.ideal : c.conflicts);
    });"
  [ "$n" = 18 ]
  [ "$(wc -l <counted)" = 36 ]
  is "$(cat counted)"
}

@test "memory: an invalid expression is reported with its place and what belongs there" {
  js "const memory = model('memory');
    const of = (index, more) =>
      print(message(() => memory.draw({ ...initial('memory'), index, ...more })));
    of('threadIdx.x +'); of('threadIdx.z'); of('2 threadIdx.x'); of('(1 + 2'); of('');
    of('threadIdx.x / 0'); of('1 << 32'); of('threadIdx.x - 1');
    of('process.exit()'); of('4294967296'); of('((((((((((1))))))))))'); of('1', { bx: 64, by: 32 });"
  local names="The names are threadIdx.x, threadIdx.y, blockIdx.x, blockIdx.y, blockDim.x, blockDim.y."
  # shellcheck disable=SC1111 # the quotes are those of the messages
  is "The expression ends too early: a number, a name or ( belongs here. $names
At character 1, 'threadIdx.z': a number, a name or ( belongs here. $names
At character 3, 'threadIdx.x': one of + - * / % & | ^ << >> belongs here.
The expression ends too early: a ) or one of + - * / % & | ^ << >> belongs here.
The expression ends too early: a number, a name or ( belongs here. $names
0 / 0 has no value.
1 << 32: a shift goes from 0 to 31.
Thread (0, 0) loads element 4294967295: the array has 1,048,576.
At character 1, 'process.exit': a number, a name or ( belongs here. $names
At character 1, '4294967296': a number from 0 to 2147483647, without a leading 0.
no error
64 × 32 threads a block: at most 1024 are allowed."
}

@test "streams: the steps of lesson05's page, and 3.02 ms for its job on an H200" {
  js "const { sums } = model('streams');
    const twelve = { chunks: 12, in: 12, kernel: 12, out: 12, cost: 0, engines: '2' };
    print([1, 2, 3, 8].map((streams) => sums({ ...twelve, streams }).total));
    const job = { chunks: 16, streams: 4, in: 2.42, kernel: 2.72, out: 2.42, cost: 0, engines: '2' };
    print(sums(job).total.toFixed(2));
    const few = { ...initial('streams') };
    print(sums({ ...few, streams: 1 }).total, sums(few).total, sums({ ...few, engines: '1' }).total);"
  is "[36,19,14,14]
3.02
18 8 12"
  grep -q 'One stream: 36 steps, three per chunk.*the job 19' "$ROOT/lessons/lesson05/README.md"
  grep -q 'Three streams: 14 steps' "$ROOT/lessons/lesson05/README.md"
  grep -q '3.02 ms at best' "$ROOT/lessons/lesson05/README.md"
}

@test "streams: a stream keeps its order, an engine runs one operation at a time, and the limit holds" {
  js "const { schedule, sums } = model('streams');
    for (const engines of ['1', '2'])
    for (let chunks = 1; chunks < 12; chunks += 2)
    for (const streams of [1, 2, 3, 5])
    for (const [i, k, o] of [[1, 1, 1], [5, 2, 1], [1, 7, 3], [2, 2, 9]]) {
      const s = sums({ chunks, streams, engines, in: i, kernel: k, out: o, cost: 0.1 });
      const apart = (list) => list.sort((a, b) => a.start - b.start)
        .every((op, n) => n === 0 || op.start >= list[n - 1].end - 1e-9);
      const bad = [0, 1, 2, 3, 4].some((stream) => !apart(s.done.filter((op) => op.stream === stream))) ||
        [0, 1, 2].some((stage) => !apart(s.done.filter(
          (op) => (engines === '1' && op.stage === 2 ? 0 : op.stage) === stage)));
      if (bad || s.done.length !== 3 * chunks || s.total < s.longest - 1e-9 || s.total > s.one + 1e-9)
        print(engines, chunks, streams, i, k, o);
    }"
  is ""
}

@test "streams: the timeline is that of the CPU backend's model" {
  cd "$BATS_TEST_TMPDIR"
  cat >plan.cu <<'TEXT'
#include <cucc.h>
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void nothing() {}
/* Chunks of BYTES in `streams` streams. In the model a copy takes 10 us plus its bytes, this kernel 5.8 us, a
 * call 2 us. */
static void plan(int chunks, int streams, size_t bytes) {
  static char *h, *d;
  if (!h) cudaMallocHost(&h, 1 << 20), cudaMalloc(&d, 1 << 20);
  cudaMemset(d, 0, 1 << 20);
  cudaStream_t s[8];
  for (int i = 0; i < streams; i++) cudaStreamCreate(&s[i]);
  cudaDeviceSynchronize();
  cucc_reset();
  for (int c = 0; c < chunks; c++) {
    cudaMemcpyAsync(d + c * bytes, h + c * bytes, bytes, cudaMemcpyHostToDevice, s[c % streams]);
    nothing<<<32, 250, 0, s[c % streams]>>>();
    cudaMemcpyAsync(h + c * bytes, d + c * bytes, bytes, cudaMemcpyDeviceToHost, s[c % streams]);
  }
  cudaDeviceSynchronize();
  cucc_activity done[64];
  const size_t count = cucc_timeline(done, 64);
  printf("%d %d %zu:", chunks, streams, bytes);
  for (size_t i = 0; i < count; i++) printf(" %.2f-%.2f", done[i].start_us, done[i].end_us);
  puts("");
  for (int i = 0; i < streams; i++) cudaStreamDestroy(s[i]);
}
int main() {
  plan(6, 1, 50000);
  plan(6, 2, 50000);
  plan(7, 3, 25000);
  plan(12, 8, 75000);
}
TEXT
  "$ROOT/common/cpu/cucc" -o plan plan.cu
  CUCC_CHECK=none ./plan >modelled
  [ "$(wc -l <modelled)" = 4 ]
  js "const { schedule } = model('streams');
    for (const [chunks, streams, bytes] of [[6, 1, 50000], [6, 2, 50000], [7, 3, 25000], [12, 8, 75000]]) {
      const copy = bytes / 25000 + 10, times = [copy, 5.16, copy].map((us) => us * chunks);
      const done = schedule({ chunks, streams, engines: 2, times, cost: 0, call: 2 });
      done.sort((a, b) => a.chunk - b.chunk || a.stage - b.stage);
      const span = (o) => ' ' + o.start.toFixed(2) + '-' + o.end.toFixed(2);
      print(chunks + ' ' + streams + ' ' + bytes + ':' + done.map(span).join(''));
    }"
  is "$(cat modelled)"
}

@test "jacobi: takes as many sweeps as lesson08's page says, and restarts when the source is moved" {
  js "const { plate, relax, draw, press, keys } = model('jacobi');
    for (const n of [24, 48]) {
      const s = plate(n);
      relax(s, { n, row: n / 2, column: n / 2 }, 1e6);
      print(s.sweeps);
    }
    const v = initial('jacobi'), state = { still: true };
    press('reset', v, state); press('run', v, state);
    print(state.plate.sweeps, state.running);
    for (const key of ['ArrowLeft', ...Array(20).fill('ArrowUp')]) Object.assign(v, keys(v, key));
    print(v.row, v.column, draw(v, state).say.slice(0, 35));
    press('step', v, state); print(state.plate.sweeps, state.plate.change > 1e-4);"
  is "918
2900
918 false
1 11 Not at rest: 918 sweeps done. Chang
928 true"
  grep -q '918 sweeps for 24, 2900 for 48' "$ROOT/lessons/lesson08/README.md"
}

@test "matmul: the loads are those of lesson07's page, step by step and in total, and no term is missing" {
  js "const { steps, loads } = model('matmul'), page = loads({ m: 96, n: 160, k: 128, tile: 16 });
    print(page.naive / 32, page.tiled / 32);
    for (const [m, n, k, tile] of [[8, 8, 8, 4], [7, 10, 6, 4], [1, 1, 1, 8], [16, 3, 5, 2]]) {
      const list = steps({ m, n, k, tile }), last = list[list.length - 1];
      print(last.loads === loads({ m, n, k, tile }).tiled, last.sums === m * n * k, list.length);
    }"
  is "122880 7680
true true 44
true true 54
true true 3
true true 144"
  grep -q '122,880 loads.*Tiled: 7,680' "$ROOT/lessons/lesson07/README.md"
}

@test "roofline: the times, the limits and the gain of fusing are those of lesson09's page" {
  js "const { costs } = model('roofline');
    const of = (more) => costs({ ...initial('roofline'), start: 0, ...more });
    const one = of({ steps: 1 }).fused;
    print(Math.round(one.bytes_us), Math.round(one.operations_us), one.limit);
    print([1, 2, 3, 4, 5].map((k) => of({ steps: 1, operations: 20 * k }).fused.limit).join(', '));
    const three = of({ steps: 3 });
    print((three.apart.us / three.fused.us).toFixed(2), three.apart.intensity, three.fused.intensity);
    print(of({ steps: 8, operations: 100 }).fused.limit, of({ n: 1000, start: 5 }).fused.limit);"
  is "128 42 the bytes
the bytes, the bytes, the bytes, the operations, the operations
3.00 2.5 7.5
the operations the start"
  grep -q 'The bytes take 128 µs, the operations 42' "$ROOT/lessons/lesson09/README.md"
  grep -q 'With twenty operations a sine, between three and four' "$ROOT/lessons/lesson09/README.md"
}

@test "roofline: no kernel is above the line, and each point is inside the picture" {
  js "const { costs, draw } = model('roofline');
    for (const steps of [1, 3, 16])
    for (const operations of [1, 100, 10000])
    for (const n of [1, 1000, 1e10])
    for (const [bandwidth, rate] of [[1, 10000], [4200, 32], [100000, 0.001]]) {
      const v = { steps, operations, n, bandwidth, rate, start: 2 }, c = costs(v);
      for (const w of [c.apart, c.fused])
        if (w.rate > Math.min(rate, w.intensity * bandwidth / 1000) * 1.0000001) print('above', v);
      const [, width, height] = draw(v, {}).svg.match(/viewBox=\"0 0 (\d+) (\d+)\"/).map(Number);
      for (const [, x, y] of draw(v, {}).svg.matchAll(/ x=\"([-\d.]+)\" y=\"([-\d.]+)\"/g))
        if (!(x >= 0 && x < width && y >= 0 && y < height)) print('outside', v, x, y);
    }"
  is ""
}

# What cublasSgemm of the CPU backend writes; gaps hold 1000, and -1 stands for a number that is not written.
products() {
  cat <<'TEXT'
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
static float *on_device(const float *h, int count) {
  float *d;
  cudaMalloc(&d, count * sizeof *d);
  cudaMemcpy(d, h, count * sizeof *d, cudaMemcpyHostToDevice);
  return d;
}
static void product(int m, int n, int k, int gap, int call, int left_out) {
  float a[81], b[81], c[81];
  const int ld[] = {k + gap, n + gap, n + gap};
  for (int i = 0; i < 81; i++) a[i] = b[i] = c[i] = 1000;
  for (int i = 0; i < m * k; i++) a[i / k * ld[0] + i % k] = i + 1;
  for (int i = 0; i < k * n; i++) b[i / n * ld[1] + i % n] = 5 - i % 5;
  for (int i = 0; i < m * n; i++) c[i / n * ld[2] + i % n] = -1;
  float *d_a = on_device(a, 81), *d_b = on_device(b, 81), *d_c = on_device(c, 81);
  const int lda = ld[0] - left_out, ldb = ld[1] - left_out, ldc = ld[2] - left_out;
  const cublasOperation_t op = call == 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
  const float one = 1, zero = 0;
  cublasHandle_t handle;
  cublasCreate(&handle);
  const cublasStatus_t status =
      call == 0 ? cublasSgemm(handle, op, op, n, m, k, &one, d_b, ldb, d_a, lda, &zero, d_c, ldc)
                : cublasSgemm(handle, op, op, m, n, k, &one, d_a, lda, d_b, ldb, &zero, d_c, ldc);
  cublasDestroy(handle);
  cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost);
  if (status) printf("refused");
  for (int i = 0; i < m * ld[2] && !status; i++) printf("%s%.0f", i ? " " : "", c[i]);
  puts("");
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
}
int main() {
  const int sizes[][3] = {{2, 4, 3}, {4, 2, 3}, {3, 3, 3}, {1, 6, 2}, {5, 1, 4}};
  for (auto &s : sizes)
    for (int gap = 0; gap < 3; gap += 2)
      for (int call = 0; call < 3; call++)
        for (int left_out = 0; left_out <= gap; left_out += 2) product(s[0], s[1], s[2], gap, call, left_out);
  return 0;
}
TEXT
}

@test "order: C in memory is what the CPU backend's cuBLAS makes of the same 45 calls" {
  cd "$BATS_TEST_TMPDIR"
  products >products.cu
  "$ROOT/common/cpu/cucc" -o products products.cu -lcublas
  ./products >made
  [ "$(wc -l <made)" = 45 ]
  js "const { call, multiply } = model('order');
    for (const [m, n, k] of [[2, 4, 3], [4, 2, 3], [3, 3, 3], [1, 6, 2], [5, 1, 4]])
    for (const gap of [0, 2])
    for (const first of ['ba', 'ab', 'tt'])
    for (const ld of gap ? ['gap', 'row'] : ['gap']) {
      try { print(multiply(call({ m, n, k, gap, call: first, ld })).c.map((x) => x ?? -1).join(' ')); }
      catch (error) { print(error.message.replace(/^cuBLAS refuses the call.*/, 'refused')); }
    }"
  is "$(cat made)"
}

@test "order: B first is right for every shape and gap, and no other call is" {
  js "const { call, multiply } = model('order');
    const faults = (v) => { const d = multiply(call(v)); return d.wrong + d.gaps + d.reads + d.writes; };
    let right = 0, others = 0, refused = 0;
    for (let m = 2; m < 7; m++)
    for (let n = 2; n < 7; n++)
    for (let k = 2; k < 7; k++)
    for (const gap of [0, 1, 3]) {
      right += faults({ m, n, k, gap, call: 'ba', ld: 'gap' }) === 0;
      for (const [first, ld] of [['ab', 'gap'], ['tt', 'gap'], ['ba', 'row']])
        try { others += (gap > 0 || ld === 'gap') && faults({ m, n, k, gap, call: first, ld }) === 0; }
        catch { refused++; }
    }
    print(right, 5 * 5 * 5 * 3, others, refused > 0);"
  is "375 375 0 true"
}
