// Reads workshop.yml strictly, so that an error stops the build and is not found only on the day of the workshop.
import fs from 'node:fs';
import path from 'node:path';
import yaml from 'js-yaml';
import { isTimezone } from './calendar.js';
import { breaksOf, isBreaks, isClock, isDates, isDays, lessonsIn, minutesOf, planOf } from './days.js';
import { fail, lineOf, meant, SiteError } from './fail.js';

// For each key: its required form, in words, and a function that checks a value. `known` has the lessons and clusters that exist.
const keys = {
  name: ['a name in quotes', isText],
  dates: ['a list of dates like 2027-03-14, or from: and to:', isDates],
  days: ['a list like - {date: 2027-03-14, items: [{at: "09:00", minutes: 30, title: "Welcome"}, lesson01]}', isDays],
  timezone: ['a time zone like Europe/Stockholm', (v) => isText(v) && isTimezone(v)],
  place: ['a text in quotes', isText],
  start: ['a time in quotes, like "09:00"', isClock],
  end: ['a time in quotes, like "17:00"', isClock],
  lessons: ['a list of lessons, like [lesson01, lesson02]', isList],
  breaks: ['a list like - {at: "12:00", minutes: 60, name: "Lunch"}', isBreaks],
  cluster: ['the name of a file in jobs/clusters/', isText],
  options: ['the cluster profile\'s other options, like {MODULES: "gcc cuda"}', isOptions],
  account: ['the account that pays for jobs, in quotes', isText],
  reservation: ['the reservation for the workshop, in quotes', isText],
  repository: ['an address that begins with https://', isAddress],
  archive: ['the address of the learner\'s edition as an archive; it begins with https://', isAddress],
  address: ['where this site will be; it begins with https://', isAddress],
  released: ['a list of lessons whose solutions are shown, like [lesson01]; [] for none', isList],
  language: ['a language tag, like en', (v) => isText(v) && /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(v)],
  contact: ['an e-mail address or a web address', (v) => isText(v) && /^([^\s@"<>]+@[^\s@"<>]+|https:\/\/[^\s"<>]+)$/.test(v)],
};

function isText(v) { return typeof v === 'string' && v.trim() !== ''; }
function isAddress(v) { return isText(v) && /^https:\/\/[^\s"<>]+$/.test(v); }
function isList(v) { return Array.isArray(v) && v.every(isText); }
function isMap(v) { return typeof v === 'object' && v !== null && !Array.isArray(v); }
function isOptions(v) { return isMap(v) && Object.entries(v).every(([k, x]) => /^[A-Z_]+$/.test(k) && ['string', 'number'].includes(typeof x)); }

// Takes the checkout's path, the file's path, and the names of the lessons that exist.
// Returns {name, plan, days, from, to, place, lessons, breaks, cluster, …}: plan is described in days.js, days are its
// dates, from and to are start and end in minutes; the rest is as in the file.
export function readWorkshop(root, file, lessons) {
  const within = path.relative(root, file), shown = within.startsWith('..') ? file : within, text = readText(file, shown);
  const values = parse(text, shown);
  const line = (pattern) => lineOf(text, pattern);
  const lineOfKey = (key) => text.split('\n').findIndex((l) => l.replace(/^(["'])(.*?)\1/, '$2').startsWith(key)) + 1;
  for (const [key, value] of Object.entries(values)) {
    if (!Object.hasOwn(keys, key)) fail(shown, lineOfKey(key), `unknown key ${key}`, `${meant(key, Object.keys(keys))}There are: ${Object.keys(keys).join(', ')}.`);
    const [what, right] = keys[key];
    if (value !== null && !right(value)) fail(shown, lineOfKey(key), `${key} is not right`, `It must be ${what}; leave the line out if there is none.`);
  }
  for (const key of ['lessons', 'released']) {
    const names = values[key] ?? [], twice = names.find((name, i) => names.indexOf(name) < i);
    for (const name of names)
      if (!lessons.includes(name)) fail(shown, line(name), `${key}: there is no ${name}`, `${meant(name, lessons)}Lessons: ${lessons.join(', ')}.`);
    if (twice) fail(shown, line(new RegExp(`^${key}\\s*:`)), `${key}: ${twice} is there twice`, 'Name each lesson once.');
  }
  const set = Object.fromEntries(Object.entries(values).filter(([, v]) => v !== null));
  const w = { name: 'Loops to Warps', start: '09:00', end: '17:00', lessons: null, breaks: [], released: [], language: 'en', ...set };
  if (minutesOf(w.end) <= minutesOf(w.start)) fail(shown, line(/^end/), `the day ends at ${w.end}, before it starts at ${w.start}`, 'Set start and end.');
  const plan = planOf(w, shown, line);
  w.lessons ??= lessons;
  for (const name of lessonsIn(plan)) {
    if (!lessons.includes(name)) fail(shown, line(name), `days: there is no ${name}`, `${meant(name, lessons)}Lessons: ${lessons.join(', ')}.`);
    if (!w.lessons.includes(name)) fail(shown, line(/^days/), `days: ${name} is not in lessons`, 'Add it to lessons, or take it out of days.');
    const times = plan.flatMap((day) => (day.items ?? []).filter((item) => item.lesson === name));
    if (times.length > 1 && times.some((item) => item.minutes === null)) fail(shown, line(/^days/), `days: ${name} is there twice`, `Say how long each part takes: {lesson: ${name}, minutes: 30}.`);
  }
  for (const name of w.released)
    if (!w.lessons.includes(name)) fail(shown, line(/^released/), `released: ${name} is not one of this workshop's lessons`, 'Add it to lessons, or take it out of released.');
  return {
    ...w,
    plan,
    days: plan.map((day) => day.date).filter(Boolean),
    from: minutesOf(w.start),
    to: minutesOf(w.end),
    breaks: breaksOf(w.breaks, shown, line),
    cluster: readCluster(root, w, shown, line),
    file: shown,
  };
}

function readText(file, shown) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return fail(shown, 0, 'is not there', 'Copy site/workshop.yml and change it, or leave WORKSHOP= out.');
  }
}

// Dates stay text, because YAML's own dates have a time zone.
function parse(text, shown) {
  let values;
  try {
    values = yaml.load(text, { schema: yaml.CORE_SCHEMA }) ?? {};
  } catch (error) {
    return fail(shown, (error.mark?.line ?? -1) + 1, `is not YAML: ${error.reason}`, 'Texts with : or # in them need quotes; lists are indented by two blanks.');
  }
  if (!isMap(values)) fail(shown, 1, 'must be lines of the form key: value', `Keys: ${Object.keys(keys).join(', ')}.`);
  return values;
}

// Returns {name, title, about, options, values, open, modules, nogpu, setup}: the profile; the required options without a
// value; the modules that jobs load ('' if none is known); the options of a job without a GPU; and the command that
// writes the profile into jobs/run.sh for this workshop.
function readCluster(root, w, shown, line) {
  const folder = path.join(root, 'jobs/clusters'), name = w.cluster ?? 'generic';
  const profiles = fs.readdirSync(folder).filter((f) => /^[a-z0-9_-]+$/.test(f));
  if (!profiles.includes(name)) fail(shown, line(/^cluster/), `there is no cluster profile ${name}`, `${meant(name, profiles)}Profiles in jobs/clusters/: ${profiles.join(', ')}. generic fits most.`);
  const text = fs.readFileSync(path.join(folder, name), 'utf8');
  const options = [...text.matchAll(/^# option \[?([A-Z_]+)\]?(=("[^"]*"|\S*))?/gm)]
    .map(([all, option, given]) => ({ name: option, required: !given && !all.includes('[') }));
  const values = { ACCOUNT: w.account, RESERVATION: w.reservation, ...w.options };
  for (const option of Object.keys(values))
    if (values[option] !== undefined && !options.some((o) => o.name === option))
      fail(shown, line(option.toLowerCase()) || line(option), `cluster profile ${name} has no option ${option}`, `${meant(option, options.map((o) => o.name))}It has: ${options.map((o) => o.name).join(', ')}.`);
  for (const [, option, only] of text.matchAll(/^# only ([A-Z_]+): +(.*)/gm))
    for (const value of `${values[option] ?? ''}`.split('|').filter(Boolean))
      if (!only.split(' ').includes(value)) fail(shown, line(option), `options: ${name} has no ${option}=${value}`, `It has: ${only}.`);
  const open = options.filter((o) => o.required && values[o.name] === undefined).map((o) => o.name);
  for (const option of open) values[option] = `YOUR_${option}`;
  const words = Object.entries(values).filter(([, v]) => v !== undefined).map(([k, v]) => `${k}=${/^[\w./:+-]+$/.test(v) ? v : `'${v}'`}`);
  const modules = values.MODULES ?? /^# option MODULES="?([^"\n]*?)"?(?:  |$)/m.exec(text)?.[1] ?? '';
  const nogpu = /^# without-gpu +(.*)/m.exec(text)?.[1] ?? '--gres=none';
  const [title, ...about] = (/^# (.*)$/m.exec(text)?.[1] ?? name).split(': ');
  return { name, title: name === 'generic' ? 'your cluster' : title, about: about.join(': '), options, values, open, modules, nogpu, setup: ['make cluster', `NAME=${name}`, ...words].join(' ') };
}

// Takes the error of a build. Returns the text for the user: only the message, if it is one of our own errors.
export function explain(error) {
  const chain = [];
  for (let e = error; e; e = e.originalError ?? e.cause) chain.push(e);
  const ours = chain.find((e) => e instanceof SiteError);
  return ours ? ours.message : (chain.at(-1)?.stack ?? String(error));
}
