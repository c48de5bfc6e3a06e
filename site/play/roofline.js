// A chain of steps on each element, as one kernel a step or fused into one, under the roofline. draw.js comes before this file.

// What the form's job takes. Each way has kernels; bytes and operations of an element; bytes_us, operations_us and
// start_us, which add up to us as a kernel's time: the longer of the first two, and the start; rate: 10^12 operations a second.
function costs(v) {
  const way = (kernels) => {
    const w = { kernels, bytes: 8 * kernels, operations: v.steps * v.operations, start_us: kernels * v.start };
    w.bytes_us = w.bytes * v.n / v.bandwidth / 1000;
    w.operations_us = w.operations * v.n / v.rate / 1e6;
    w.us = Math.max(w.bytes_us, w.operations_us) + w.start_us;
    w.intensity = w.operations / w.bytes;
    w.rate = w.operations * v.n / w.us / 1e6;
    w.limit = w.start_us > Math.max(w.bytes_us, w.operations_us) ? "the start" : w.bytes_us >= w.operations_us ? "the bytes" : "the operations";
    return w;
  };
  return { apart: way(v.steps), fused: way(1), ridge: v.rate * 1000 / v.bandwidth };
}

const PLOT = { left: 60, right: 620, top: 26, bottom: 262 }, OCTAVES = { x: 12, y: 10 };

// The place of a point: logarithmic axes around the corner of the roofline, which is 8 octaves from the left and 1 from the top.
function spot(v, c, intensity, rate) {
  const within = (octave, most) => Math.max(0, Math.min(most, octave));
  const x = within(8 + Math.log2(intensity / c.ridge), OCTAVES.x), y = within(1 - Math.log2(rate / v.rate), OCTAVES.y);
  return { x: PLOT.left + x * (PLOT.right - PLOT.left) / OCTAVES.x, y: PLOT.top + y * (PLOT.bottom - PLOT.top) / OCTAVES.y };
}

function paint(v, c, says) {
  const { left, right, top, bottom } = PLOT, corner = spot(v, c, c.ridge, v.rate), first = spot(v, c, c.ridge / 256, v.rate / 256);
  let body = path(`M${left} ${top}V${bottom}H${right}`, "line");
  for (let octave = -8; octave <= 4; octave += 2) {
    const at_x = spot(v, c, c.ridge * 2 ** octave, v.rate).x;
    body += path(`M${at(at_x)} ${bottom}v5`, "line") + label(at_x, bottom + 19, Number((c.ridge * 2 ** octave).toPrecision(2)), "small middle");
  }
  for (let octave = -8; octave <= 0; octave += 4) {
    const y = spot(v, c, c.ridge, v.rate * 2 ** octave).y;
    body += path(`M${left - 5} ${at(y)}H${right}`, "faint") + label(2, y + 4, Number((v.rate * 2 ** octave).toPrecision(2)), "small");
  }
  body += path(`M${at(first.x)} ${at(first.y)}L${at(corner.x)} ${at(corner.y)}H${right}`, "curve");
  body += label(2, 14, "10¹² operations a second", "small") + label(right - 200, bottom + 36, "operations for each byte", "small");
  for (const [w, words, kind, size, up] of [[c.apart, "one kernel a step", "f2 bold", 12, 22], [c.fused, "fused", "f1 bold", 8, -12]]) {
    const { x, y } = spot(v, c, w.intensity, w.rate);
    body += path(`M${at(x)} ${at(y)}V${bottom}`, "mark") + rect(x - size / 2, y - size / 2, size, size, kind) + label(Math.min(x + 8, right - 100), y + up, words, "head");
  }
  return picture(640, bottom + 42, says, body);
}

// Microseconds for reading.
const time = (us) => (us < 1000 ? `${Number(us.toPrecision(3))} µs` : `${nice(Number((us / 1000).toPrecision(3)))} ms`);

// Takes the form's values; returns the picture, a table and a sentence.
function draw(v) {
  const c = costs(v), { apart, fused } = c;
  const say = `${count(apart.kernels, "kernel")}: ${time(apart.us)}, and ${apart.limit} decide${apart.limit === "the start" ? "s" : ""}. ` +
    `Fused into one: ${time(fused.us)}, and ${fused.limit} decide${fused.limit === "the start" ? "s" : ""}: ${nice(apart.us / fused.us)} times as fast.`;
  const row = (words, value) => [words, value(apart), value(fused)];
  const out = table([["", "one kernel a step", "fused"], row("bytes of an element", (w) => nice(w.bytes)), row("operations of an element", (w) => nice(w.operations)),
    row("operations for each byte", (w) => nice(w.intensity)), row("time for the bytes", (w) => time(w.bytes_us)), row("time for the operations", (w) => time(w.operations_us)),
    row("time to start", (w) => time(w.start_us)), row("time", (w) => time(w.us)), row("what decides", (w) => w.limit)]);
  return { svg: paint(v, c, say), out, say };
}

module.exports = { name: "roofline", draw, costs };
