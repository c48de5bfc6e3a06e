// A lesson's page: the head as an overview, the text, and under each task what the grader checks and, once released, the solution.
import fs from 'node:fs';
import path from 'node:path';
import { codeBlock } from './highlight.js';
import { newState, render, renderInline, languageOf } from './markdown.js';
import { prepare } from './markers.js';
import { taskText, withoutMarks } from './regions.js';
import { duration, escape, relative } from './text.js';

// Takes the site and a lesson. Adds the lesson's page, and its solution's once released.
export async function addLesson(site, lesson) {
  const url = `lessons/${lesson.id}/index.html`, state = newState();
  if (site.notes.some((n) => n.name === 'glossary')) state.terms = { to: '../../pages/glossary/index.html', seen: new Set() };
  const { text, marker } = await prepare(site, lesson.body, lesson.file, state, lesson.bodyLine);
  const parts = sections(text, lesson.bodyLine).map((part) => {
    const html = render(part.text, { site, file: lesson.file, line: part.line, url, state, marker });
    const task = lesson.tasks.find((t) => part.task !== null && t.number === part.task);
    return `<section class="part">${task ? html + taskParts(site, lesson, task, url) : html}</section>\n`;
  });
  site.pages.set(url, {
    url, kind: 'lesson', lesson, state,
    title: `Lesson ${lesson.number}: ${lesson.title}`,
    description: lesson.shows.replace(/[`*]/g, ''),
    html: overview(site, lesson, url) + parts.join('') + (site.instructor ? mistakes(site, lesson) : ''),
    headings: state.headings,
  });
  if (site.released(lesson.id)) addSolution(site, lesson);
}

// Takes a page's body and its first line. Returns its parts, cut at ##: {line, text, task}; task is its number, 0 for "Go further".
export function sections(body, first) {
  const parts = [];
  let code = false;
  body.split('\n').forEach((line, i) => {
    if (/^(```|~~~)/.test(line)) code = !code;
    if (!code && line.startsWith('## ')) {
      const task = /^## Task (\d+)/.exec(line)?.[1] ?? (/^## Go further/.test(line) ? 0 : null);
      parts.push({ line: first + i, text: '', task: task === null ? null : Number(task) });
    }
    parts.at(-1).text += `${line}\n`;
  });
  return parts;
}

// Questions, objectives, time and needs.
function overview(site, lesson, url) {
  const given = { site, file: lesson.file, url };
  const needs = linkLessons(renderInline(lesson.needs.replace(/\n/g, ' '), given), site, url);
  const time = duration(lesson.minutes) + (lesson.further ? `, and ${duration(lesson.further)} to go further` : '');
  return `<div class="overview">
<section><h2 id="questions">Questions</h2>${render(lesson.questions, given)}</section>
<section><h2 id="objectives">After this lesson you can</h2>${render(lesson.objectives, given)}</section>
<dl><div><dt>Time</dt><dd>${time}</dd></div><div><dt>You need</dt><dd>${needs}</dd></div>
<div><dt>You edit</dt><dd>${fileLink(site, lesson, url)}</dd></div>
<div><dt>Points</dt><dd>${lesson.tasks.reduce((n, t) => n + t.points, 0)}</dd></div></dl>
</div>\n`;
}

const fileLink = (site, lesson, url) => `<a href="${site.resolve(`lessons/${lesson.id}/${lesson.source}`, '', { file: lesson.file, url }, 0)}"><code>${lesson.source}</code></a>`;

// Takes HTML without links. Returns it with each lesson's name leading to the lesson.
function linkLessons(html, site, url) {
  return html.replace(/\blesson\d\d\b(?![^<]*<\/a>)/g, (id) => (site.workshop.lessons.includes(id) ? `<a href="${relative(url, `lessons/${id}/index.html`)}">${id}</a>` : id));
}

// What belongs below a task: the starter's functions, the solution once released, the checks.
function taskParts(site, lesson, task, url) {
  const region = task.number ? `task-${task.number}` : 'task-further', file = `lessons/${lesson.id}/${lesson.source}`;
  const starter = taskText(site.sourceText(file, lesson.file, 0), region);
  const language = languageOf(lesson.source), parts = [];
  if (starter) parts.push(`<details class="starter"><summary>What stands in ${escape(lesson.source)}</summary>${codeBlock(starter, language)}</details>`);
  parts.push(checksTable(lesson, task));
  if (site.released(lesson.id)) {
    const solution = taskText(readSolution(site, lesson), region);
    const whole = `<p><a href="${relative(url, `solutions/${lesson.id}/index.html`)}">The whole solution</a></p>`;
    if (solution) parts.push(`<details class="solution"><summary>Solution</summary>${codeBlock(solution, language)}${whole}</details>`);
  }
  return `<div class="task-parts">${parts.join('\n')}</div>\n`;
}

function checksTable(lesson, task) {
  const rows = task.checks.map((c) => `<tr><td>${renderPlain(c.says)}</td><td>${threshold(c)}</td><td class="number">${c.points}</td></tr>`).join('\n');
  const run = `grader/check ${lesson.id}${task.number ? ` --task ${task.number}` : ''}`;
  return `<details class="checks"><summary>What the grader checks: ${task.points} ${task.points === 1 ? 'point' : 'points'}</summary>
<div class="table" tabindex="0" role="group" aria-label="Checks"><table><thead><tr><th scope="col">Check</th><th scope="col">Threshold</th><th scope="col" class="number">Points</th></tr></thead>
<tbody>${rows}</tbody></table></div>${codeBlock(run, 'bash')}</details>`;
}

const renderPlain = (says) => escape(says).replace(/\b([a-z]+(?:_[a-z0-9]+)+)\b/g, '<code>$1</code>');
const threshold = (c) => (c.threshold ? `<span title="${escape(c.reason ?? '')}">${c.threshold} × <span class="nowrap">${escape(c.against)}</span></span>` : '');

const solutionFile = (lesson) => `solutions/${lesson.id}/${lesson.source}`;
const readSolution = (site, lesson) => site.sourceText(solutionFile(lesson), lesson.file, 0);

function addSolution(site, lesson) {
  const url = `solutions/${lesson.id}/index.html`;
  site.pages.set(url, {
    url, kind: 'file', lesson, title: `Solution of lesson ${lesson.number}: ${lesson.title}`, description: `${solutionFile(lesson)}, with its reasons`,
    html: `<p>One of many right answers. <a href="${relative(url, `lessons/${lesson.id}/index.html`)}">Back to the lesson</a></p>
${codeBlock(withoutMarks(readSolution(site, lesson)), languageOf(lesson.source), escape(solutionFile(lesson)))}`,
    headings: [], state: newState(),
  });
}

// For instructors: the mistakes that the workbook's tests know, and what the grader says to each.
function mistakes(site, lesson) {
  const table = path.join(site.root, 'tests/lessons/bugs/README.md');
  if (!fs.existsSync(table)) return '';
  const rows = fs.readFileSync(table, 'utf8').split('\n').filter((l) => l.startsWith(`| ${lesson.id} |`)).map((l) => l.split(/(?<!\\)\|/).map((c) => c.trim()));
  if (!rows.length) return '';
  return `<section class="instructor"><h2 id="for-the-instructor">For the instructor: ${rows.length} mistakes and what the grader says</h2>
<div class="table" tabindex="0" role="group" aria-label="Mistakes"><table><thead><tr><th scope="col">Mistake</th><th scope="col">Check that tells it</th><th scope="col">What it says</th></tr></thead><tbody>
${rows.map((r) => `<tr><td>${escape(r[3])}</td><td>${breaks(r[4])}</td><td>${breaks(r[5])}</td></tr>`).join('\n')}</tbody></table></div></section>\n`;
}
const breaks = (cell) => escape(cell).replace(/&lt;br&gt;/g, '<br>');
