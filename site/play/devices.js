// A plate on several GPUs: when their kernels and copies run, and where the time of a sweep goes. draw.js comes before this file.
// The rule is that of lesson13's page and of the modelled timeline (common/cpu/runtime/state/timeline.c): a GPU runs one
// kernel at a time, sends one copy and gets one copy at a time; an operation starts when all that it waits for is done, in the
// first gap of its engines. The host queues without taking time.

// The first time from `ready` on at which each engine is free for `time`; takes it. An engine is a list of {start, end}.
function take(engines, ready, time) {
  let start = ready, last;
  do {
    last = start;
    for (const engine of engines) for (const o of engine) if (o.end > start && o.start < start + time) start = o.end;
  } while (start !== last);
  for (const engine of engines) {
    engine.push({ start, end: start + time });
    engine.sort((a, b) => a.start - b.start);
    if (engine.length > 64) engine.shift();
  }
  return start;
}

// Part i of the plate: the rows that it owns, as first_row in multigpu.h has it.
const rowsOf = (rows, gpus, i) => Math.floor(rows / gpus) + (i < rows % gpus ? 1 : 0);

// Takes gpus, rows, columns, depth of the halo, behind: the copies run behind the interior; start, memory, copy, link.
// Returns the operations {gpu, to, kind, start, end, round} of some rounds of `depth` sweeps: sweeps, borders, copies.
function run({ gpus, rows, columns, depth, behind, start, memory, copy, link }, rounds) {
  const done = [], all = Array.from({ length: gpus }, (_, i) => (
    { i, own: rowsOf(rows, gpus, i), sides: (i > 0) + (i < gpus - 1), kernels: [], out: [], into: [], main: 0, border: 0, bordered: 0, sent: 0, early: 0 }));
  const near = (g) => [all[g.i - 1], all[g.i + 1]].filter(Boolean), latest = (list, what) => Math.max(0, ...list.map((g) => g[what]));
  const put = (g, kind, ready, time, engines, round, to) => {
    const begin = take(engines, ready, time), end = begin + time;
    done.push({ gpu: g.i, to, kind, start: begin, end, round });
    return end;
  };
  const sweep = (g, kind, ready, count, round) => (count > 0 ? put(g, kind, ready, start + 8 * count * columns / memory / 1000, [g.kernels], round) : ready);
  for (let round = 0; round < rounds; round++) {
    for (const g of all) {
      const halo = latest(near(g), "sent"), before = g.bordered, edge = Math.min(g.own, 2 * depth);
      const more = behind ? depth - 1 : depth;
      if (more) g.main = Math.max(g.main, halo, behind ? g.sent : 0);
      for (let k = 0; k < more; k++) g.main = sweep(g, "sweep", g.main, g.own + g.sides * (depth - 1 - k), round);
      g.early = g.main;
      if (!behind) continue;
      // The last sweep of the round: the rows that travel first, then the others.
      g.border = sweep(g, "border", Math.max(g.border, g.main, halo), Math.min(depth, edge), round);
      g.bordered = g.border = sweep(g, "border", g.border, edge - depth, round);
      g.main = sweep(g, "sweep", Math.max(g.main, before), g.own - edge, round);
    }
    for (const g of all) {
      let end = behind ? g.border : g.main;
      if (depth > 1) end = Math.max(end, latest(near(g), "early"));
      for (const to of near(g)) end = put(g, "copy", end, copy + 4 * depth * columns / link / 1000, [g.out, to.into], round, to.i);
      g.sent = end;
      g[behind ? "border" : "main"] = end;
    }
  }
  return done;
}

// The time within [from, to] that the operations take, side by side.
function busy(list, from, to) {
  let sum = 0, end = from;
  for (const o of [...list].sort((a, b) => a.start - b.start)) {
    sum += Math.max(0, Math.min(o.end, to) - Math.max(o.start, end));
    end = Math.max(end, o.end);
  }
  return sum;
}

// A way to run the form's plate. us: a sweep's time, far from the start; parts: of each GPU, in this time: it computes, rows travel
// and nothing computes, it waits; of: operations between `from` and `to`, for the picture.
function way(v, behind) {
  const rows = v.plate === "grows" ? v.rows * v.gpus : v.rows, depth = Math.min(v.depth, Math.floor(rows / v.gpus));
  const window = depth > 4 ? 4 : 16, rounds = window + 8, all = run({ ...v, rows, depth, behind }, rounds), ends = (round) => Math.max(...all.filter((o) => o.round === round).map((o) => o.end));
  const [from, to] = [ends(7), ends(rounds - 1)], sweeps = window * depth, shown = Math.ceil(4 / depth);
  const parts = Array.from({ length: v.gpus }, (_, i) => {
    const kernels = all.filter((o) => o.gpu === i && o.kind !== "copy"), mine = all.filter((o) => o.gpu === i || o.to === i);
    const computes = busy(kernels, from, to), any = busy(mine, from, to);
    return [computes, any - computes, to - from - any].map((us) => us / sweeps);
  });
  return { us: (to - from) / sweeps, parts, depth, rows, behind, all, from: ends(rounds - 2 - shown), to: ends(rounds - 2) };
}

// Both ways, and one GPU with the plate of all, or with its part if the plate grows.
function costs(v) {
  const one = v.start + 8 * v.rows * v.columns / v.memory / 1000, after = way(v, false), behind = way(v, true), chosen = v.overlap === "behind" ? behind : after;
  return { one, after, behind, chosen, efficiency: v.plate === "grows" ? one / chosen.us : one / (v.gpus * chosen.us) };
}

// Microseconds for reading.
const time = (us) => (us < 1e-6 ? "0 µs" : us < 1000 ? `${Number(us.toPrecision(3))} µs` : `${nice(Number((us / 1000).toPrecision(3)))} ms`);
const mean = (w) => [0, 1, 2].map((k) => w.parts.reduce((sum, part) => sum + part[k], 0) / w.parts.length);
const KINDS = [["f1", "computes"], ["f3", "only rows travel"], ["idle", "waits"]];

function paint(v, c, says) {
  const left = 150, wide = 480, unit = wide / Math.max(c.one, c.after.us, c.behind.us), w = c.chosen;
  let body = label(0, 14, `Where a sweep's time goes, mean of the GPUs`, "head"), y = 24;
  const bar = (words, times, chosen) => {
    let x = left;
    body += label(0, y + 15, words, chosen ? "small head" : "small");
    times.forEach((us, k) => { if (us > 0) body += rect(x, y, us * unit, 20, KINDS[k][0]); x += us * unit; });
    if (chosen) body += rect(left, y, x - left, 20, "chosen");
    y += 26;
  };
  bar("one GPU", [c.one], false);
  bar(`${count(v.gpus, "GPU")}, copies after`, mean(c.after), w === c.after);
  bar(`${count(v.gpus, "GPU")}, copies behind`, mean(c.behind), w === c.behind);
  KINDS.forEach(([kind, words], k) => { body += rect(left + k * 150, y + 2, 14, 14, kind) + label(left + k * 150 + 20, y + 14, words, "small"); });
  body += label(0, (y += 48) - 8, `${count(Math.ceil(4 / w.depth) * w.depth, "sweep")}: kernels above, rows sent below`, "head");
  const scale = wide / (w.to - w.from);
  for (let i = 0; i < v.gpus; i++, y += 36) {
    body += label(0, y + 20, `GPU ${i}: ${count(rowsOf(w.rows, v.gpus, i), "row")}`, "small") + path(`M${left} ${y + 32}h${wide}`, "faint");
    for (const o of w.all) {
      if (o.gpu !== i || o.end <= w.from || o.start >= w.to) continue;
      const [a, b] = [Math.max(o.start, w.from), Math.min(o.end, w.to)].map((t) => left + (t - w.from) * scale), sends = o.kind === "copy";
      body += rect(a, sends ? y + 17 : y, b - a, sends ? 12 : 16, { sweep: "f1", border: "f2", copy: "f3" }[o.kind]);
      if (sends && b - a > 22) body += label((a + b) / 2, y + 27, `to ${o.to}`, "tiny middle");
    }
  }
  return picture(left + wide + 8, y + 4, says, body);
}

// Takes the form's values; returns the picture, a table and a sentence.
function draw(v) {
  const c = costs(v), w = c.chosen, [computes, travels, waits] = mean(w), best = v.plate === "grows" ? "with its own part alone" : "with the whole plate";
  const say = `${count(v.gpus, "GPU")}, ${count(w.depth, "row")} of halo, copies ${w.behind ? "behind the interior" : "after the sweep"}: ${time(w.us)} a sweep. ` +
    `Of that a GPU computes for ${time(computes)}; for ${time(travels)} only rows travel; for ${time(waits)} it waits. One GPU ${best}: ${time(c.one)}. Efficiency ${nice(c.efficiency)}.`;
  const out = table([["a sweep", "computes", "only rows travel", "waits", "of the time"],
    ...w.parts.map((part, i) => [`GPU ${i}`, ...part.map(time), `${Math.round(100 * part[0] / w.us)} % computes`])]);
  return { svg: paint(v, c, say), out, say, limits: { depth: Math.max(1, Math.floor(w.rows / v.gpus)) } };
}

module.exports = { name: "devices", draw, run, costs };
