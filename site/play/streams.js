// When copies and kernels of chunks in streams run. draw.js comes before this file.
// The rule is that of lesson05's page and of the modelled timeline (common/cpu/runtime/state/timeline.c): a stream runs
// one operation after another, an engine does one at a time, and the host queues chunk after chunk. A free engine starts any
// operation that is ready.

const STAGES = ["copy in", "kernel", "copy out"];

// Takes chunks, streams, engines (1: one for both ways), times: each stage's time for all chunks, cost: of each operation,
// and call: the host's time for queueing one, 0 if left out. Returns the operations {chunk, stream, stage, start, end}.
function schedule({ chunks, streams, engines, times, cost, call = 0 }) {
  const free = [0, 0, 0], ready = Array(streams).fill(0), next = Array(streams).fill(0), done = [];
  while (done.length < 3 * chunks) {
    let first;
    for (let stream = 0; stream < streams; stream++) {
      const chunk = stream + streams * Math.floor(next[stream] / 3), stage = next[stream] % 3, engine = engines === 1 && stage === 2 ? 0 : stage;
      if (chunk >= chunks) continue;
      const start = Math.max(ready[stream], free[engine], call * (3 * chunk + stage + 1));
      if (!first || start < first.start - 1e-9 || (start < first.start + 1e-9 && chunk < first.chunk)) first = { chunk, stream, stage, engine, start };
    }
    first.end = free[first.engine] = ready[first.stream] = first.start + times[first.stage] / chunks + cost;
    next[first.stream]++;
    done.push(first);
  }
  return done;
}

// The engines' busy times, the longest of them (no job can be faster), and the time of the whole job, in one stream and as planned.
function sums(v) {
  const times = [v.in, v.kernel, v.out], plan = { ...v, engines: Number(v.engines), times };
  const done = schedule(plan), busy = times.map((time) => time + v.chunks * v.cost);
  const engines = plan.engines === 1 ? [busy[0] + busy[2], busy[1]] : busy;
  const longest = Math.max(...engines), end = (list) => Math.max(...list.map((o) => o.end));
  const which = plan.engines === 1 && engines[0] === longest ? "both copies" : STAGES[busy.indexOf(longest)];
  return { done, busy, longest, which, total: end(done), one: end(schedule({ ...plan, streams: 1 })) };
}

function paint(v, s, says) {
  const left = 76, wide = 540, unit = wide / Math.max(s.total, s.longest), lanes = Math.min(v.streams, v.chunks);
  const box = (o, y) => rect(left + o.start * unit, y, (o.end - o.start) * unit, 22, `f${o.stage + 1}`) +
    ((o.end - o.start) * unit > 20 ? label(left + (o.start + o.end) / 2 * unit, y + 16, `${"HKD"[o.stage]}${o.chunk + 1}`, "tiny middle") : "");
  let body = label(0, 14, "Engines: which is busy when", "head"), y = 24;
  const rows = v.engines === "1" ? [[0, 2], [1]] : [[0], [1], [2]];
  for (const stages of rows) {
    body += label(0, y + 16, stages.length > 1 ? "copies" : STAGES[stages[0]], "small") + path(`M${left} ${y + 24}h${wide}`, "faint");
    for (const o of s.done) if (stages.includes(o.stage)) body += box(o, y);
    y += 28;
  }
  body += label(0, (y += 30) - 10, "Streams: each keeps its order", "head");
  for (let stream = 0; stream < lanes; stream++, y += 28) {
    body += label(0, y + 16, `stream ${stream + 1}`, "small") + path(`M${left} ${y + 24}h${wide}`, "faint");
    for (const o of s.done) if (o.stream === stream) body += box(o, y);
  }
  const x = at(left + s.longest * unit), after = x > 400;
  body += path(`M${x} 20V${y + 4}`, "mark") + `<g${after ? ' class="end"' : ""}>${label(x + (after ? -4 : 4), y + 16, `limit ${nice(s.longest)}: ${s.which}`, "small")}</g>`;
  return picture(left + wide + 8, y + 22, says, body);
}

// Takes the form's values; returns the picture, a table and a sentence.
function draw(v) {
  const s = sums(v);
  const say = `${count(v.chunks, "chunk")} in ${count(v.streams, "stream")}: ${nice(s.total)} ms, ${nice(s.one / s.total)} times as fast as one stream (${nice(s.one)} ms). ` +
    `The limit is ${nice(s.longest)} ms, set by ${s.which}.`;
  const out = table([["", "busy, ms", "of the whole time"], ...s.busy.map((time, i) => [STAGES[i], nice(time), `${nice(100 * time / s.total)} %`]),
    ["the job", nice(s.total), ""], ["in one stream", nice(s.one), ""], ["limit", nice(s.longest), s.which]]);
  return { svg: paint(v, s, say), out, say };
}

module.exports = { name: "streams", draw, schedule, sums };
