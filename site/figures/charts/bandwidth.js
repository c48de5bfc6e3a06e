// Speed against size, from the charts that --sweep drew on a GPU; and the device's best figures.
import { figure, measuredOn } from '../lib/figure.js';
import { lineChart, sizeName } from '../lib/linechart.js';
import { fail, number, readRun } from '../lib/results.js';
import { rowChart } from '../lib/rowchart.js';
import { readSweep } from '../lib/sweep.js';

/** The name of a drawing of a sweep -> a function for the list of figures. `what` describes it in words, `names` names the lines. */
export const sweep = (name, { title, xTitle, names = {}, note = '' }) => (where) => {
  const measured = readSweep(where, name);
  const series = measured.series.map((each) => ({ ...each, name: names[each.name] ?? each.name }));
  const sizes = series[0].points.map(({ x }) => x);
  return figure({
    kind: 'chart',
    title,
    desc: `${measured.unit} against ${xTitle}, from ${sizeName(sizes[0])} to ${sizeName(sizes[sizes.length - 1])}. ${series.map(described(measured.unit)).join(' ')}`,
    draw: (width) =>
      lineChart(width, {
        x: { title: xTitle, log: true, ticks: sizes, name: sizeName },
        y: { title: measured.unit },
        series,
      }),
    caption: `<strong>${title}.</strong> ${note} ${measuredOn(measured)}`,
    numbers: {
      head: [xTitle, ...series.map((each) => `${each.name}, ${measured.unit}`)],
      rows: sizes.map((size, i) => [sizeName(size), ...series.map(({ points }) => points[i].text)]),
    },
  });
};

const described = (unit) => ({ name, points }) =>
  `${name}: from ${points[0].text} to ${points[points.length - 1].text} ${unit}.`;

/** The best figures of the device's link and memory: every lesson's report has some of them. */
export function ceilings(where) {
  const [link, memory] = [readRun(where, 'lesson05'), readRun(where, 'lesson08')];
  const rows = [
    [link, 'h2d', 'link, host to device', 2],
    [link, 'd2h', 'link, device to host', 2],
    [link, 'link', 'link, both ways at once', 2],
    [memory, 'copy', 'device memory: a copy', 1],
    [memory, 'read', 'device memory: reading', 1],
  ].map(([run, name, words, colour]) => {
    const found = run.ceilings.find((each) => each.name === name) ?? fail(run.file, run.line('"ceilings"'), `no ceiling ${name}`);
    const value = number(run.file, run.line(`"name": "${name}"`), `the ceiling ${name}`, found.value);
    return { name: words, note: found.what, value, words: `${found.value} ${found.unit}`, colour };
  });
  return figure({
    kind: 'chart',
    title: 'The best speeds of the link and of the device’s memory',
    desc: rows.map(({ name, words }) => `${name}: ${words}.`).join(' '),
    draw: (width) => rowChart(width, { x: { title: 'GB/s' }, rows }),
    caption: `<strong>The link is much slower than the device’s memory.</strong> ${measuredOn(memory)} The link: <code>${link.file}</code>.`,
    numbers: { head: ['what', 'best', 'how'], rows: rows.map(({ name, words, note }) => [name, words, note]) },
  });
}
