// Matrices by rows, handed to a library that has them by columns. draw.js comes before this file.

const GAP = 1000; // what lies between the rows

// A matrix by rows in memory, `ld` numbers from row to row.
function stored(rows, columns, ld, value) {
  const all = Array(rows * ld).fill(GAP);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) all[r * ld + c] = value(r * columns + c);
  return all;
}

// The call that the form describes, as cublasSgemm gets it, with the memory of both factors, and of C as it must become.
// Throws an Error for a call that cuBLAS refuses.
function call(v) {
  const { m, n, k, gap } = v, turned = v.call === "tt", given = v.ld === "gap" ? gap : 0;
  const a = { name: "A", rows: m, columns: k, ld: k + gap, given: k + given, at: stored(m, k, k + gap, (i) => i + 1) };
  const b = { name: "B", rows: k, columns: n, ld: n + gap, given: n + given, at: stored(k, n, n + gap, (i) => 5 - i % 5) };
  const right = stored(m, n, n + gap, (i) => [...Array(k).keys()].reduce((sum, p) => sum + a.at[Math.floor(i / n) * a.ld + p] * b.at[p * b.ld + i % n], 0));
  const [x, y] = v.call === "ba" ? [b, a] : [a, b];
  const s = { turned, x, y, m: v.call === "ba" ? n : m, n: v.call === "ba" ? m : n, k, c: { name: "C", rows: m, columns: n, ld: n + gap, given: n + given, at: right } };
  for (const [f, least, words] of [[x, turned ? k : s.m, "the first factor"], [y, turned ? s.n : k, "the second factor"], [s.c, s.m, "C"]])
    if (f.given < least) throw new Error(`cuBLAS refuses the call with CUBLAS_STATUS_INVALID_VALUE: the leading dimension of ${words} is ${f.given}, its columns have ${least} numbers.`);
  return s;
}

// The place in memory of the factor's number that sum (i, j) uses as its term p.
const first = (s, i, p) => (s.turned ? p + i * s.x.given : i + p * s.x.given);
const second = (s, p, j) => (s.turned ? j + p * s.y.given : p + j * s.y.given);

// What cuBLAS does: the memory of C afterwards (null: not written), and how many numbers it reads and writes past an array's end.
function multiply(s) {
  const c = s.c.at.map((value) => (value === GAP ? GAP : null));
  let reads = 0, writes = 0;
  for (let j = 0; j < s.n; j++)
    for (let i = 0; i < s.m; i++) {
      let sum = 0;
      for (let p = 0; p < s.k; p++) {
        const x = s.x.at[first(s, i, p)], y = s.y.at[second(s, p, j)];
        reads += (x === undefined) + (y === undefined);
        sum += (x ?? GAP) * (y ?? GAP);
      }
      if (i + j * s.c.given < c.length) c[i + j * s.c.given] = sum;
      else writes++;
    }
  return { c, reads, writes, wrong: c.filter((value, i) => s.c.at[i] !== GAP && value !== s.c.at[i]).length, gaps: c.filter((value, i) => s.c.at[i] === GAP && value !== GAP).length };
}

const shownAs = (value) => (value === GAP ? "·" : value ?? "?");

// The memory of a matrix as a picture: lines of `length` numbers, one below another (by rows) or side by side (by columns).
function sheet(x, y, cell, words, at_, length, across, kind) {
  let body = label(x, y - 7, words, "head small");
  at_.forEach((value, i) => {
    const line = Math.floor(i / length), place = i % length, [r, c] = across ? [line, place] : [place, line];
    body += rect(x + c * cell, y + r * cell, cell, cell, kind(i));
    if (String(shownAs(value)).length * 6.5 < cell) body += label(x + (c + 0.5) * cell, y + (r + 0.5) * cell + 4, shownAs(value), "tiny middle");
  });
  return body;
}

function paint(v, s, done, says) {
  const a = s.x.name === "A" ? s.x : s.y, b = s.x.name === "A" ? s.y : s.x, here = v.row * s.c.ld + v.column;
  const i = here % s.c.given, j = Math.floor(here / s.c.given), used = { A: new Set(), B: new Set() };
  for (let p = 0; p < s.k && i < s.m && j < s.n; p++) used[s.x.name].add(first(s, i, p)) && used[s.y.name].add(second(s, p, j));
  const wide = (f) => Math.ceil(f.at.length / f.given), across = Math.max(a.ld + b.ld + s.c.ld, wide(s.x) + wide(s.y) + wide(s.c));
  const cell = Math.min(26, Math.floor(560 / across)), gap = 34, below = 54 + Math.max(a.rows, b.rows) * cell;
  const plain = (f) => (n) => (n % f.ld < f.columns ? "faint" : "idle");
  const row = (n) => (Math.floor(n / a.ld) === v.row && n % a.ld < a.columns ? "f1" : plain(a)(n));
  const column = (n) => (n % b.ld === v.column ? "f2" : plain(b)(n));
  const result = (n) => (n === here ? "chosen" : s.c.at[n] === done.c[n] ? (s.c.at[n] === GAP ? "idle" : "f3") : "missed");
  const seen = (f) => (n) => (used[f.name].has(n) ? (f.name === "A" ? "f1" : "f2") : plain(f)(n));
  let body = "", x = 2;
  for (const [f, kind, words] of [[a, row, "A by rows"], [b, column, "B by rows"], [s.c, (n) => (n === here ? "chosen" : plain(s.c)(n)), "C by rows, as it must be"]]) {
    body += sheet(x, 22, cell, words, f.at, f.ld, true, kind);
    x += Math.max(f.ld * cell, 70) + gap;
  }
  x = 2;
  for (const [f, kind, words] of [[s.x, seen(s.x), `cuBLAS: ${s.x.name} by columns`], [s.y, seen(s.y), `${s.y.name} by columns`], [s.c, result, "what it writes to C"]]) {
    body += sheet(x, below, cell, words, f === s.c ? done.c : f.at, f.given, false, kind);
    x += Math.max(wide(f) * cell, 130) + gap;
  }
  return picture(640, below + Math.max(s.x.given, s.y.given, s.c.given) * cell + 4, says, body);
}

// The sentence about what came.
function verdict(s, done) {
  const all = s.c.rows * s.c.columns;
  if (done.wrong + done.gaps + done.writes + done.reads === 0) return `All ${count(all, "element")} of C are right: by columns it is the transpose of C, the product of the two transposes.`;
  return `${done.wrong} of ${count(all, "element")} of C are wrong or missing` + (done.gaps ? `, ${count(done.gaps, "number")} in gaps overwritten` : "") +
    (done.reads ? `, ${count(done.reads, "number")} read past the end of A or B` : "") + (done.writes ? `, ${count(done.writes, "number")} written past the end of C` : "") + ".";
}

// Takes the form's values; returns the picture, a table and a sentence.
function draw(values) {
  const v = { ...values, row: Math.min(values.row, values.m - 1), column: Math.min(values.column, values.n - 1) };
  const s = call(v), done = multiply(s), say = verdict(s, done), op = s.turned ? "CUBLAS_OP_T" : "CUBLAS_OP_N";
  const pointer = (f) => `d_${f.name.toLowerCase()}`;
  const out = table([["argument of cublasSgemm", "here"], ["the two operations", `${op}, ${op}`], ["m, n, k", `${s.m}, ${s.n}, ${s.k}`],
    ["first factor, its leading dimension", `${pointer(s.x)}, ${s.x.given}`], ["second factor, its leading dimension", `${pointer(s.y)}, ${s.y.given}`],
    ["C, its leading dimension", `d_c, ${s.c.given}`]]);
  return { svg: paint(v, s, done, say), out, say, limits: { row: v.m - 1, column: v.n - 1 } };
}

module.exports = { name: "order", draw, call, multiply };
