// The tasks of a lesson, from its checks.
import { readPlan } from './plan.js';

// Takes the checkout's path and a lesson's name. Returns [{number, points}] without "go further", in order.
export function tasksOf(root, lesson) {
  const points = new Map();
  for (const { task, points: worth } of readPlan(root, lesson).tests) points.set(task, (points.get(task) ?? 0) + worth);
  return [...points].filter(([number]) => number > 0).sort(([a], [b]) => a - b).map(([number, sum]) => ({ number, points: sum }));
}
