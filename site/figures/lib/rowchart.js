// A chart of rows: each has a name and a bar, or markers on a line.
import { scaleLinear, scaleLog } from 'd3-scale';
import { legend, marker } from './marks.js';
import { steps, tens } from './linechart.js';
import { line, lines, rect, text, widthOf, wrap } from './svg.js';

/**
 * (width, {x, rows, series?}) -> {height, body}. x: {title, log?, name?, domain?, level?: {value, name}}.
 * rows: [{head?, name, note?, value, words, colour?} for a bar, or {head?, name, note?, values: [{series, value, words, low?, high?}]}]:
 * `head` begins a group, `words` come after the bar or the marker. series: names of the kinds of markers.
 */
export function rowChart(width, { x, rows, series = [] }) {
  const wide = width > 500;
  const above = series.length ? legend(series, width, true) : { height: 0, body: '' };
  const left = wide ? 236 : 0;
  const room = Math.max(...rows.flatMap(({ words, values = [{ words }] }) => values.map((each) => widthOf(each.words) + 14)));
  const all = rows.flatMap(({ value, values }) => values?.flatMap((v) => [v.low ?? v.value, v.high ?? v.value]) ?? [value]);
  const domain = x.domain ?? [x.log ? Math.min(...all) : 0, Math.max(...all)];
  const across = (x.log ? scaleLog().domain(domain) : scaleLinear().domain(domain)).range([left + 6, width - room]);
  const start = above.height + 26;
  const [heads, body] = [[], []];
  let y = start + 6;
  for (const row of rows) {
    if (row.head) heads.push(text(0, y + 20, row.head, 'head')) && (y += 30);
    const notes = row.note ? wrap(row.note, wide ? left - 12 : width, 12) : [];
    body.push(text(0, y + 13, row.name, 'name'), lines(0, y + 28, notes, 'small muted', 14));
    const labels = 16 + notes.length * 14;
    const deep = Math.max(1, series.length) * 16; // each kind of marker has a line of its own
    const lane = (wide ? y + Math.max(deep, labels) / 2 : y + labels + deep / 2) + 1;
    body.push(row.values ? dots(row, lane, across, series) : bar(row, lane, across));
    y = (wide ? y + Math.max(deep, labels) : lane + deep / 2) + 10;
  }
  return { height: y + (x.level ? 20 : 4), body: [above.body, scale(x, across, start, y, width), ...heads, ...body].join('') };
}

function bar({ value, words, colour = 1 }, lane, across) {
  const from = across(across.domain()[0]);
  return (
    rect(from, lane - 8, Math.max(1, across(value) - from), 16, `b${colour}`, 2) + text(across(value) + 6, lane + 4, words, 'clear')
  );
}

function dots({ values }, lane, across, series) {
  return values.map(({ value, low, high, series: kind, words }) => {
    const i = Math.max(0, series.indexOf(kind));
    const y = lane + (i - (Math.max(1, series.length) - 1) / 2) * 16;
    const whisker = low ? line(across(low), y, across(high), y, `s${i + 1} whisker`) : '';
    const dot = marker(i, across(value), y, 64) + text(across(high ?? value) + 9, y + 4, words, 'clear');
    return line(across.range()[0], y, across.range()[1], y, 'hair') + whisker + dot;
  }).join('');
}

/** The axis above, its lines down to `bottom`, and the level that others are compared with. */
function scale(x, across, top, bottom, width) {
  const wide = width > 500;
  const parts = [];
  const [low, high] = across.domain();
  const ticks = !x.log ? across.ticks(wide ? 6 : 4) : high > 100 * low ? tens([low, high]) : steps(low, high);
  for (const tick of ticks) {
    parts.push(line(across(tick), top, across(tick), bottom, 'grid'));
    parts.push(text(across(tick), top - 4, (x.name ?? String)(tick), 'mid small muted'));
  }
  if (x.level) {
    parts.push(line(across(x.level.value), top, across(x.level.value), bottom + 2, 'level'));
    parts.push(text(across(x.level.value), bottom + 14, x.level.name, 'mid small muted'));
  }
  parts.push(text(0, top - 4, wide ? x.title : '', 'small muted'));
  return parts.join('');
}
