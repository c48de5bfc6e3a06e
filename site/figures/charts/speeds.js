// The speed of a lesson's solution compared with its baselines, with the range that holds the ratio 19 times out of 20.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure, measuredOn } from '../lib/figure.js';
import { fail, number, readRun } from '../lib/results.js';
import { rowChart } from '../lib/rowchart.js';

/** A report -> [{task, what, baseline, note, ratio, low, high}] of the timed tasks. */
function ratiosOf(run) {
  return run.tasks.filter(({ timing }) => timing).flatMap((task) =>
    (task.baselines ?? []).map((each) => {
      const value = (what, word) => number(run.file, run.line(`"name": "${task.name}"`), `${task.name}: ${what} of ${each.name}`, word);
      const ratio = value('ratio', each.ratio);
      if (ratio <= 0) fail(run.file, run.line(`"name": "${task.name}"`), `${task.name}: the ratio to ${each.name} is ${ratio}`);
      const [low, high] = [each.ratio_low ?? ratio, each.ratio_high ?? ratio].map((word) => value('range', word));
      const written = [each.ratio, each.ratio_low, each.ratio_high].map((word) => (word == null ? '–' : String(word)));
      // If the range begins at 0, which is not on the axis, draw it from a tenth of the ratio.
      return { task: task.name, what: task.what, baseline: each.name, note: each.what, ratio, low: Math.max(low, ratio / 10), high, written };
    }));
}

/** Only the ratios that have a threshold: those that the grader judges. */
function asked(root, lesson, ratios) {
  const thresholds = readFileSync(join(root, `grader/checks/${lesson}.thresholds`), 'utf8').match(/^\w+ +\S+/gm).map((line) => line.split(/ +/).join(' '));
  return ratios.filter(({ task, baseline }) => thresholds.includes(`${task} ${baseline}`));
}

const rowsOf = (ratios, head) =>
  ratios.map(({ task, baseline, ratio, low, high, note }, i) => ({
    head: i ? undefined : head, name: `${task} ÷ ${baseline}`, note, values: [{ series: '', value: ratio, low, high, words: ratio.toPrecision(3) }],
  }));

/** All ratios of one lesson, or the judged ratios of several -> a function for the list of figures. */
export const speeds = (...lessons) => (where) => {
  const runs = lessons.map((lesson) => readRun(where, lesson));
  const several = lessons.length > 1;
  const all = runs.map(ratiosOf).map((each, i) => (several ? asked(where.root, lessons[i], each) : each));
  const rows = all.flatMap((each, i) => rowsOf(each, several ? lessons[i] : undefined));
  const values = rows.flatMap(({ values: [v] }) => [v.low, v.high]);
  const domain = [Math.min(0.5, ...values) * 0.9, Math.max(2, ...values) * 1.1];
  const title = several ? 'The solutions compared with their baselines' : 'The solution compared with its baselines';
  return figure({
    kind: 'chart',
    title: several ? title : `${title}: ${lessons[0]}`,
    desc: `Above 1 the solution is faster. ${rows.map(({ name, values: [{ words }] }) => `${name}: ${words}.`).join(' ')}`,
    draw: (width) => rowChart(width, { x: { title: 'times as fast', log: true, domain, level: { value: 1, name: '1: as fast' } }, rows }),
    caption: `<strong>${title}.</strong> To the right of 1 the solution is faster. The bar across a marker is the range that holds the ratio 19 times out of 20. ${sources(runs)}`,
    numbers: {
      head: ['lesson', 'task', 'baseline', 'ratio', 'from', 'to'],
      rows: all.flatMap((each, i) => each.map((r) => [lessons[i], r.task, r.baseline, ...r.written])),
    },
  });
};

/** Reports -> the caption of each device and day that measured them, each once. */
function sources(runs) {
  const seen = new Map();
  for (const run of runs) {
    const key = [run.device, run.driver, run.date.slice(0, 10)].join();
    if (!seen.has(key)) seen.set(key, measuredOn({ ...run, file: runs.length > 1 ? run.file.replace(/[^/]*$/, '') : run.file }));
  }
  return [...seen.values()].join(' ');
}
