// For tests: makes the model of a site and says what came of it. node site/try/make.js CHECKOUT FILE [PART]
//                                            or: node site/try/make.js CHECKOUT --workshops FILE...
//   FILE   the workshop's file; prints its error, or "made" and the number of pages; with --workshops, what each file says
//   PART   schedule: prints the timetable; calendar: prints workshop.ics; an address: prints that page
import path from 'node:path';
import { lessonNames } from '../lib/lessons.js';
import { explain, readWorkshop } from '../lib/workshop.js';

const [root, file, part = '', ...more] = process.argv.slice(2);

if (file === '--workshops') for (const one of [part, ...more]) await attempt(() => console.log(JSON.stringify(readWorkshop(root, path.resolve(one), lessonNames(root)))));
else await attempt(whole);

async function attempt(something) {
  try {
    await something();
  } catch (error) {
    console.log(explain(error));
    process.exitCode = 1;
  }
}

async function whole() {
  const { makeSite } = await import('../lib/make.js');
  const site = await makeSite({ root, role: process.env.SITE_ROLE ?? 'learner', workshopFile: path.resolve(file), draft: process.env.DRAFT === '1' });
  for (const warning of site.warnings) console.log(`warning: ${warning}`);
  if (part === 'schedule') for (const day of site.table.days) console.log(day.date ?? '-', day.items.map((i) => `${i.from}-${i.to} ${i.lesson?.id ?? i.pause ?? i.title}`).join(', '));
  else if (part === 'calendar') process.stdout.write(site.texts.get('workshop.ics') ?? 'none\n');
  else if (part) console.log(site.pages.get(part)?.html ?? `no page ${part}`);
  else console.log(`made ${site.pages.size} pages`);
}
