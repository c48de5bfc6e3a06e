// The ladders: every version of a lesson's solution, compared with the library or with a copy.
import { figure, measuredOn } from '../lib/figure.js';
import { lineChart } from '../lib/linechart.js';
import { fail, number, readTables } from '../lib/results.js';
import { rowChart } from '../lib/rowchart.js';

const column = (table, file, name) => {
  const i = table.head.indexOf(name);
  return i < 0 ? fail(file, table.line, `its table has no column "${name}"`) : i;
};

const tableOf = (page, pattern) =>
  page.tables.find(({ head }) => head.some((cell) => pattern.test(cell))) ?? fail(page.file, 1, `no table is headed ${pattern}`);

/** "42.28 (0.853)" -> {value, ratio, words}. */
function speedAndRatio(file, { line, cells }, i) {
  const found = /^([\d.]+) \(([\d.]+)\)$/.exec(cells[i]) ?? fail(file, line, `"${cells[i]}" is not a speed with its ratio, like "8.10 (0.163)"`);
  return { value: number(file, line, 'a speed', found[1]), ratio: found[2], words: found[1] };
}

/** lesson07: the rungs at one size, cuBLAS's line through all of them. */
export function matmul(where) {
  const page = readTables(where, 'ladder07.md');
  const table = page.tables[0];
  const [name, note] = [column(table, page.file, 'rung'), column(table, page.file, 'what it changes')];
  const size = table.head.filter((cell) => /^\d+$/.test(cell)).sort((a, b) => a - b).at(-2);
  const rows = table.rows.map((row) => {
    const { value, ratio, words } = speedAndRatio(page.file, row, column(table, page.file, size));
    const library = row.cells[name] === 'cuBLAS';
    return { name: row.cells[name], note: library ? 'NVIDIA’s library' : row.cells[note], value, ratio, words: `${words} · ${ratio}`, colour: library ? 2 : 1, speed: words };
  });
  const library = rows.find((row) => row.name === 'cuBLAS') ?? fail(page.file, table.line, 'no rung is called cuBLAS');
  const ladder = [...rows.filter((row) => row !== library), library];
  return figure({
    kind: 'chart',
    title: `From the plain kernel to the library: ${size} × ${size} matrices in float32`,
    desc: ladder.map((row) => `${row.name}: ${row.speed} TFLOP/s, ${row.ratio} of cuBLAS.`).join(' '),
    draw: (width) => rowChart(width, { x: { title: 'TFLOP/s · ratio to cuBLAS', level: { value: library.value, name: 'cuBLAS' } }, rows: ladder }),
    caption: `<strong>The ladder of lesson07, ${size} × ${size}.</strong> Each rung changes one thing. After each bar: TFLOP/s, and the ratio to cuBLAS in the same run. ${measuredOn(page)}`,
    numbers: { head: ['rung', 'TFLOP/s', 'of cuBLAS', 'what it changes'], rows: ladder.map((row) => [row.name, row.speed, row.ratio, row.note]) },
  });
}

/** lesson07: some rungs against the size. */
export function matmulSizes(where) {
  const page = readTables(where, 'ladder07.md');
  const table = page.tables[0];
  const sizes = table.head.filter((cell) => /^\d+$/.test(cell) && cell % 2 === 0); // an odd one is next to its neighbour
  const series = ['cuBLAS', 'fast', 'doubled', 'square', 'tiled16', 'naive'].map((name) => {
    const row = table.rows.find(({ cells }) => cells[column(table, page.file, 'rung')] === name) ?? fail(page.file, table.line, `no rung is called ${name}`);
    return { name, points: sizes.map((size) => ({ x: Number(size), ...speedAndRatio(page.file, row, table.head.indexOf(size)), y: speedAndRatio(page.file, row, table.head.indexOf(size)).value })) };
  });
  return againstSize({
    page, series, sizes, unit: 'TFLOP/s', xTitle: 'n of an n × n product',
    title: 'The speed of a matrix product against its size',
    note: 'Small products have too few tiles to fill the device: there <em>fast</em> uses smaller tiles, whose terms several warps share.',
  });
}

/** lesson08: versions of the sweep against the side of the plate. */
export function jacobi(where) {
  const page = readTables(where, 'ladder08.md');
  const table = tableOf(page, /^GB\/s/);
  const at = (name) => column(table, page.file, name);
  const versions = ['sweeps()', 'copy', 'wide', 'plain, in a graph', 'plain', 'shared tile'];
  const speed = table.head.findIndex((cell) => cell.startsWith('GB/s'));
  // Sides that are no multiple of 4 have no version "wide".
  const sizes = [...new Set(table.rows.map(({ cells }) => cells[at('side')]))].filter((side) => side % 4 === 0);
  const series = versions.map((name) => ({
    name,
    points: sizes.map((size) => {
      const row = table.rows.find(({ cells }) => cells[at('side')] === size && cells[at('version')] === name) ?? fail(page.file, table.line, `side ${size} has no version "${name}"`);
      return { x: number(page.file, row.line, 'a side', size), y: number(page.file, row.line, 'a speed', row.cells[speed]), words: row.cells[speed] };
    }),
  }));
  return againstSize({
    page, series, sizes, unit: 'GB/s', xTitle: 'cells along a side', log: true,
    title: 'Sweeps of Jacobi against the size of the plate',
    note: 'GB/s at 8 bytes a cell and sweep. With one sweep for each load no version is faster than a copy; with several (<em>sweeps()</em>) one is. The smallest plates fit into the L2 cache.',
  });
}

function againstSize({ page, series, sizes, unit, xTitle, title, note, log }) {
  return figure({
    kind: 'chart',
    title,
    desc: `${unit} against ${xTitle}, ${sizes[0]} to ${sizes[sizes.length - 1]}. ${series.map(({ name, points }) => `${name}: from ${points[0].words} to ${points[points.length - 1].words}.`).join(' ')}`,
    draw: (width) => lineChart(width, { x: { title: xTitle, log: true, ticks: sizes.map(Number) }, y: { title: unit, log }, series }),
    caption: `<strong>${title}.</strong> ${note} ${measuredOn(page)}`,
    numbers: { head: [xTitle, ...series.map(({ name }) => name)], rows: sizes.map((size, i) => [size, ...series.map(({ points }) => points[i].words)]) },
  });
}

/** lesson06: versions compared with CUB for several kinds of data. what: the first words of the tables' heads. */
const againstCub = (what, title, note) => (where) => {
  const page = readTables(where, 'ladder06.md');
  const tables = page.tables.filter(({ head }) => head[0].startsWith(what));
  if (tables.length < 2) fail(page.file, 1, `fewer than two tables begin with "${what}"`);
  const kinds = tables.map(({ head }) => head[0].replace(/^[^,]*, /, ''));
  const versions = [...new Set(tables.flatMap(({ rows }) => rows.map(({ cells }) => cells[0])))];
  const rows = versions.map((name) => {
    const found = tables.flatMap((table, k) => {
      const row = table.rows.find(({ cells }) => cells[0] === name);
      if (!row) return [];
      const cell = (head) => row.cells[column(table, page.file, head)];
      const bytes = number(page.file, row.line, 'GB/s', cell('GB/s'));
      return [{ series: kinds[k], value: bytes, ms: cell('median ms'), speed: cell('GB/s'), words: cell('GB/s'), ratio: cell('x CUB'), idea: cell('idea') }];
    });
    return { name, note: found[0].idea.replace(/:.*/, ''), values: found };
  });
  const ladder = [...rows.slice(1), rows[0]];
  return figure({
    kind: 'chart',
    title,
    desc: ladder.map(({ name, values }) => `${name}: ${values.map((v) => `${v.speed} GB/s (${v.series})`).join(', ')}.`).join(' '),
    draw: (width) => rowChart(width, { x: { title: 'GB/s, each line is ten times the one before', log: true, domain: outer(rows) }, rows: ladder, series: kinds }),
    caption: `<strong>${title}.</strong> ${note(rows)} ${measuredOn(page)}`,
    numbers: {
      head: ['version', 'data', 'median ms', 'GB/s', '× CUB'],
      rows: ladder.flatMap(({ name, values }) => values.map((v) => [name, v.series, v.ms, v.speed, v.ratio])),
    },
  });
};

/** Rows with values -> the powers of ten around them. */
function outer(rows) {
  const all = rows.flatMap(({ values }) => values.map(({ value }) => value));
  return [10 ** Math.floor(Math.log10(Math.min(...all))), 10 ** Math.ceil(Math.log10(Math.max(...all)))];
}

/** How many times as fast one version is as another, with the first kind of data. */
function times(rows, fast, slow) {
  const [a, b] = [fast, slow].map((name) => Number(rows.find((row) => row.name === name).values[0].ms));
  return +(b / a).toPrecision(2);
}

export const histogram = againstCub('histogram', 'Counting bytes, version by version', (rows) => `A histogram for each lane is ${times(rows, 'lanes', 'global')} times as fast as one global atomic a byte, and even faster with skewed data.`);
export const maximum = againstCub('maximum of 268435456 floats', 'The largest float, version by version', (rows) => `Speed needs few atomics, and many bytes under way: <em>wide</em> is ${times(rows, 'wide', 'tree')} times as fast as <em>tree</em>.`);
