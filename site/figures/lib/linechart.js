// A line chart of a quantity against size.
import { scaleLinear, scaleLog } from 'd3-scale';
import { line as lineOf } from 'd3-shape';
import { legend, marker, spread, stroke } from './marks.js';
import { line, path, short, text, widthOf } from './svg.js';

/** A size -> its readable form: 65536 is 64 Ki. */
export function sizeName(value) {
  if (value < 1024 || value % 1024) return String(value);
  const unit = ['Ki', 'Mi', 'Gi'].find((_, i) => value < 1024 ** (i + 2));
  return `${value / 1024 ** (['Ki', 'Mi', 'Gi'].indexOf(unit) + 1)} ${unit}`;
}

/** 1000000 -> 10⁶ for a power of ten above 1000 or below 1/1000, otherwise the plain number. */
export function powerName(value) {
  const power = Math.round(Math.log10(value));
  if (Math.abs(power) < 3) return String(+value.toPrecision(3));
  return `10${[...String(power)].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit])).join('')}`;
}

/**
 * (width, {x, y, series, uprights?}) -> {height, body}. x and y: {title, log?, ticks?, name?: value -> label};
 * series: [{name, points: [{x, y}], marked?}], marked: [{x, y, name}] instead of a marker at each point; uprights: [{x, name}]
 * are vertical lines.
 * Names are next to the lines' ends if there is room, otherwise above.
 */
export function lineChart(width, { x, y, series, uprights = [] }) {
  const wide = width > 500;
  const above = wide ? { height: 0, body: '' } : legend(series.map(({ name }) => name), width);
  const right = wide ? 24 + Math.max(...series.map(({ name }) => widthOf(name))) : 10;
  const top = above.height + 30;
  const left = wide ? 52 : 44;
  const high = wide ? 300 : 230;
  const [across, up] = scales({ x, y, series, box: { left, right: width - right, top, bottom: top + high } });
  const parts = [above.body, axes(width, { x, y, across, up, wide })];
  const draw = lineOf((p) => short(across(p.x)), (p) => short(up(p.y)));
  const ends = spread(series.map(({ points }) => up(points[points.length - 1].y)), 17, top, top + high);
  for (const upright of uprights) {
    parts.push(line(across(upright.x), top, across(upright.x), top + high, 'level'));
    parts.push(text(across(upright.x) - 6, top + high - 8, upright.name, 'end muted clear'));
  }
  series.forEach(({ points }, i) => parts.push(path(draw(points).replace(/,/g, ' '), stroke(i))));
  series.forEach(({ name, points, marked }, i) => {
    parts.push(...(marked ?? points).map((p) => marker(i, across(p.x), up(p.y))));
    parts.push(...(marked ?? []).map((p) => text(across(p.x) - 8, up(p.y) + 16, p.name, 'end name clear')));
    if (!wide) return;
    const last = points[points.length - 1];
    parts.push(path(`M${short(across(last.x) + 6)} ${short(up(last.y))}L${short(across(last.x) + 14)} ${short(ends[i])}`, 'hair'));
    parts.push(text(across(last.x) + 17, ends[i] + 4, name, `t${(i % 6) + 1}`));
  });
  return { height: top + high + 48, body: parts.join('') };
}

function scales({ x, y, series, box }) {
  const all = series.flatMap(({ points }) => points);
  const span = (values) => [Math.min(...values), Math.max(...values)];
  const across = (x.log ? scaleLog() : scaleLinear()).domain(span(all.map((p) => p.x))).range([box.left, box.right]);
  const [least, most] = span(all.map((p) => p.y));
  const up = (y.log ? scaleLog().domain(around(least, most)) : scaleLinear().domain([0, most]).nice()).range([box.bottom, box.top]);
  return [across, up];
}

function axes(width, { x, y, across, up, wide }) {
  const [left, right] = across.range();
  const [bottom, top] = up.range();
  const parts = [text(0, top - 14, y.title, 'muted')];
  const yTicks = y.log ? steps(...up.domain()) : up.ticks(wide ? 6 : 5);
  for (const tick of yTicks) {
    parts.push(line(left, up(tick), right, up(tick), 'grid'));
    parts.push(text(left - 8, up(tick) + 4, (y.name ?? String)(tick), 'end muted'));
  }
  let free = -Infinity;
  for (const tick of x.ticks ?? (x.log ? tens(across.domain()) : across.ticks(wide ? 8 : 4))) {
    const words = (x.name ?? String)(tick);
    parts.push(line(across(tick), bottom, across(tick), bottom + 4));
    const half = widthOf(words) / 2;
    if (across(tick) - half < free || across(tick) + half > width) continue;
    free = across(tick) + half + 8;
    parts.push(text(across(tick), bottom + 19, words, 'mid muted'));
  }
  parts.push(line(left, bottom, right, bottom), text((left + right) / 2, bottom + 40, x.title, 'mid muted'));
  return parts.join('');
}

/** 1, 2, 5, 10 … from low to high; only powers of ten if there would be too many. */
export function steps(low, high) {
  const few = tens([low, high]);
  if (high / low > 5000) return few;
  const all = [];
  for (let ten = 10 ** Math.floor(Math.log10(low)); ten <= high; ten *= 10) all.push(ten, 2 * ten, 5 * ten);
  return all.filter((value) => value >= low * 0.999 && value <= high * 1.001);
}

/** The nearest of such steps below and above. */
function around(low, high) {
  const all = steps(10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high)));
  return [all.filter((value) => value <= low).pop(), all.find((value) => value >= high)];
}

/** The powers of ten within a domain. */
export function tens([low, high]) {
  const all = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= Math.log10(high) + 1e-9; power++) all.push(Number(`1e${power}`));
  return all;
}
