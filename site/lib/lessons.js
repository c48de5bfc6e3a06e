// Reads lessons: the page's head, its text, its checks. The pages have no front matter, since they are read on GitHub as they are.
import fs from 'node:fs';
import path from 'node:path';
import { fail, lineOf } from './fail.js';
import { readPlan } from './plan.js';

// Takes the checkout's path. Returns the names of all lessons there are.
export function lessonNames(root) {
  return fs.readdirSync(path.join(root, 'lessons')).filter((name) => /^lesson\d\d$/.test(name)).sort();
}

// Takes the checkout's path and a lesson's name. Returns
// {id, number, title, questions, objectives, minutes, further, time, needs, needed, file, text, body, bodyLine, source, tasks}:
// questions, objectives, time and needs are Markdown; body is the page below its head and begins on line bodyLine.
export function readLesson(root, id) {
  const file = `lessons/${id}/README.md`;
  if (!fs.existsSync(path.join(root, file))) fail(file, 0, 'is not there: every lesson has a page', `Write it, or leave ${id} out of lessons in the workshop's file.`);
  const text = fs.readFileSync(path.join(root, file), 'utf8'), lines = text.split('\n');
  const title = /^# Lesson \d\d: (.+)$/.exec(lines[0]) ?? fail(file, 1, 'the page must begin with its title', `# Lesson ${id.slice(-2)}: name`);
  const end = lines.findIndex((line) => line.startsWith('## '));
  if (end < 0) fail(file, 1, 'the page has no sections', 'Sections begin with ## and a title.');
  const head = lines.slice(1, end).join('\n');
  const part = (name) => new RegExp(`\\*\\*${name}\\*\\*\\s*\\n+((?:[-*] .*\\n(?:  .*\\n)*)+)`).exec(`${head}\n`)?.[1] ??
    fail(file, 1, `the head has no list under **${name}**`, 'lessons/lesson05/README.md shows how a page begins.');
  const time = /\*\*Time\*\*\s+([\s\S]*?)\s*\*\*You need\*\*\s+([\s\S]*?)(?:\n\n|$)/.exec(head) ??
    fail(file, 1, 'the head has no line **Time** … **You need** …', '**Time** 45 minutes, 20 more to go further. **You need** lesson02: launches.');
  const minutes = /^(\d+) minutes/.exec(time[1]) ?? fail(file, lineOf(text, '**Time**'), 'the time does not begin with minutes', '**Time** 45 minutes, 20 more to go further.');
  return {
    id, number: Number(id.slice(-2)), title: title[1][0].toUpperCase() + title[1].slice(1), file, text,
    questions: part('Questions'), objectives: part('After this lesson you can'),
    minutes: Number(minutes[1]), further: Number(/(\d+) more/.exec(time[1])?.[1] ?? 0),
    time: time[1], needs: time[2], needed: [...new Set(time[2].match(/lesson\d\d/g) ?? [])],
    body: lines.slice(end).join('\n'), bodyLine: end + 1,
    source: learnersFile(root, id),
    tasks: readChecks(root, id),
  };
}

// The one file that the learner edits. Its starter is what the site shows, whatever stands in this checkout's copy.
function learnersFile(root, id) {
  const folder = path.join(root, `lessons/${id}/.starter`);
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((f) => /\.(c|cu)$/.test(f)) : [];
  return files[0] ?? fail(`lessons/${id}/.starter`, 0, 'has no starter', 'make starters');
}

// Takes the checkout's path and a lesson. Returns its tasks in the order of the checks:
// {number, name, points, checks: [{says, points, function, against, threshold, kind, reason}]}; number 0 is "further".
export function readChecks(root, id) {
  const thresholds = readThresholds(root, id), tasks = new Map();
  for (const { task: number, points, sentence, verbs } of readPlan(root, id).tests) {
    if (!tasks.has(number)) tasks.set(number, { number, points: 0, checks: [] });
    tasks.get(number).points += points;
    tasks.get(number).checks.push({ says: sentence, points, ...thresholdOf(verbs, thresholds) });
  }
  return [...tasks.values()].sort((a, b) => (a.number || 99) - (b.number || 99));
}

// The threshold with which a check compares a speed, if there is one.
function thresholdOf(verbs, thresholds) {
  const [kind, name, against] = verbs.find(([verb]) => verb === 'faster' || verb === 'excellent') ?? [];
  const threshold = kind && thresholds.find((b) => b.name === name && b.against === against);
  return threshold ? { against, threshold: kind === 'faster' ? threshold.pass : threshold.excellent, kind, reason: threshold.reason } : {};
}

// Returns [{name, against, pass, excellent, reason}] of lessonNN.thresholds.
function readThresholds(root, id) {
  const file = `grader/checks/${id}.thresholds`;
  return read(root, file).split('\n').flatMap((line, i) => {
    if (!line.trim() || line.startsWith('#')) return [];
    const [, name, against, pass, excellent, reason] = /^(\w+)\s+([\w-]+)\s+([\d.]+)\s+([\d.]+)\s*(?:#\s*(.*))?$/.exec(line) ??
      fail(file, i + 1, 'is not a threshold', 'TASK BASELINE PASS EXCELLENT # reason');
    return [{ name, against, pass: Number(pass), excellent: Number(excellent), reason }];
  });
}

function read(root, file) {
  try {
    return fs.readFileSync(path.join(root, file), 'utf8');
  } catch {
    return fail(file, 0, 'is not there', 'Every lesson has checks and thresholds; make new-lesson writes the first ones.');
  }
}

// Takes the checkout's path. Returns the README's table of lessons as {lesson05: {title, writes, shows, planned}}.
export function readArc(root) {
  const arc = {};
  for (const line of read(root, 'README.md').split('\n')) {
    const [, name, writes, shows, state] = line.split('|').map((c) => c.trim());
    const [, id, title] = /^\[?(lesson\d\d)(?:\]\S*)? (\w+)$/.exec(name ?? '') ?? [];
    if (id && /^(there|planned)$/.test(state)) arc[id] = { id, title, writes, shows, planned: state === 'planned' };
  }
  return arc;
}
