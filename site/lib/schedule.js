// The timetable, from the lessons' minutes and the workshop's days, items and breaks.
import { clock, lessonsIn } from './days.js';

// Takes the workshop and its lessons. Returns {days: [{date, items: [{from, to, minutes, lesson | pause |
// title, part, slack}]}], over}: `over` says in words what does not fit, '' if all does. On days with items
// the items count; the other lessons are spread over the days without. Without days there are as many as the
// lessons need. What a break or an evening interrupts continues after it.
export function schedule(workshop, lessons) {
  const { plan, breaks } = workshop, named = lessonsIn(plan), byId = new Map(lessons.map((l) => [l.id, l]));
  const loose = lessons.filter((l) => !named.includes(l.id)).map((lesson) => entryOf({ lesson: lesson.id }, byId));
  const open = plan.filter((day) => !day.items), ownDay = { date: null, start: workshop.from, end: workshop.to };
  const spread = plan.length ? spreadOver(open, loose, breaks) : onOwnDays(ownDay, loose, breaks);
  const over = [];
  const days = (plan.length ? plan : spread.days).map((day) => {
    if (!day.items) return { date: day.date, items: spread.laid.get(day) ?? [] };
    const { items, rest, late } = lay(day, day.items.map((item) => entryOf(item, byId)), breaks);
    over.push(...late.map((words) => `${nameOfDay(day, plan.indexOf(day))}: ${words}. Move one of them.`));
    if (rest.length) over.push(beyond(day, rest, plan.indexOf(day)));
    return { date: day.date, items };
  });
  if (spread.rest.length) over.push(overrun(open.length, plan.length, spread.rest));
  return { days: days.filter((day, i) => day.items.length || plan[i]?.items), over: over.join('\n') };
}

// What is placed: {lesson | title, at, left, part, whole}; `whole` things are not interrupted.
function entryOf({ lesson, title, at = null, minutes = null }, lessons) {
  if (title) return { title, at, left: minutes, part: 0, whole: true };
  return { lesson: lessons.get(lesson), at, left: minutes ?? lessons.get(lesson).minutes, part: 0 };
}

// Takes a day, what is to be placed in this order, and the breaks. Returns {items, rest, late}: the timetable,
// what found no place, and in words what cannot begin in time. Titles with a time and breaks stay where they are; the others flow around them.
function lay(day, entries, breaks) {
  const titles = entries.filter((e) => e.title && e.at !== null);
  const fixed = [...titles.map((t) => ({ ...t, minutes: t.left })),
    ...breaks.filter((b) => b.at >= day.start && b.at + b.minutes <= day.end).map((b) => ({ ...b, pause: b.title }))
      .filter((b) => !titles.some((t) => t.at < b.at + b.minutes && b.at < t.at + t.left))];
  const items = [], rest = [], late = [];
  let now = day.start;
  const put = (minutes, what) => items.push({ from: clock(now), to: clock(now + minutes), minutes, ...what });
  for (const entry of entries.map((e) => ({ ...e }))) {
    if (entry.title && entry.at !== null) {
      now = Math.max(now, entry.at + entry.left);
      continue;
    }
    if (entry.at !== null && now > entry.at) late.push(`${nameOf(entry)} can begin at ${clock(now)} only, not at ${clock(entry.at)}`);
    if (entry.at !== null) now = Math.max(now, entry.at);
    while (entry.left > 0 && now < day.end) {
      const inside = fixed.find((f) => f.at <= now && now < f.at + f.minutes);
      const until = Math.min(day.end, ...fixed.filter((f) => f.at > now).map((f) => f.at)), room = until - now;
      if (inside) now = inside.at + inside.minutes;
      else if (entry.slack) {
        if (room >= 5) put(Math.min(entry.left, room), { title: entry.title, slack: true });
        now += Math.min(entry.left, room);
        entry.left = 0;
      } else if (entry.left > room && (entry.whole || room < 10)) now = until; // ten minutes before a break are no start
      else {
        const spent = Math.min(entry.left, room);
        put(spent, entry.title ? { title: entry.title } : { lesson: entry.lesson, part: entry.part++ });
        now += spent;
        entry.left -= spent;
      }
    }
    if (entry.left > 0 && !entry.slack) rest.push(entry);
  }
  const last = items.at(-1)?.to ?? '';
  for (const f of fixed.filter((f) => f.title && (!f.pause || clock(f.at) < last)))
    items.push({ from: clock(f.at), to: clock(f.at + f.minutes), minutes: f.minutes, ...(f.pause ? { pause: f.pause } : { title: f.title }) });
  return { items: items.sort((a, b) => (a.from < b.from ? -1 : 1)), rest, late };
}

const capacity = (day, breaks) => day.end - day.start -
  breaks.filter((b) => b.at >= day.start && b.at + b.minutes <= day.end).reduce((n, b) => n + b.minutes, 0);

// Takes days without items, and lessons. Returns {laid: day -> items, rest}: each day gets a like share of its
// time. If the lessons are too long for that, they follow one another from day to day.
function spreadOver(days, entries, breaks) {
  const laid = new Map(), shares = sharesOf(days.map((day) => capacity(day, breaks)), entries.map((e) => e.left));
  let from = 0;
  for (const [i, day] of days.entries()) {
    const share = shares ? entries.slice(from, from += shares[i]) : [];
    const found = shares && layLoosely(day, share, breaks);
    if (!found) return packInto(days, entries, breaks);
    laid.set(day, found);
  }
  return { laid, rest: [] };
}

// The share of one day, with time after each lesson for those who need longer: up to half of its minutes.
function layLoosely(day, share, breaks) {
  const spare = (capacity(day, breaks) - share.reduce((n, e) => n + e.left, 0)) / Math.max(1, share.length);
  for (const part of [1, 0.75, 0.5, 0.25, 0]) {
    const entries = share.flatMap((e) => {
      const left = Math.floor(Math.min(spare * part, e.left / 2) / 5) * 5;
      return left ? [e, { title: 'Questions, and time to finish', slack: true, at: null, left }] : [e];
    });
    const { items, rest } = lay(day, entries, breaks);
    if (!rest.length) return items;
  }
  return null;
}

function packInto(days, entries, breaks) {
  const laid = new Map();
  let rest = entries;
  for (const day of days) {
    const found = lay(day, rest, breaks);
    laid.set(day, found.items);
    rest = found.rest;
  }
  return { laid, rest };
}

// Without dates: the fewest days on which the lessons find a place.
function onOwnDays(day, entries, breaks) {
  for (let count = 1; ; count++) {
    const days = Array.from({ length: count }, () => ({ ...day })), found = spreadOver(days, entries, breaks);
    if (!found.rest.length || count > 100) return { ...found, days };
  }
}

// Takes the minutes that each day has, and those of the lessons. Returns how many lessons each day gets, in
// their order, so that the days are filled alike; null if they do not fit.
function sharesOf(rooms, minutes) {
  const best = new Map();
  const from = (day, lesson) => {
    if (day === rooms.length) return lesson === minutes.length ? { cost: 0, shares: [] } : null;
    const key = day * 1000 + lesson;
    if (best.has(key)) return best.get(key);
    let found = null;
    for (let n = 0, load = 0; lesson + n <= minutes.length && load <= rooms[day]; load += minutes[lesson + n], n++) {
      const others = from(day + 1, lesson + n), cost = others && others.cost + (load / rooms[day]) ** 2;
      if (others && (!found || cost < found.cost)) found = { cost, shares: [n, ...others.shares] };
    }
    best.set(key, found);
    return found;
  };
  return from(0, 0)?.shares ?? null;
}

const nameOfDay = (day, i) => day.date ?? `day ${i + 1}`;
const nameOf = (e) => e.lesson?.id ?? `"${e.title}"`;

function beyond(day, rest, i) {
  const minutes = rest.reduce((n, e) => n + e.left, 0);
  return `${nameOfDay(day, i)} ends at ${clock(day.end)}: ${minutes} minutes of ${rest.map(nameOf).join(', ')} ` +
    'find no place. Take something out, or move start and end.';
}

function overrun(open, days, rest) {
  const minutes = rest.reduce((n, e) => n + e.left, 0), ids = rest.map(nameOf);
  const range = ids.length > 1 ? `${ids[0]} to ${ids.at(-1)}` : ids[0];
  if (!open) return `no day has ${ids.join(', ')}. Add them to the items of a day, or take them out of lessons.`;
  return `the lessons take ${minutes} minutes more than the ${days === 1 ? 'day has' : `${days} days have`}: ` +
    `no time is left for ${range}. Leave lessons out, or add a day, or move start and end.`;
}
