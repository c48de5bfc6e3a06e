// The checks of a lesson, as the grader reads its check page: `grader/check LESSON --plan`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fail } from './fail.js';

const plans = new Map();

// Takes the checkout's path and a lesson. Returns {tests: [{number, task, points, sentence, verbs}], counter_texts: [{task, text}], …}.
export function readPlan(root, lesson) {
  const key = `${root} ${lesson}`;
  if (!plans.has(key)) plans.set(key, run(root, lesson));
  return plans.get(key);
}

function run(root, lesson) {
  try {
    return JSON.parse(execFileSync(join(root, 'grader/check'), [lesson, '--plan'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
  } catch (error) {
    return fail(`grader/checks/${lesson}.bats`, 0, 'cannot be read', String(error.stderr ?? error.message).trim());
  }
}
