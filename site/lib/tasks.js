// The tasks of a lesson, from its checks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Takes the checkout's path and a lesson's name. Gives [{number, points}] without "go further", in order.
export function tasksOf(root, lesson) {
  const points = new Map();
  const checks = readFileSync(join(root, `grader/checks/${lesson}.bats`), 'utf8');
  for (const [, task, worth] of checks.matchAll(/test_tags=task:(\d+),points:(\d+)/g)) points.set(+task, (points.get(+task) ?? 0) + +worth);
  return [...points].filter(([number]) => number > 0).sort(([a], [b]) => a - b).map(([number, sum]) => ({ number, points: sum }));
}
