// Reads lessons: their lesson.yml, the page's head, its text, its checks. The pages have no front matter, since they are read on GitHub as they are.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { fail, lineOf, SiteError } from './fail.js';
import { readPlan } from './plan.js';

// Takes the checkout's path. Returns the names of all lessons there are.
export function lessonNames(root) {
  return fs.readdirSync(path.join(root, 'lessons')).filter((name) => /^lesson\d\d$/.test(name)).sort();
}

// Takes the checkout's path and files like lessons/lesson05/lesson.yml. Returns {id, number, title, minutes, further, needed, writes, shows} of each:
// further is null if it is not limited; needed has the names of lessons; writes and shows are Markdown. common/shell/lesson.awk reads the files.
export function readFacts(root, files) {
  if (!files.length) return [];
  const keys = 'number title minutes further needs write shows';
  let lines;
  try {
    lines = execFileSync('awk', ['-v', `keys=${keys}`, '-f', 'common/shell/lesson.awk', ...files], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new SiteError(String(error.stderr || error.message).trim());
  }
  return lines.trimEnd().split('\n').map((line, i) => {
    const [number, title, minutes, further, needs, writes, shows] = line.split('\t');
    const id = /lesson\d\d(?=\/|\.)/.exec(files[i])[0];
    return { id, number: Number(number), title, minutes: Number(minutes), further: further ? Number(further) : null, needed: needs.split(' ').filter(Boolean), writes, shows };
  });
}

// Takes the checkout's path. Returns what readFacts says of the lessons that are only planned.
export function plannedLessons(root) {
  const folder = path.join(root, 'lessons/planned');
  return readFacts(root, fs.existsSync(folder) ? fs.readdirSync(folder).sort().map((name) => `lessons/planned/${name}`) : []);
}

// Takes the checkout's path and a lesson's name. Returns what readFacts says of it, the title with a large letter, and
// {questions, objectives, time, needs, file, text, body, bodyLine, source, tasks}:
// questions, objectives, time and needs are Markdown; body is the page below its head and begins on line bodyLine.
export function readLesson(root, id) {
  const file = `lessons/${id}/README.md`;
  if (!fs.existsSync(path.join(root, file))) fail(file, 0, 'is not there: every lesson has a page', `Write it, or leave ${id} out of lessons in the workshop's file.`);
  const text = fs.readFileSync(path.join(root, file), 'utf8'), lines = text.split('\n');
  const [facts] = readFacts(root, [`lessons/${id}/lesson.yml`]), heading = `# Lesson ${id.slice(-2)}: ${facts.title}`;
  if (lines[0] !== heading) fail(file, 1, `the page must begin with the title that lessons/${id}/lesson.yml gives`, heading);
  const end = lines.findIndex((line) => line.startsWith('## '));
  if (end < 0) fail(file, 1, 'the page has no sections', 'Sections begin with ## and a title.');
  const head = lines.slice(1, end).join('\n');
  const part = (name) => new RegExp(`\\*\\*${name}\\*\\*\\s*\\n+((?:[-*] .*\\n(?:  .*\\n)*)+)`).exec(`${head}\n`)?.[1] ??
    fail(file, 1, `the head has no list under **${name}**`, `Write **${name}**, an empty line, and lines that begin with "- ".`);
  const time = /\*\*Time\*\*\s+([\s\S]*?)\s*\*\*You need\*\*\s+([\s\S]*?)(?:\n\n|$)/.exec(head) ??
    fail(file, 1, 'the head has no line **Time** … **You need** …', '**Time** 45 minutes, 20 more to go further. **You need** lesson02: launches.');
  agree(file, text, time, facts);
  return {
    ...facts, title: facts.title[0].toUpperCase() + facts.title.slice(1), file, text,
    questions: part('Questions'), objectives: part('After this lesson you can'), time: time[1], needs: time[2],
    body: lines.slice(end).join('\n'), bodyLine: end + 1,
    source: learnersFile(root, id),
    tasks: readChecks(root, id),
  };
}

// The page's line of time and needs says in words what lesson.yml says.
function agree(file, text, [, time, needs], { id, minutes, further, needed }) {
  const there = [/^(\d+) minutes/.exec(time)?.[1] ?? '?', /(\d+) more/.exec(time)?.[1] ?? 'open', [...new Set(needs.match(/lesson\d\d/g) ?? [])].sort().join(', ')];
  const wanted = [minutes, further ?? 'open', needed.join(', ')];
  ['the minutes', 'the minutes to go further', 'the lessons that it needs'].forEach((what, i) => {
    if (String(wanted[i]) !== there[i])
      fail(file, lineOf(text, '**Time**'), `${what}: ${there[i] || 'none'}, but lessons/${id}/lesson.yml says ${wanted[i] || 'none'}`, 'Change one of them, as in: **Time** 45 minutes, 20 more to go further. **You need** lesson02.');
  });
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
