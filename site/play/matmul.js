// A matrix product in tiles, step by step. draw.js comes before this file.

const ceil_div = (n, d) => Math.ceil(n / d);

// The number of a tile's places inside the matrix: from `first` on, of n.
const inside = (first, n, tile) => Math.max(0, Math.min(tile, n - first));

// All steps of all blocks of C = A * B, A m x k, B k x n, one block after the other. Each is {i, j: first row and column of
// the block; kind: "fetch", "term" or "store"; t: first term of the tile; p: the term; loads, sums: done so far}.
function steps({ m, n, k, tile }) {
  const list = [];
  let loads = 0, sums = 0;
  for (let i = 0; i < m; i += tile)
    for (let j = 0; j < n; j += tile) {
      const high = inside(i, m, tile), wide = inside(j, n, tile);
      for (let t = 0; t < k; t += tile) {
        loads += (high + wide) * inside(t, k, tile);
        list.push({ kind: "fetch", i, j, t, loads, sums });
        for (let p = t; p < Math.min(k, t + tile); p++) list.push({ kind: "term", i, j, t, p, loads, sums: (sums += high * wide) });
      }
      list.push({ kind: "store", i, j, t: k, loads, sums });
    }
  return list;
}

// Floats loaded from global memory for the whole product: by the naive kernel, two for each multiply-add, and by tiles.
function loads({ m, n, k, tile }) {
  return { naive: 2 * m * n * k, tiled: m * k * ceil_div(n, tile) + k * n * ceil_div(m, tile) };
}

// The places of the three matrices in the picture, and the size of a cell.
function layout(v) {
  const cell = Math.min(24, Math.floor(420 / (v.k + v.n)), Math.floor(400 / (v.k + v.m)));
  return { cell, left: v.k * cell + 26, top: v.k * cell + 46 };
}

// A click on C chooses the thread at the same place of its block.
function point(v, x, y) {
  const { cell, left, top } = layout(v), j = Math.floor((x - left) / cell), i = Math.floor((y - top) / cell);
  return i >= 0 && j >= 0 && i < v.m && j < v.n ? { y: i % v.tile, x: j % v.tile } : {};
}

function words(v, s, tile) {
  const a = `A[${s.i + v.y}][${s.p}]`, b = `B[${s.p}][${s.j + v.x}]`;
  if (s.kind === "fetch")
    return `Every thread fetches one element of a tile of A, from row ${s.i}, column ${s.t}, and one of a tile of B, from row ${s.t}, column ${s.j}, into shared memory; beyond the edge it stores zeros. Then comes a barrier.`;
  if (s.kind === "store") return "The sums are complete: every thread inside C stores its element.";
  const last = s.p === Math.min(v.k, s.t + tile) - 1 ? " Then comes the second barrier: the next tiles may be fetched." : "";
  if (s.i + v.y >= v.m || s.j + v.x >= v.n) return `Your thread is beyond the edge of C: it has no sum, but it must reach every barrier.${last}`;
  return `Every thread adds one product to its sum. Your thread: C[${s.i + v.y}][${s.j + v.x}] += ${a} * ${b}, both from shared memory.${last}`;
}

function paint(v, s, tile, says) {
  const { cell, left, top } = layout(v), x0 = 2, y0 = 20;
  const grid = (x, y, rows, columns) => {
    let d = "";
    for (let r = 0; r <= rows; r++) d += `M${x} ${y + r * cell}h${columns * cell}`;
    for (let c = 0; c <= columns; c++) d += `M${x + c * cell} ${y}v${rows * cell}`;
    return path(d, "faint");
  };
  const area = (x, y, row, column, rows, columns, kind) => rect(x + column * cell, y + row * cell, columns * cell, rows * cell, kind);
  const high = inside(s.i, v.m, tile), wide = inside(s.j, v.n, tile), deep = inside(s.t, v.k, tile), kind = s.kind === "fetch" ? "f1 bold" : "f1";
  const [ax, ay, bx, by] = [x0, top, left, y0];
  let body = label(ax, top - 8, `A, ${v.m} × ${v.k}`, "head") + label(bx, 14, `B, ${v.k} × ${v.n}`, "head") + label(bx, top - 8, `C, ${v.m} × ${v.n}`, "head");
  if (deep) body += area(ax, ay, s.i, s.t, high, deep, kind) + area(bx, by, s.t, s.j, deep, wide, kind);
  for (let i = 0; i < v.m; i += tile) for (let j = 0; j < v.n; j += tile)
    if (i < s.i || (i === s.i && j < s.j)) body += area(left, top, i, j, inside(i, v.m, tile), inside(j, v.n, tile), "f3");
  body += area(left, top, s.i, s.j, high, wide, s.kind === "store" ? "f3 bold" : "f2 bold");
  body += grid(ax, ay, v.m, v.k) + grid(bx, by, v.k, v.n) + grid(left, top, v.m, v.n);
  const row = s.i + v.y, column = s.j + v.x;
  if (s.kind === "term" && row < v.m && column < v.n) body += area(ax, ay, row, s.p, 1, 1, "chosen") + area(bx, by, s.p, column, 1, 1, "chosen");
  if (row < v.m && column < v.n) {
    body += area(left, top, row, column, 1, 1, "chosen");
    const terms = s.kind === "fetch" ? s.t : s.kind === "term" ? s.p + 1 : v.k;
    if (cell > 13) body += label(left + (column + 0.5) * cell, top + (row + 0.5) * cell + 4, terms, "tiny middle");
  }
  [["f1", "a tile in shared memory"], ["f1 bold", "a tile that is fetched"], ["f2 bold", "the block that works"], ["f3", "finished"], ["chosen", "your thread's"]].forEach(([look, meaning], i) => {
    body += rect(456, 24 + i * 26, 18, 18, look) + label(484, 38 + i * 26, meaning, "small");
  });
  return picture(640, Math.max(160, top + v.m * cell + 4), says, body);
}

// Takes the form's values; returns the picture, a table and a sentence.
function draw(values) {
  const tile = Number(values.tile), v = { ...values, tile, x: Math.min(values.x, tile - 1), y: Math.min(values.y, tile - 1) };
  const list = steps(v), step = Math.min(v.step, list.length), s = list[step - 1], all = loads(v);
  const block = `block (${s.j / tile}, ${s.i / tile})`, say = `Step ${step} of ${list.length}, ${block}. ${words(v, s, tile)}`;
  const out = table([["Floats loaded from global memory", "tiles", "naive", "naive / tiles"],
    ["so far", nice(s.loads), nice(2 * s.sums), nice(2 * s.sums / s.loads)], ["the whole product", nice(all.tiled), nice(all.naive), nice(all.naive / all.tiled)]]);
  return { svg: paint(v, s, tile, say), out, say, limits: { step: list.length, x: tile - 1, y: tile - 1 } };
}

module.exports = { name: "matmul", draw, point, steps, loads };
