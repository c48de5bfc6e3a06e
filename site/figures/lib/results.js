// Reads results/: reports (JSON), tables (Markdown), lists (CSV), sweeps (SVG). A missing or malformed file stops the
// build, with file, line and advice.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Throws an error with the file, the line, the fault and advice. */
export function fail(file, line, what, way = 'Correct the file, or take its earlier version from git') {
  throw new Error(`${file}${line ? `:${line}` : ''}: ${what}. ${way}.`);
}

/** The line, from 1, of the first place of `words` in `text`; 1 if there is none. */
const lineOf = (text, words, from = 0) => text.slice(0, Math.max(0, text.indexOf(words, from))).split('\n').length;

/** A name of a file -> {file, text} from the newest folder of results that has it, or from the folder `only`. */
export function newest({ root, results = join(root, 'results'), only }, name, how) {
  const folders = existsSync(results) ? readdirSync(results).sort().reverse() : [];
  const folder = folders.filter((each) => !only || each === only).find((each) => existsSync(join(results, each, name)));
  if (!folder) fail(`results/*/${name}`, 0, 'there is no such file, and a figure is drawn from it', how);
  return { file: `results/${folder}/${name}`, text: readFileSync(join(results, folder, name), 'utf8') };
}

/** A word of a file -> its number. */
export function number(file, line, what, word) {
  const value = typeof word === 'number' ? word : /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(word ?? '') ? Number(word) : NaN;
  if (!Number.isFinite(value)) fail(file, line, `${what} is no number: ${JSON.stringify(word ?? null)}`);
  return value;
}

/** A date like 2026-11-22, with or without the time, that exists -> the same. */
function dateOf(file, line, word) {
  const day = String(word).slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d(T[\d:]+Z)?$/.test(word) || Number.isNaN(+date) || date.toISOString().slice(0, 10) !== day)
    fail(file, line, `there is no such date: ${JSON.stringify(word ?? null)}`);
  return String(word);
}

/** The report of a lesson's program (schema wb-run/2 or /1) -> {file, device, driver, cuda, date, ceilings, hardware, tasks, task(name), line(words)}. */
export function readRun(where, lesson) {
  const name = `${lesson}-run-cuda.json`;
  const { file, text } = newest(where, name, `Measure it on a GPU by make bench SAVE=results/DATE-DEVICE`);
  const run = parse(file, text);
  const line = (words) => lineOf(text, words);
  if (!/^wb-run\/[12]$/.test(run?.schema)) fail(file, line('"schema"'), `its schema is ${JSON.stringify(run?.schema ?? null)}, not "wb-run/2"`);
  for (const [key, kind] of [['device', 'object'], ['tasks', 'object'], ['ceilings', 'object'], ['date', 'string']])
    if (typeof run[key] !== kind || run[key] === null) fail(file, line(`"${key}"`), `it has no ${key}`);
  if (!Array.isArray(run.tasks) || !run.tasks.length) fail(file, line('"tasks"'), 'it has no tasks');
  if (!run.device.name) fail(file, line('"device"'), 'its device has no name');
  for (const each of run.tasks) each.baselines ??= each.yardsticks; // their name in wb-run/1
  const [driver, cuda] = String(run.device.driver ?? '|').split('|');
  const task = (wanted) =>
    run.tasks.find((each) => each.name === wanted) ?? fail(file, line('"tasks"'), `it has no task ${wanted}`);
  const date = dateOf(file, line('"date"'), run.date);
  return { file, device: run.device.name, driver, cuda, date, ceilings: run.ceilings, hardware: run.device, tasks: run.tasks, task, line };
}

/** JSON with the place of a mistake: Node says where in the text, or that it ends too early. */
function parse(file, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /position (\d+)/.exec(error.message);
    const line = place ? text.slice(0, Number(place[1])).split('\n').length : text.trimEnd().split('\n').length;
    return fail(file, line, `it is no JSON (${error.message.replace(/\s+/g, ' ').slice(0, 90)})`);
  }
}

/** A page of Markdown tables that a program of tests/jobs/gpu printed -> {file, device, driver, cuda, date, tables: [{line, head, rows: [{line, cells}]}]}. */
export function readTables(where, name) {
  const { file, text } = newest(where, name, `Measure it by tests/jobs/gpu/${name.replace(/\..*/, '')} on a GPU, and keep what it prints there`);
  const all = text.split('\n');
  const tables = [];
  all.forEach((words, i) => {
    if (!words.startsWith('|') || /^\|[-|]+\|$/.test(words)) return;
    const cells = words.split('|').slice(1, -1).map((cell) => cell.trim());
    const table = tables[tables.length - 1];
    if (!all[i - 1]?.startsWith('|')) return void tables.push({ line: i + 1, head: cells, rows: [] });
    if (cells.length !== table.head.length)
      fail(file, i + 1, `a row of ${cells.length} cells in a table of ${table.head.length} columns`);
    table.rows.push({ line: i + 1, cells });
  });
  if (!tables.length) fail(file, 1, 'it has no table');
  return { file, tables, ...originOf(file, all) };
}

/** The line "Device: NAME, driver X, CUDA Y, DATE." in a program's output -> {device, driver, cuda, date}. */
function originOf(file, all) {
  const i = all.findIndex((words) => /Device: .*\d{4}-\d/.test(words));
  if (i < 0) fail(file, all.length, 'no line says "Device: NAME, driver X, CUDA Y, DATE."');
  const found = /Device: (.+?)(?:, driver ([\d.]+), CUDA ([\d.]+))?, (\d{4}-[^ ]*?)\.?(?: |$)/.exec(all[i]);
  const [, device, driver, cuda, date] = found;
  return { device, driver, cuda, date: dateOf(file, i + 1, date) };
}

/** A list of numbers (CSV; lines with # say what made it) -> {file, device, date, head, rows: [{line, values}]}. */
export function readList(where, name, how) {
  const { file, text } = newest(where, name, how);
  const all = text.trimEnd().split('\n');
  const first = all.findIndex((words) => !words.startsWith('#'));
  if (first < 0) fail(file, all.length, 'it has no line with the names of its columns');
  const head = all[first].split(',');
  const rows = all.slice(first + 1).map((words, i) => {
    const line = first + 2 + i;
    const cells = words.split(',');
    if (cells.length !== head.length) fail(file, line, `${cells.length} values for ${head.length} columns`);
    return { line, values: cells.map((cell, k) => number(file, line, head[k], cell)) };
  });
  if (!rows.length) fail(file, all.length, 'it has no rows');
  return { file, head, rows, ...originOf(file, all.slice(0, first)) };
}
