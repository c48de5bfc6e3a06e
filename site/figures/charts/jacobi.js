// Lesson08's plate while it converges, from the output of common/tools/plate.
import { scaleLinear } from 'd3-scale';
import { curveLinearClosed, line as lineOf } from 'd3-shape';
import { figure, measuredOn } from '../lib/figure.js';
import { lineChart, powerName } from '../lib/linechart.js';
import { fail, readList } from '../lib/results.js';
import { at, circle, path, rect, short, text } from '../lib/svg.js';

const HOW = 'Make it with common/tools/plate results/DATE-DEVICE';

/** A number -> its first three digits. */
const brief = (value) => (value < 0.001 ? value.toExponential(2) : String(+value.toPrecision(3)));

/** The change of a sweep, and the distance from the end, against the number of sweeps. */
export function convergence(where) {
  const list = readList(where, 'lesson08-convergence.csv', HOW);
  const column = (name) => {
    const i = list.head.indexOf(name);
    return i < 0 ? fail(list.file, 1, `it has no column "${name}"`, HOW) : i;
  };
  const [sweeps, change, distance, middle, stops] = ['sweeps', 'change', 'distance', 'middle', 'stops'].map(column);
  const stop = list.rows.find(({ values }) => values[stops]) ?? fail(list.file, list.rows.length, 'no row has stops = 1', HOW);
  const line = (name, i) => ({ name, marked: [{ x: stop.values[sweeps], y: stop.values[i], name: brief(stop.values[i]) }], points: list.rows.map(({ values }) => ({ x: values[sweeps], y: values[i] })) });
  const stopped = stop.values;
  return figure({
    kind: 'chart',
    title: 'A small change is not a small error',
    desc: `The change of one sweep and the distance from the end, against the number of sweeps. After ${stopped[sweeps]} sweeps the change is ${stopped[change]}, and the solver stops; the distance is then ${stopped[distance]}.`,
    draw: (width) => lineChart(width, {
      x: { title: 'sweeps', log: true, name: powerName },
      y: { title: '‖ · ‖₂ over all cells', log: true, name: powerName },
      series: [line('distance from the end', distance), line('change of a sweep', change)],
      uprights: [{ x: stopped[sweeps], name: `it stops: ${stopped[sweeps]} sweeps` }],
    }),
    caption: `<strong>A small change is not a small error.</strong> When a sweep changes the plate by less than the tolerance, after ${stopped[sweeps]} sweeps, the plate is still ${brief(stopped[distance])} from the final plate. ${measuredOn(list)}`,
    numbers: { head: ['sweeps', 'change', 'distance', 'middle'], rows: list.rows.map(({ values }) => [sweeps, change, distance, middle].map((i) => String(values[i]))) },
  });
}

/** The plate at four times: lines of equal temperature. */
export function plate(where) {
  const list = readList(where, 'lesson08-plates.csv', HOW);
  const cells = list.head.slice(2).map(Number);
  const times = [...new Set(list.rows.map(({ values }) => values[0]))];
  const plates = times.map((sweeps) => {
    const rows = list.rows.filter(({ values }) => values[0] === sweeps);
    if (rows.length !== cells.length) fail(list.file, rows[rows.length - 1].line, `${rows.length} rows of the plate after ${sweeps} sweeps, not ${cells.length}`, HOW);
    return { sweeps, values: rows.map(({ values }) => values.slice(2)) };
  });
  const levels = [0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08];
  const last = times.length - 1;
  const name = ({ sweeps }, i) => (i === last ? 'at rest' : `after ${sweeps} sweeps`);
  const middle = (cells.length - 1) / 2;
  const nearSource = (values) => values[Math.round(middle)][Math.round(middle)];
  return figure({
    kind: 'chart',
    title: 'The plate while it warms up',
    desc: `Lines of equal temperature around the source in the middle; the edge stays at 0. ${plates.map((each, i) => `${name(each, i)}: ${nearSource(each.values)} next to the source.`).join(' ')}`,
    draw: (width) => panels(width, plates, name, levels),
    caption: `<strong>The plate while it warms up</strong>, ${cells[cells.length - 1] + 1} cells a side. The lines, from the edge inwards: ${levels.join(', ')}. The solver stops after ${times[last - 1]} sweeps. ${measuredOn(list)}`,
    numbers: { head: ['temperature', ...plates.map(name)], rows: cells.filter((_, i) => i % 3 === 0).map((cell) => [`row ${cells[Math.round(middle)]}, column ${cell}`, ...plates.map(({ values }) => String(values[Math.round(middle)][cells.indexOf(cell)]))]) },
  });
}

function panels(width, plates, name, levels) {
  const columns = width > 500 ? 4 : 2;
  const gap = 16;
  const side = (width - gap * (columns - 1)) / columns;
  const body = plates.map((each, i) =>
    at((i % columns) * (side + gap), Math.floor(i / columns) * (side + 38), text(0, 14, name(each, i), 'name'), at(0, 22, contours(each.values, side, levels))));
  return { height: Math.ceil(plates.length / columns) * (side + 38), body: body.join('') };
}

/** The temperatures fall from the middle to the edge, so each direction crosses each line once. */
function contours(values, side, levels) {
  const scale = scaleLinear().domain([0, values.length - 1]).range([0, side]);
  const closed = lineOf(([x]) => short(scale(x)), ([, y]) => short(scale(y))).curve(curveLinearClosed);
  const rings = levels.map((level) => {
    const first = crossing(values, level, 0);
    if (!first) return '';
    const count = Math.min(44, Math.max(14, Math.round((first[0] - (values.length - 1) / 2) * 3))); // small rings need few points
    const points = Array.from({ length: count }, (_, k) => crossing(values, level, (k / count) * 2 * Math.PI));
    return path(closed(points).replace(/,/g, ' '), 'heat');
  });
  return rect(0, 0, side, side, 'plate', 0) + rings.join('') + circle(side / 2, side / 2, 2.5, 'f2');
}

function crossing(values, level, angle) {
  const middle = (values.length - 1) / 2;
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const end = middle / Math.max(Math.abs(dx), Math.abs(dy));
  const value = (far) => between(values, middle + far * dx, middle + far * dy);
  if (value(0) < level) return null;
  let [inside, outside] = [0, end];
  for (let i = 0; i < 14; i++) {
    const half = (inside + outside) / 2;
    if (value(half) < level) outside = half;
    else inside = half;
  }
  return [middle + inside * dx, middle + inside * dy];
}

/** The temperature at a place between four cells. */
function between(values, x, y) {
  const most = values.length - 2;
  const [col, row] = [Math.min(most, Math.max(0, Math.floor(x))), Math.min(most, Math.max(0, Math.floor(y)))];
  const [a, b] = [x - col, y - row];
  return (1 - b) * ((1 - a) * values[row][col] + a * values[row][col + 1]) + b * ((1 - a) * values[row + 1][col] + a * values[row + 1][col + 1]);
}
