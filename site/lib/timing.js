// The instructor guide's table of minutes: <!-- site: content timing -->. The lessons' pages give the totals and the tasks; only
// the share of each part is set here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tasksOf } from './tasks.js';

const IDEA = 0.25, PREDICT = 0.1, END = 5; // of the lesson's minutes; minutes

// Takes the checkout's path and the workshop. Returns Markdown.
export default async function timing({ root, workshop }) {
  const rows = workshop.lessons.map((lesson) => row(lesson, readFileSync(join(root, 'lessons', lesson, 'README.md'), 'utf8'), tasksOf(root, lesson)));
  return ['| lesson | minutes | idea | predict | tasks, one by one | end | go further |', '|---|---|---|---|---|---|---|', ...rows, ''].join('\n');
}

// The tasks share the remaining minutes in proportion to their points, in steps of five minutes; the last task gets the rest.
export function row(lesson, page, tasks) {
  const [, minutes, further] = /\*\*Time\*\* (\d+) minutes(?:,? (?:and )?(\d+) more)?/.exec(page) ?? [];
  if (!minutes) throw new Error(`lessons/${lesson}/README.md: no line "**Time** 45 minutes, …": the instructor guide's table needs it.`);
  const five = (x) => 5 * Math.max(1, Math.round(x / 5));
  const idea = five(IDEA * minutes), predict = five(PREDICT * minutes);
  let left = minutes - idea - predict - END, points = tasks.reduce((sum, t) => sum + t.points, 0);
  const shares = tasks.map((t, i) => {
    const share = i === tasks.length - 1 ? left : Math.max(5, Math.min(five((left * t.points) / points), left - 5 * (tasks.length - 1 - i)));
    left -= share;
    points -= t.points;
    return `${t.number}: ${share}`;
  });
  return `| [${lesson}](../../lessons/${lesson}/README.md) | ${minutes} | ${idea} | ${predict} | ${shares.join(', ')} | ${END} | ${further ?? 'open'} |`;
}
