// A plate that relaxes: a small version of lesson08's problem. draw.js comes before this file.

const TOLERANCE = 1e-4, MOST = 20000;

// A cold plate of n x n cells; strength is dx^2 f with f = 10000. p is the plate, next the other array, change the change of the last sweep, history {sweeps, change} for the chart.
function plate(n) {
  return { n, p: new Float64Array(n * n), next: new Float64Array(n * n), strength: 10000 / n / n, sweeps: 0, change: Infinity, history: [] };
}

// One sweep: every inner cell becomes the mean of its old neighbours; then the two arrays are swapped.
function sweep(s, row, column) {
  const { n, p, next } = s;
  let sum = 0;
  for (let r = 1; r < n - 1; r++)
    for (let c = 1; c < n - 1; c++) {
      const i = r * n + c;
      next[i] = 0.25 * (p[i - n] + p[i + n] + (p[i - 1] + p[i + 1]));
      if (r === row && c === column) next[i] += s.strength / 4;
      sum += (next[i] - p[i]) ** 2;
    }
  [s.p, s.next] = [next, p];
  s.sweeps++;
  s.change = Math.sqrt(sum);
  if (s.sweeps < 50 || s.sweeps % 10 === 0) s.history.push({ sweeps: s.sweeps, change: s.change });
}

// Sweeps until the change is below the tolerance, at most `times` sweeps.
function relax(s, v, most) {
  for (let k = 0; k < most && s.change >= TOLERANCE && s.sweeps < MOST; k++) sweep(s, Math.min(v.row, v.n - 2), Math.min(v.column, v.n - 2));
}

// The form's plate: a new one when the size has changed; when the source has moved, it is no longer at rest.
// A page, and the picture without scripts, begin after 100 sweeps.
function current(v, state) {
  const place = `${v.row},${v.column}`;
  if (!state.plate || state.plate.n !== v.n) relax((state.plate = plate(v.n)), v, 100);
  if (state.place && state.place !== place) state.plate.change = Infinity;
  state.place = place;
  return state.plate;
}

function press(button, v, state) {
  const s = current(v, state), each = Number(v.each);
  if (button === "run") state.running = !state.running && s.change >= TOLERANCE;
  if (button === "step") state.running = false;
  if (button === "reset") Object.assign(state, { running: false, plate: plate(v.n) });
  if (button === "run" && state.running && state.still) { // no motion for readers who asked for none
    relax(s, v, MOST);
    state.running = false;
  }
  if (button === "step" || button === "tick") relax(s, v, each);
  if (button === "tick" && (s.change < TOLERANCE || s.sweeps >= MOST)) state.running = false;
}

const SIDE = 336;

// The cell under (x, y) of the picture, and the cell next to the source in the direction of an arrow key.
const within = (cell, n) => Math.max(1, Math.min(n - 2, cell));
const point = (v, x, y) => (x < SIDE && y < SIDE ? { row: within(Math.floor(y / SIDE * v.n), v.n), column: within(Math.floor(x / SIDE * v.n), v.n) } : {});
const keys = (v, key) => ({
  row: within(v.row + (key === "ArrowDown") - (key === "ArrowUp"), v.n),
  column: within(v.column + (key === "ArrowRight") - (key === "ArrowLeft"), v.n),
});

// How often a temperature must be doubled to reach the highest one: 0 to 9; 10 for colder cells and for 0.
const level = (t, most) => (t > 0 ? Math.min(10, Math.floor(Math.log2(most / t))) : 10);

function heat(s, row, column) {
  const { n, p } = s, most = Math.max(...p), cell = SIDE / n, level_of = (r, c) => level(p[r * n + c], most);
  const areas = Array(11).fill("");
  let borders = "";
  for (let r = 0; r < n; r++)
    for (let c = 0, run = 1; c < n; c += run, run = 1) {
      const mine = level_of(r, c);
      while (c + run < n && level_of(r, c + run) === mine) run++;
      areas[mine] += `M${at(c * cell)} ${at(r * cell)}h${at(run * cell)}v${at(cell)}h${at(-run * cell)}z`;
      if (c + run < n) borders += `M${at((c + run) * cell)} ${at(r * cell)}v${at(cell)}`;
      for (let k = c; r + 1 < n && k < c + run; k++) if (level_of(r + 1, k) !== mine) borders += `M${at(k * cell)} ${at((r + 1) * cell)}h${at(cell)}`;
    }
  const x = (column + 0.5) * cell, y = (row + 0.5) * cell;
  return areas.map((d, l) => (d ? `<path class="heat" fill-opacity="${at(10 - l) / 10}" d="${d}"/>` : "")).join("") + path(borders, "line") + rect(0.5, 0.5, SIDE, SIDE, "frame") +
    `<circle class="chosen" cx="${at(x)}" cy="${at(y)}" r="8"/>` + path(`M${at(x - 13)} ${at(y)}h26M${at(x)} ${at(y - 13)}v26`, "source");
}

// The change of each sweep on a logarithmic scale, with a line for each power of ten.
function chart(s) {
  const left = 400, wide = 236, high = 270, top = 30, last = Math.max(10, s.sweeps);
  const x = (sweeps) => left + sweeps / last * wide, y = (change) => top + (1 - Math.log10(Math.max(change, 1e-5))) / 6 * high;
  let body = label(left - 34, 14, "Change in a sweep", "head");
  for (let power = 1; power >= -5; power--)
    body += path(`M${left} ${at(y(10 ** power))}h${wide}`, "faint") + label(left - 34, y(10 ** power) + 4, power === 0 ? "1" : `1e${power}`, "tiny");
  body += path(`M${left} ${at(y(TOLERANCE))}h${wide}`, "mark") + label(left + 4, y(TOLERANCE) - 5, "tolerance", "tiny");
  body += label(left, top + high + 18, "0", "tiny") + `<g class="end">${label(left + wide, top + high + 18, `${nice(s.sweeps)} sweeps`, "tiny")}</g>`;
  const points = s.history.filter((h, i) => i % Math.ceil(s.history.length / 300) === 0);
  return body + path(points.map((h, i) => `${i ? "L" : "M"}${at(x(h.sweeps))} ${at(y(h.change))}`).join("") || "M0 0", "curve");
}

// Takes the form's values and the state; returns the picture, a table and a sentence.
function draw(v, state = {}) {
  const s = current(v, state), row = Math.min(v.row, v.n - 2), column = Math.min(v.column, v.n - 2);
  const change = s.change === Infinity ? "not known yet" : s.change.toExponential(2), here = s.p[row * v.n + column].toFixed(5);
  const rest = s.change < TOLERANCE ? `At rest after ${count(s.sweeps, "sweep")}` : `${state.running ? "Running" : "Not at rest"}: ${count(s.sweeps, "sweep")} done`;
  const say = `${rest}. Change in the last sweep: ${change}, tolerance ${TOLERANCE}. The source is in row ${row}, column ${column}; the temperature there is ${here}.`;
  const out = table([["", "value"], ["sweeps", nice(s.sweeps)], ["change in the last sweep", change], ["tolerance", "1e-4"], ["temperature at the source", here],
    ["warmest cell", Math.max(...s.p).toFixed(5)]]);
  return { svg: picture(640, SIDE + 2, say, heat(s, row, column) + chart(s)), out, say, limits: { row: v.n - 2, column: v.n - 2 } };
}

module.exports = { name: "jacobi", draw, press, point, keys, plate, relax };
