// The checks of the lessons, as the grader reads their check pages: grader/lib/lesson.jq.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fail, SiteError } from './fail.js';

const plans = new Map();

// Takes the checkout's path. Its check pages are read again when they are needed: between two builds they may have changed.
export const forgetPlans = (root) => plans.delete(root);

// Takes the checkout's path and a lesson. Returns {tests: [{number, task, points, sentence, verbs}], counter_texts: [{task, text}], …}.
export function readPlan(root, lesson) {
  if (!plans.has(root)) plans.set(root, readPlans(root));
  const plan = plans.get(root)[lesson], page = `grader/checks/${lesson}.bats`;
  if (!plan) fail(page, 0, 'is not there', 'Every lesson has checks and thresholds; make new-lesson writes the first ones.');
  return plan.error ? fail(page, 0, 'cannot be read', plan.error) : plan;
}

// The plans of all lessons that have a check page, {lesson: plan or {error}}: one jq, since each takes some time to start.
function readPlans(root) {
  const checks = join(root, 'grader/checks'), at = (lesson, ending) => join(checks, lesson + ending);
  const there = (lesson) => ['.bats', '.thresholds'].every((ending) => fs.existsSync(at(lesson, ending)));
  const lessons = fs.readdirSync(checks).filter((name) => /^lesson\d\d\.bats$/.test(name)).map((name) => name.slice(0, -5)).filter(there);
  const texts = lessons.flatMap((lesson) => ['.bats', '.thresholds'].flatMap((ending) => ['--rawfile', lesson + ending, at(lesson, ending)]));
  const program = `include "lesson"; $ARGS.named as $texts | [$ARGS.positional[] as $lesson | "\\($lesson).thresholds" as $name
    | {key: $lesson, value: (try plan($texts[$lesson + ".bats"]; $texts[$name]; "grader/checks/\\($name)"; "") catch {error: .})}] | from_entries`;
  const words = ['-nc', '-L', join(root, 'grader/lib'), ...texts, program, '--args', ...lessons];
  try {
    return JSON.parse(execFileSync('jq', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 }));
  } catch (error) {
    throw new SiteError(`jq cannot read the check pages: ${String(error.stderr || error.message).trim()}`);
  }
}
