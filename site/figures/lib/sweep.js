// Reads the drawing that a lesson's program made by --sweep --image: it holds the measurements as text.
import { fail, newest, number, readRun } from './results.js';

const UNITS = { '': 1, Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 };

/**
 * lessonNN-WORD.svg -> {file, device, driver, cuda, date, task, unit, swept, series: [{name, points: [{x, y, text}]}]}.
 * Driver and date are those of the lesson's report of the same folder.
 */
export function readSweep(where, name) {
  const { file, text } = newest(where, name, 'Measure it on a GPU by --sweep and --image, as the lesson\'s page says');
  const all = text.split('\n');
  const want = (pattern, what) => {
    const i = all.findIndex((words) => pattern.test(words));
    return i < 0 ? fail(file, 1, `it has no ${what}: it is no drawing of a sweep`) : [...pattern.exec(all[i]), i + 1];
  };
  const [, device] = want(/>measured on ([^<]+)</, 'device');
  const [, task, unit] = want(/class="title"[^>]*>([^<,]+), ([^<]+)</, 'task and unit');
  const [, swept] = want(/y="31\d[^>]*text-anchor="middle">([^<]+)</, 'swept size');
  const run = readRun(where, name.slice(0, 8));
  if (run.device !== device) fail(run.file, run.line('"device"'), `its device is ${run.device}, that of ${file} is ${device}`);
  const positions = axisOf(file, all);
  const names = all.flatMap((words) => [...words.matchAll(/class="c(\d)" cx="606" [^>]*>(?:<\/circle>)?<text [^>]*>([^<]+)</g)]);
  const series = names.map(([, colour, each]) => ({ name: each, points: pointsOf(file, all, colour, positions) }));
  if (!series.length || series.some(({ points }) => !points.length)) fail(file, all.length, 'a line of the drawing has no name or no points');
  return { file, device, driver: run.driver, cuda: run.cuda, date: run.date, task, unit, swept, series };
}

/** The marks of the axis below -> a Map from their place to their size. Not all have room for a label. */
function axisOf(file, all) {
  const labelled = [];
  const places = [];
  all.forEach((words, i) => {
    for (const [, place] of words.matchAll(/d="M([\d.]+) [\d.]+v4"/g)) places.push(place);
    for (const [, place, value, unit] of words.matchAll(/x="([\d.]+)" y="292.0" text-anchor="middle">([\d.]+) ?([KMG]i)?</g))
      labelled.push({ place, value: number(file, i + 1, 'a label', value) * UNITS[unit ?? ''] });
  });
  if (labelled.length < 2) fail(file, 1, 'fewer than two labels along its axis');
  const [low, high] = [labelled[0], labelled[labelled.length - 1]];
  const slope = Math.log(high.value / low.value) / (high.place - low.place);
  const sizeAt = (place) => low.value * Math.exp(slope * (place - low.place));
  const known = new Map(labelled.map(({ place, value }) => [place, value]));
  return new Map(places.map((place) => [place, known.get(place) ?? roundest(sizeAt(place - 0.06), sizeAt(+place + 0.06))]));
}

/** Of the whole numbers between two, the multiple of the highest power of two: places are drawn to a tenth of a pixel. */
function roundest(from, to) {
  for (let step = 2 ** 40; step >= 1; step /= 2) {
    const multiple = Math.ceil(from / step) * step;
    if (multiple <= to && multiple > 0) return multiple;
  }
  return Math.round((from + to) / 2);
}

function pointsOf(file, all, colour, positions) {
  return all.flatMap((words, i) => {
    const found = new RegExp(`class="c${colour}" cx="([\\d.]+)" cy="[\\d.]+" r="3"><title>([^ <]+)`).exec(words);
    if (!found) return [];
    const x = positions.get(found[1]) ?? fail(file, i + 1, 'a point is not at any mark of the axis');
    return [{ x, y: number(file, i + 1, 'a point', found[2]), text: found[2] }];
  });
}
