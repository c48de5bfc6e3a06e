// %{key} in pages: the workshop's own values, also in code.
import { datesInWords } from './calendar.js';
import { fail } from './fail.js';

// Takes the workshop. Returns the values of all keys.
export function tokens(workshop) {
  const { cluster, account, reservation } = workshop;
  return {
    name: workshop.name,
    dates: datesInWords(workshop.days, workshop.language) || 'dates to be announced',
    place: workshop.place ?? 'place to be announced',
    contact: workshop.contact ?? 'your instructor',
    repository: workshop.repository ?? 'ADDRESS-OF-THE-WORKBOOK',
    archive: workshop.archive ? `[this archive](${workshop.archive})` : 'its archive',
    account: account ?? 'YOUR-ACCOUNT',
    reservation: reservation ? ` --reservation=${reservation}` : '',
    'cluster.name': cluster.name,
    'cluster.title': cluster.title,
    'cluster.page': cluster.name === 'generic' ? 'none: its settings are those of any Slurm cluster'
      : `[${cluster.title}](cluster-${cluster.name}.md)`,
    'cluster.setup': cluster.setup,
    'cluster.modules': cluster.modules ? `module load ${cluster.modules}` : 'module avail lists what there is',
    'cluster.nogpu': cluster.nogpu,
  };
}

// Takes the workshop. Returns the keys whose value is only a placeholder, each with the line that fills it.
function openOf({ cluster, repository, account }) {
  return {
    ...(repository ? {} : { repository: 'repository: "https://…"' }),
    ...(account ? {} : { account: 'account: "…"' }),
    ...(cluster.open.length ? { 'cluster.setup': cluster.open.map(lineFor).join(' and ') } : {}),
  };
}

const lineFor = (option) => (option === 'ACCOUNT' ? 'account: "…"' : `options: {${option}: "…"}`);

// Takes the site, a page's text and its file. Returns the text with the values in it, and notes the placeholders.
export function fill(site, text, file) {
  const values = tokens(site.workshop), open = openOf(site.workshop);
  return text.split('\n').map((line, i) => line.replace(/%\{([^}]*)\}/g, (all, key) => {
    if (open[key]) site.unfilled.push({ at: `${file}:${i + 1}`, set: open[key] });
    return values[key] ?? fail(file, i + 1, `there is no value for ${all}`, `There are: ${Object.keys(values).map((k) => `%{${k}}`).join(' ')}.`);
  })).join('\n');
}

// Takes the site. Returns one sentence for each value that pages need and the workshop's file lacks.
export function unfilled(site) {
  const needed = new Map();
  for (const { at, set } of site.unfilled) needed.set(set, [...(needed.get(set) ?? []), at]);
  return [...needed].map(([set, places]) => `pages show a placeholder until it has ${set}: ${places.slice(0, 3).join(', ')}` +
    (places.length > 3 ? ` and ${places.length - 3} more` : ''));
}
