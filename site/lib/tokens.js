// %{key} in pages: the workshop's own values, also in code.
import { fail } from './fail.js';
import { datesInWords } from './schedule.js';

// Takes the workshop. Returns the values of all keys.
export function tokens(workshop) {
  const { cluster } = workshop;
  return {
    name: workshop.name,
    dates: datesInWords(workshop.days, workshop.language) || 'dates to be announced',
    place: workshop.place ?? 'place to be announced',
    contact: workshop.contact ?? 'your instructor',
    repository: workshop.repository ?? 'ADDRESS-OF-THE-WORKBOOK',
    account: workshop.account ?? 'YOUR-ACCOUNT',
    reservation: workshop.reservation ?? 'YOUR-RESERVATION',
    'cluster.name': cluster.name,
    'cluster.title': cluster.title,
    'cluster.setup': cluster.setup,
    'cluster.modules': cluster.values.MODULES ?? 'gcc cuda',
    'cluster.nogpu': cluster.nogpu,
  };
}

// Takes a page's text, its file, and the values. Returns the text with the values in it.
export function fill(text, file, values) {
  return text.split('\n').map((line, i) => line.replace(/%\{([^}]*)\}/g, (all, key) =>
    values[key] ?? fail(file, i + 1, `there is no value for ${all}`, `There are: ${Object.keys(values).map((k) => `%{${k}}`).join(' ')}.`))).join('\n');
}
