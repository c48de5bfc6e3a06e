// For tests: makes the model of a site and says what came of it. node site/try/make.js CHECKOUT FILE [PART]
//                                            or: node site/try/make.js CHECKOUT --workshops FILE...
//                                            or: node site/try/make.js --requests
//   FILE   the workshop's file; prints its error, or "made" and the number of pages; with --workshops, what each file says
//   PART   schedule: prints the timetable; calendar: prints workshop.ics; an address: prints that page
// SITE_ROLE and DRAFT are those of site/build. With --requests one process makes many sites, since it loads and colours
// code only once: a request is a line of standard input, the fields OUTPUT FOLDER ROLE DRAFT ARGUMENT... with tabs
// between them. It writes into the file OUTPUT what the arguments print when they are given in FOLDER, and prints the status.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { lessonNames } from '../lib/lessons.js';
import { explain, readWorkshop } from '../lib/workshop.js';

if (process.argv[2] === '--requests') {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [output, folder, role, draft, ...words] = line.split('\t');
    const { text, status } = await answer(folder, words, role, draft);
    fs.writeFileSync(output, text);
    console.log(status);
  }
} else {
  const { text, status } = await answer(process.cwd(), process.argv.slice(2), process.env.SITE_ROLE, process.env.DRAFT);
  process.stdout.write(text);
  process.exitCode = status;
}

// Takes the folder that files are named from, the arguments, and the environment's SITE_ROLE and DRAFT. Returns {text, status}.
async function answer(folder, [root, file, part, ...more], role, draft) {
  const lines = [], given = { root, role: role || 'learner', workshopFile: path.resolve(folder, file), draft: draft === '1' };
  process.chdir(folder);
  let status = 0;
  const attempt = async (something) => {
    try {
      lines.push(...await something());
    } catch (error) {
      lines.push(`${explain(error)}\n`);
      status = 1;
    }
  };
  if (file !== '--workshops') await attempt(() => whole(given, part));
  else for (const one of [part, ...more]) await attempt(() => [`${JSON.stringify(readWorkshop(root, path.resolve(one), lessonNames(root)))}\n`]);
  return { text: lines.join(''), status };
}

// Takes makeSite's argument and PART. Returns the lines to print.
async function whole(given, part) {
  const { makeSite } = await import('../lib/make.js');
  const site = await makeSite(given), warnings = site.warnings.map((warning) => `warning: ${warning}\n`);
  if (part === 'schedule') return [...warnings, ...site.table.days.map((day) => `${day.date ?? '-'} ${day.items.map((i) => `${i.from}-${i.to} ${i.lesson?.id ?? i.pause ?? i.title}`).join(', ')}\n`)];
  if (part === 'calendar') return [...warnings, site.texts.get('workshop.ics') ?? 'none\n'];
  return [...warnings, part ? `${site.pages.get(part)?.html ?? `no page ${part}`}\n` : `made ${site.pages.size} pages\n`];
}
