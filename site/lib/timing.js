// The instructor guide's table of minutes: <!-- site: content timing -->. Each lesson.yml gives the totals, the checks the tasks; only
// the share of each part is set here.
import { readFacts } from './lessons.js';
import { tasksOf } from './tasks.js';

const IDEA = 0.25, PREDICT = 0.1, END = 5; // of the lesson's minutes; minutes

// Takes the checkout's path and the workshop. Returns Markdown.
export default async function timing({ root, workshop }) {
  const rows = readFacts(root, workshop.lessons.map((id) => `lessons/${id}/lesson.yml`)).map((lesson) => row(lesson, tasksOf(root, lesson.id)));
  return ['| lesson | minutes | idea | predict | tasks, one by one | end | go further |', '|---|---|---|---|---|---|---|', ...rows, ''].join('\n');
}

// The tasks share the remaining minutes in proportion to their points, in steps of five minutes; the last task gets the rest.
export function row({ id, minutes, further }, tasks) {
  const five = (x) => 5 * Math.max(1, Math.round(x / 5));
  const idea = five(IDEA * minutes), predict = five(PREDICT * minutes);
  let left = minutes - idea - predict - END, points = tasks.reduce((sum, t) => sum + t.points, 0);
  const shares = tasks.map((t, i) => {
    const share = i === tasks.length - 1 ? left : Math.max(5, Math.min(five((left * t.points) / points), left - 5 * (tasks.length - 1 - i)));
    left -= share;
    points -= t.points;
    return `${t.number}: ${share}`;
  });
  return `| [${id}](../../lessons/${id}/README.md) | ${minutes} | ${idea} | ${predict} | ${shares.join(', ')} | ${END} | ${further ?? 'open'} |`;
}
