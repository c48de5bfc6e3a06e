// Which thread processes which element: a grid of blocks over a vector or a matrix. draw.js comes before this file.

// The launch that the form describes. Returns columns, rows; bx, by threads a block; gx, gy blocks; and the counts.
// A vector is a matrix of one row.
function launch(v) {
  const flat = v.shape === "1D";
  const l = { flat, columns: flat ? v.n : v.columns, rows: flat ? 1 : v.rows, bx: v.bx, by: flat ? 1 : v.by };
  const blocks = (elements, threads, own) =>
    v.blocks === "own" ? own : v.blocks === "up" ? Math.floor((elements + threads - 1) / threads) : Math.floor(elements / threads);
  l.gx = blocks(l.columns, l.bx, v.gx);
  l.gy = flat ? 1 : blocks(l.rows, l.by, v.gy);
  l.block = l.bx * l.by;
  l.threads = l.block * l.gx * l.gy;
  l.across = Math.min(l.columns, l.gx * l.bx);
  l.down = Math.min(l.rows, l.gy * l.by);
  l.working = l.across * l.down;
  l.idle = l.threads - l.working;
  l.left = l.columns * l.rows - l.working;
  l.warps = Math.ceil(l.block / 32);
  l.last = Math.max(0, Math.min(l.bx, l.columns - (l.gx - 1) * l.bx)) * Math.max(0, Math.min(l.by, l.rows - (l.gy - 1) * l.by));
  if (l.block > 1024) throw new Error(`${l.bx} × ${l.by} threads a block: at most 1024 are allowed, so the launch is refused and no thread runs.`);
  if (l.gy > 65535) throw new Error(`${nice(l.gy)} blocks in y: at most 65535 are allowed, so the launch is refused and no thread runs.`);
  if (l.gx * l.gy === 0) throw new Error("A grid of 0 blocks is an error: launch nothing when there is nothing to do.");
  return l;
}

// The chosen thread: its place in the launch, its warp and lane, its column and row, and whether that element exists.
function thread(l, v) {
  const t = { b: Math.min(v.b, l.gx - 1), c: l.flat ? 0 : Math.min(v.c, l.gy - 1), x: Math.min(v.x, l.bx - 1), y: l.flat ? 0 : Math.min(v.y, l.by - 1) };
  t.column = t.b * l.bx + t.x;
  t.row = t.c * l.by + t.y;
  t.inside = t.column < l.columns && t.row < l.rows;
  t.warp = Math.floor((t.y * l.bx + t.x) / 32);
  t.lane = (t.y * l.bx + t.x) % 32;
  return t;
}

// The formula with this thread's numbers, in a sentence.
function formula(l, t) {
  const index = (name, b, threads, x) => `${name} = ${b} * ${threads} + ${x} = ${b * threads + x}`;
  const does = t.inside ? "so it processes " : "so the guard keeps it from accessing memory";
  if (l.flat)
    return `${index("i", t.b, l.bx, t.x)}; i < ${l.columns} is ${t.inside}, ${does}${t.inside ? `element ${t.column}` : ""}.`;
  return `${index("column", t.b, l.bx, t.x)}, ${index("row", t.c, l.by, t.y)}; it is ${t.inside ? "inside" : "outside"} the matrix, ` +
    `${does}${t.inside ? `element ${t.row} * ${l.columns} + ${t.column} = ${t.row * l.columns + t.column}` : ""}.`;
}

const LEFT = 70, WIDE = 560, ROW = 30;

// The blocks of a vector that are drawn: all, or the first, the last and the chosen one.
function shown(l, chosen) {
  const all = [...Array(Math.min(l.gx, 4096)).keys()];
  if (l.gx <= 9) return all;
  return [...new Set([0, 1, 2, 3, chosen, l.gx - 3, l.gx - 2, l.gx - 1])].sort((a, b) => a - b);
}

function vector(l, t, says) {
  const cell = WIDE / l.bx, cells = l.bx <= 32;
  let body = "", y = 8, before = -1;
  for (const b of shown(l, t.b)) {
    if (b > before + 1) body += label(LEFT, (y += 16) - 3, `… ${count(b - before - 1, "block")} …`, "small");
    before = b;
    const work = Math.max(0, Math.min(l.bx, l.columns - b * l.bx));
    body += label(0, y + 18, `block ${b}`, "small");
    if (!cells) body += (work ? rect(LEFT, y, work * cell, 24, "f1") : "") + (work < l.bx ? rect(LEFT + work * cell, y, (l.bx - work) * cell, 24, "idle") : "");
    for (let x = 0; cells && x < l.bx; x++) {
      const i = b * l.bx + x;
      body += rect(LEFT + x * cell, y, cell, 24, x < work ? "f1" : "idle");
      if (String(i).length * 6.5 < cell && x < work) body += label(LEFT + (x + 0.5) * cell, y + 16, i, "tiny middle");
    }
    for (let x = 32; x < l.bx; x += 32) body += path(`M${at(LEFT + x * cell)} ${y}v24`, "line");
    if (b === t.b) body += rect(LEFT + t.warp * 32 * cell, y - 2, Math.min(32, l.bx - t.warp * 32) * cell, 28, "warp") +
      rect(LEFT + t.x * cell, y, Math.max(cell, 3), 24, "chosen");
    y += ROW;
  }
  return picture(LEFT + WIDE + 6, y, says, body);
}

function matrix(l, t, says) {
  const across = Math.max(l.gx * l.bx, l.columns), down = Math.max(l.gy * l.by, l.rows), cell = Math.min(620 / across, 340 / down, 24);
  const box = (x, y, w, h, kind) => rect(2 + x * cell, 2 + y * cell, w * cell, h * cell, kind);
  const lines = (step, last, other, along) => {
    let d = "";
    for (let k = step; k < last && step * cell > 3; k += step) d += along === "x" ? `M${at(2 + k * cell)} 2v${at(other * cell)}` : `M2 ${at(2 + k * cell)}h${at(other * cell)}`;
    return d;
  };
  let body = box(0, 0, l.gx * l.bx, l.gy * l.by, "idle") + box(0, 0, l.columns, l.rows, "missed") + box(0, 0, l.across, l.down, "f1");
  if (cell >= 6) body += path(lines(1, l.gx * l.bx, l.gy * l.by, "x") + lines(1, l.gy * l.by, l.gx * l.bx, "y"), "faint");
  body += path(lines(l.bx, l.gx * l.bx, l.gy * l.by, "x") + lines(l.by, l.gy * l.by, l.gx * l.bx, "y"), "line");
  for (let k = t.warp * 32; k < Math.min(l.block, t.warp * 32 + 32); k++)
    body += box(t.b * l.bx + k % l.bx, t.c * l.by + Math.floor(k / l.bx), 1, 1, "f2");
  return picture(across * cell + 4, down * cell + 4, says, body + box(t.column, t.row, 1, 1, "chosen"));
}

// Takes the form's values; returns the picture, a table and a sentence.
function draw(v) {
  const l = launch(v), t = thread(l, v);
  const sum = `${count(l.gx * l.gy, "block")} of ${count(l.block, "thread")}: ${nice(l.working)} at work, ${nice(l.idle)} idle` +
    (l.left ? `, and ${count(l.left, "element")} left out: too few blocks.` : ", no element left out.");
  const says = `${sum} The thread you chose: ${formula(l, t)}`;
  const out = table([["", "number"],
    ["blocks", l.flat ? nice(l.gx) : `${l.gx} × ${l.gy} = ${nice(l.gx * l.gy)}`], ["threads launched", nice(l.threads)],
    ["threads at work", nice(l.working)], ["idle threads", `${nice(l.idle)} (${nice(100 * l.idle / l.threads)} %)`], ["elements left out", nice(l.left)],
    ["warps a block", `${l.warps}${l.block % 32 ? `, the last with ${l.block % 32} of 32 lanes` : ""}`],
    ["at work in the last block", `${nice(l.last)} of ${nice(l.block)}`], ["your thread", `warp ${t.warp} of its block, lane ${t.lane}`]]);
  return { svg: (l.flat ? vector : matrix)(l, t, sum), out, say: says, limits: { b: l.gx - 1, c: l.gy - 1, x: l.bx - 1, y: l.by - 1 } };
}

module.exports = { name: "grid", draw, launch, thread };
