// The mistakes that the tests know, lesson by lesson, for the instructor guide: <!-- site: content mistakes -->.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Takes the checkout's path and the workshop. Returns Markdown: a list of each lesson's mistakes, sorted by the check that finds them.
export default async function mistakes({ root, workshop }) {
  const file = join(root, 'tests/lessons/bugs/README.md');
  if (!existsSync(file)) return 'This edition comes without the tests, so without their list of mistakes.';
  const rows = readFileSync(file, 'utf8').split('\n').filter((line) => /^\| lesson\d\d \|/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, 6).map((cell) => cell.trim()));
  return workshop.lessons.map((lesson) => section(lesson, rows.filter(([its]) => its === lesson))).filter(Boolean).join('\n\n');
}

function section(lesson, rows) {
  if (!rows.length) return '';
  const groups = new Map();
  for (const [, , what, check, says] of rows) {
    const kind = kindOf(check, says);
    groups.set(kind, [...(groups.get(kind) ?? []), what]);
  }
  return `<details><summary>${lesson}: ${rows.length} mistakes</summary>\n\n${[...groups].map(([kind, list]) => `- **${kind}**: ${list.join('; ')}.`).join('\n')}\n\n</details>`;
}

// The kind of check that finds a mistake, from the check that fails first and the grader's message.
function kindOf(check, says) {
  if (/racecheck|race at|tsan/.test(says)) return 'found as a race';
  if (/memcheck|asan|wrote past|before the start|segmentation/.test(says)) return 'found as a memory error';
  if (/initcheck|synccheck|leakcheck/.test(says)) return 'found by another check of the CPU backend';
  if (/is right|right for|refuses/.test(check)) return 'found by a wrong answer';
  return 'right, but slow or without the idea of the task';
}
