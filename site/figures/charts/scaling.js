// lesson13: the efficiency of two GPUs, strong and weak, from the tables of tests/jobs/gpu/scaling13.
import { figure, measuredOn } from '../lib/figure.js';
import { fail, number, readTables } from '../lib/results.js';
import { rowChart } from '../lib/rowchart.js';

const SIZE = 'rows x cols', ONE = 'us a sweep, one GPU', TWO = 'us a sweep, two GPUs';

/** A table -> {size, name, one, two, times, value, words} of each row; one is null where one GPU did not sweep that plate: weak scaling. */
function measured({ file }, { line, head, rows }) {
  const [size, name, one, two, e] = [SIZE, 'function', ONE, TWO, 'E'].map((words) =>
    (head.includes(words) ? head.indexOf(words) : fail(file, line, `its table has no column "${words}"`)));
  return rows.map(({ line: at, cells }) => ({
    size: cells[size], name: cells[name], one: cells[one] ? number(file, at, 'a time', cells[one]) : null,
    two: number(file, at, 'a time', cells[two]), times: [cells[one] || '–', cells[two]], value: number(file, at, 'an efficiency', cells[e]), words: cells[e],
  }));
}

/** Two GPUs against one: the same plate, and a plate of twice the rows. */
export function scaling(where) {
  const page = readTables(where, 'scaling13.md');
  const [first, ...others] = page.tables.map((table) => measured(page, table));
  const sizes = new Set(first.map(({ size }) => size));
  const more = others.flat().filter(({ size }) => !sizes.has(size)); // larger plates, of an earlier call
  const all = [...first, ...more], names = [...new Set(all.map(({ name }) => name))];
  const group = (weak, head) => [...new Set(all.filter(({ one }) => (one === null) === weak).map(({ size }) => size))].map((size, i) => ({
    head: i ? undefined : head, name: size.replace(' x ', ' × '),
    values: all.filter((each) => each.size === size).map(({ name, value, words }) => ({ series: name, value, words })),
  }));
  const rows = [...group(false, 'strong: the plate of one GPU'), ...group(true, 'weak: twice the rows')];
  return figure({
    kind: 'chart',
    title: 'Two GPUs against one, strong and weak',
    desc: `Efficiency T1 / (2 T2) of two GPUs. ${rows.map(({ name, values }) => `${name}: ${values.map((v) => `${v.series} ${v.words}`).join(', ')}.`).join(' ')}`,
    draw: (width) => rowChart(width, { x: { title: 'efficiency', domain: [0, 1.02], level: { value: 1, name: '1: twice the speed' } }, rows, series: names }),
    caption: `<strong>Two GPUs against one.</strong> Efficiency T₁ / (2 T₂), T₁ being the least time of one GPU; for a plate of twice the rows T₁ / T₂.${more.length ? ' The largest plates are of an earlier call.' : ''} ${measuredOn(page)}`,
    numbers: { head: ['plate', 'function', 'µs, one GPU', 'µs, two GPUs', 'efficiency'], rows: all.map((r) => [r.size, r.name, ...r.times, r.words]) },
  });
}
