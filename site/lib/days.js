// The days of a workshop, from `dates:` or `days:` of its file.
import { fail, meant } from './fail.js';

const clockForm = /^([01]?\d|2[0-3]):[0-5]\d$/;
const isText = (v) => typeof v === 'string' && v.trim() !== '';
const isMap = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const isMinutes = (v) => Number.isInteger(v) && v > 0 && v <= 600;
const only = (v, allowed) => Object.keys(v).every((key) => allowed.includes(key));

export const isClock = (v) => isText(v) && clockForm.test(v);
export const isDates = (v) => isTexts(v) ||
  (isMap(v) && Object.keys(v).sort().join() === 'from,to' && isTexts(Object.values(v)));
export const isBreaks = (v) => Array.isArray(v) && v.every((b) => isMap(b) && only(b, ['at', 'minutes', 'name']) &&
  isClock(b.at) && isMinutes(b.minutes) && (b.name === undefined || isText(b.name)));
export const isDays = (v) => Array.isArray(v) && v.length > 0 && v.every(isMap);
const dayKeys = ['date', 'start', 'end', 'items'];

function isTexts(v) { return Array.isArray(v) && v.every(isText); }

// A lesson's name, or {at, minutes, title} or {at, minutes, lesson}: a title needs minutes, a lesson has its own.
function isItem(v) {
  if (!isMap(v)) return isText(v);
  return only(v, ['at', 'minutes', 'title', 'lesson']) && isText(v.title) !== isText(v.lesson) &&
    (v.minutes === undefined ? isText(v.lesson) : isMinutes(v.minutes)) && (v.at === undefined || isClock(v.at));
}

// Takes "09:30". Returns the minutes since midnight.
export function minutesOf(time) {
  const [h, m] = time.split(':').map(Number);
  return 60 * h + m;
}

// Takes the workshop's values, its file, and line(pattern). Returns [{date, start, end, items}] in the order of
// time, times in minutes; `date` is null where none is set, `items` is null where lessons are to be spread; an item
// is {at, minutes, title} or {at, minutes, lesson}, with null for what is not given. Empty if the file has neither
// dates nor days.
export function planOf(w, shown, line) {
  if (w.days && w.dates)
    fail(shown, line(/^dates/), 'there are both dates and days', 'Keep one of them: days may hold the dates, too.');
  const given = w.days ?? datesOf(w.dates, shown, line).map((date) => ({ date }));
  const days = given.map((day) => readDay(day, w, shown, line)), dated = days.filter((day) => day.date);
  if (dated.length && dated.length < days.length)
    fail(shown, line(/^days/), 'some days have a date and some have none', 'Give every day its date, or none.');
  const late = dated.find((day, i) => i && day.date <= dated[i - 1].date);
  if (late) fail(shown, line(late.date), `the day ${late.date} comes after a later one, or twice`, 'Write the days in the order of time.');
  return days;
}

// The names of all lessons in the items of these days, each once.
export const lessonsIn = (days) => [...new Set(days.flatMap((day) => (day.items ?? []).map((item) => item.lesson)).filter(Boolean))];

function readDay(day, w, shown, line) {
  if (day.date !== undefined) checkDate(day.date, shown, line);
  const here = day.date ? line(day.date) : line(/^days/), strange = Object.keys(day).find((key) => !dayKeys.includes(key));
  if (strange) fail(shown, here, `a day has no ${strange}`, `${meant(strange, dayKeys)}It has ${dayKeys.join(', ')}.`);
  for (const key of ['start', 'end'])
    if (day[key] !== undefined && !isClock(day[key])) fail(shown, here, `${key} of a day is not right`, 'It is a time in quotes, like "09:00".');
  const start = minutesOf(day.start ?? w.start), end = minutesOf(day.end ?? w.end);
  if (end <= start)
    fail(shown, day.start || day.end ? here : line(/^end/), `the day ends at ${clock(end)}, before it starts at ${clock(start)}`, 'Set start and end.');
  if (day.items !== undefined && !Array.isArray(day.items)) fail(shown, here, 'items of a day is not a list', `Its items: ${itemForms}.`);
  const items = day.items?.map((item) => readItem(item, { start, end }, shown, line, here)) ?? null;
  const titles = (items ?? []).filter((i) => i.title && i.at !== null).sort((x, y) => x.at - y.at);
  const early = titles.find((t, i) => i && t.at < titles[i - 1].at + titles[i - 1].minutes);
  if (early) fail(shown, line(early.title) || here, `"${early.title}" begins before the item before it ends`, 'Move one, or give it fewer minutes.');
  return { date: day.date ?? null, start, end, items };
}

const itemForms = 'lesson01, {lesson: lesson01, minutes: 40} or {at: "09:00", minutes: 30, title: "Welcome"}';

function readItem(item, day, shown, line, here) {
  const text = isMap(item) ? String(item.title ?? item.lesson ?? '') : String(item), at = (text && line(text)) || here;
  if (!isItem(item)) fail(shown, at, `the item ${JSON.stringify(item)} is not right`, `Items are ${itemForms}; at can be left out.`);
  const { at: from, minutes, title, lesson } = isText(item) ? { lesson: item } : item, begin = from === undefined ? null : minutesOf(from);
  if (begin !== null && (begin < day.start || begin + (title ? minutes : 1) > day.end))
    fail(shown, at, `"${text}" is outside its day, ${clock(day.start)} to ${clock(day.end)}`, 'Move it, or set start and end of the day.');
  return { at: begin, minutes: minutes ?? null, ...(lesson ? { lesson } : { title }) };
}

// Takes minutes since midnight. Returns "09:30".
export const clock = (m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;

function checkDate(d, shown, line) {
  const day = /^\d{4}-\d\d-\d\d$/.test(d) ? new Date(`${d}T00:00:00Z`) : new Date(NaN);
  if (Number.isNaN(+day) || day.toISOString().slice(0, 10) !== d) fail(shown, line(String(d)), `${d} is no date`, 'Dates are written year-month-day, like 2027-03-14, and must exist.');
  return d;
}

// Returns the dates as a list of YYYY-MM-DD, in order; empty if none are set.
function datesOf(dates, shown, line) {
  if (!dates) return [];
  if (Array.isArray(dates)) return [...new Set(dates.map((d) => checkDate(d, shown, line)))].sort();
  const from = checkDate(dates.from, shown, line), to = checkDate(dates.to, shown, line);
  const count = (Date.parse(to) - Date.parse(from)) / 864e5 + 1;
  if (count < 1) fail(shown, line(/^dates/), `dates end on ${to}, before they begin on ${from}`, 'Swap from and to.');
  if (count > 31) fail(shown, line(/^dates/), `dates cover ${count} days`, 'Give a list of days where a course meets once a week: dates: [2027-03-14, 2027-03-21].');
  return Array.from({ length: count }, (_, i) => new Date(Date.parse(from) + i * 864e5).toISOString().slice(0, 10));
}

// Takes the list `breaks`. Returns them in the order of time, as {at, minutes, title}.
export function breaksOf(breaks, shown, line) {
  const sorted = breaks.map((b) => ({ at: minutesOf(b.at), minutes: b.minutes, title: b.name ?? 'Break' })).sort((a, b) => a.at - b.at);
  const early = sorted.find((b, i) => i && b.at < sorted[i - 1].at + sorted[i - 1].minutes);
  if (early) fail(shown, line(/^breaks/), `the break at ${clock(early.at)} begins before the one before it ends`, 'Move one, or make them one.');
  return sorted;
}
