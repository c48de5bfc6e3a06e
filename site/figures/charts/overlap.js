// The timeline of a report, one row for each engine.
import { scaleLinear } from 'd3-scale';
import { figure, measuredOn } from '../lib/figure.js';
import { fail, number, readRun } from '../lib/results.js';
import { line, lines, rect, text, widthOf, wrap } from '../lib/svg.js';

const ENGINES = [['h2d', 'copy in'], ['kernel', 'kernel'], ['d2h', 'copy out']];

/** The measured timeline of a task -> {name, what, span, overlap, activities: [{kind, stream, from, to}]}. */
function timelineOf(run, name) {
  const task = run.task(name);
  const place = run.line(`"name": "${name}"`);
  const timeline = task.timeline;
  if (timeline?.source !== 'measured') fail(run.file, place, `${name} has no measured timeline`, 'Measure it again on a GPU that allows its profiling interface (CUPTI)');
  const value = (what, word) => number(run.file, place, `${name}: ${what}`, word);
  if (!Array.isArray(timeline.activities) || !timeline.activities.length) fail(run.file, place, `${name}: its timeline has no activities`);
  const activities = timeline.activities.map((each) => ({
    kind: each.kind, stream: value('stream', each.stream), from: value('start_us', each.start_us), to: value('end_us', each.end_us),
  }));
  return { name, what: task.what, span: value('span_us', timeline.span_us), overlap: value('overlap_us', timeline.overlap_us), activities };
}

/** (tasks of lesson05, title, note) -> a function for the list of figures: their timelines, one below the other, to one scale. */
export const overlap = (names, title, note) => (where) => {
  const run = readRun(where, 'lesson05');
  const all = names.map((name) => timelineOf(run, name));
  const longest = Math.max(...all.map(({ span }) => span));
  return figure({
    kind: 'chart',
    title,
    desc: all.map(({ name, what, span, overlap: both }) => `${name} (${what}): ${span} µs in all; a copy and a kernel run at the same time for ${both} µs.`).join(' '),
    draw: (width) => stack(width, all, longest),
    caption: `<strong>${title}.</strong> ${note} ${measuredOn(run)}`,
    numbers: {
      head: ['task', 'engine', 'stream', 'from µs', 'to µs'],
      rows: all.flatMap(({ name, activities }) => activities.map((each) => [name, ENGINES.find(([kind]) => kind === each.kind)?.[1] ?? each.kind, String(each.stream), String(each.from), String(each.to)])),
    },
  });
};

function stack(width, all, longest) {
  const wide = width > 500;
  const left = wide ? 76 : 62;
  const across = scaleLinear().domain([0, longest]).range([left, width - (wide ? 66 : 8)]);
  const parts = [];
  let y = 16;
  for (const each of all) {
    parts.push(text(0, y, each.name, 'head'));
    const note = wrap(each.what, width, 12);
    parts.push(wide ? text(widthOf(each.name, 19) + 14, y, each.what, 'muted') : lines(0, y + 17, note, 'small muted', 14));
    y += wide ? 14 : 14 + note.length * 14;
    parts.push(engines(each, across, y));
    parts.push(line(across(each.span), y - 2, across(each.span), y + 96, 'level'));
    const past = across(each.span) + 5 + widthOf('000.0 µs') < width;
    parts.push(text(across(each.span) + (past ? 5 : -5), y + 93, `${each.span.toFixed(1)} µs`, past ? 'name' : 'name end'));
    y += 124;
  }
  return { height: y + 14, body: parts.join('') + axis(across, y - 16, wide) };
}

/** Boxes in three rows. Colour and number show the stream. */
function engines({ activities }, across, y) {
  return ENGINES.map(([kind, words], row) => {
    const top = y + row * 30;
    const boxes = activities.filter((each) => each.kind === kind).map(({ stream, from, to }) => {
      const [x, wide] = [across(from), Math.max(1.5, across(to) - across(from))];
      const label = wide > 9 ? text(x + wide / 2, top + 16, stream, 'mid small') : '';
      return rect(x, top, wide, 22, `b${((stream + 5) % 6) + 1}`, 2) + label;
    });
    return text(0, top + 16, words) + line(across(0), top + 26, across.range()[1], top + 26, 'grid') + boxes.join('');
  }).join('');
}

const axis = (across, y, wide) =>
  across.ticks(wide ? 8 : 4).map((tick) => line(across(tick), y, across(tick), y + 4) + text(across(tick), y + 19, tick, 'mid muted')).join('') +
  line(across.range()[0], y, across.range()[1], y) + text(0, y + 19, 'µs', 'muted');
