// The timetable, from the lessons' minutes and the workshop's days and breaks; and the calendar file.
import { minutesOf } from './workshop.js';

const clock = (m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;

// Takes the workshop and its lessons. Returns {days: [{date, items: [{from, to, minutes, lesson | pause, part}]}], over}: `over` says
// in words what does not fit, '' if all does. A lesson that a break or an evening interrupts continues after it. Without dates there are as
// many days as the lessons need.
export function schedule(workshop, lessons) {
  const start = minutesOf(workshop.start), end = minutesOf(workshop.end);
  const dates = workshop.days.length ? workshop.days : [null];
  const days = [];
  let now = end;
  const nextDay = () => {
    if (workshop.days.length && days.length === dates.length) return false;
    days.push({ date: dates[days.length] ?? null, items: [] });
    now = start;
    return true;
  };
  const pauses = workshop.breaks.map((b) => ({ from: minutesOf(b.at), to: minutesOf(b.at) + b.minutes, name: b.name ?? 'Break' }))
    .filter((b) => b.from >= start && b.to <= end);
  const unplaced = [];
  for (const lesson of lessons) {
    let left = lesson.minutes, part = 0;
    while (left > 0) {
      if (now >= end && !nextDay()) break;
      const pause = pauses.find((b) => b.from <= now && now < b.to);
      if (pause) {
        days.at(-1).items.push({ from: clock(pause.from), to: clock(pause.to), minutes: pause.to - pause.from, pause: pause.name });
        now = pause.to;
        continue;
      }
      const until = Math.min(end, ...pauses.filter((b) => b.from > now).map((b) => b.from));
      // Do not start a lesson less than ten minutes before a break.
      if (until - now < 10 && left > until - now) {
        now = until;
        continue;
      }
      const spent = Math.min(left, until - now);
      days.at(-1).items.push({ from: clock(now), to: clock(now + spent), minutes: spent, lesson, part: part++ });
      now += spent;
      left -= spent;
    }
    if (left > 0) unplaced.push({ lesson, left });
  }
  return { days, over: overrun(workshop, unplaced) };
}

function overrun(workshop, unplaced) {
  if (!unplaced.length) return '';
  const minutes = unplaced.reduce((n, u) => n + u.left, 0), ids = unplaced.map((u) => u.lesson.id);
  return `the lessons take ${minutes} minutes more than the ${workshop.days.length === 1 ? 'day has' : `${workshop.days.length} days have`}: ` +
    `no time is left for ${ids.length > 1 ? `${ids[0]} to ${ids.at(-1)}` : ids[0]}. Leave lessons out, or add a day, or move start and end.`;
}

// Takes a day like 2027-03-14 and the language. Returns it in words.
export function dayName(date, language) {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(language === 'en' ? 'en-GB' : language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

// Takes the list of days and the language. Returns one line: a range where the days follow each other.
export function datesInWords(days, language) {
  if (!days.length) return '';
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const at = (d) => new Date(`${d}T00:00:00Z`);
  const whole = days.length > 1 && (at(days.at(-1)) - at(days[0])) / 864e5 === days.length - 1;
  return whole ? format.formatRange(at(days[0]), at(days.at(-1))) : days.map((d) => format.format(at(d))).join(', ');
}

// Takes the workshop and its timetable. Returns workshop.ics (RFC 5545): one event for each lesson's part, in the time of the place.
export function calendar(workshop, { days }) {
  const stamp = (date, time) => `${date.replaceAll('-', '')}T${time.replace(':', '')}00`;
  const text = (s) => s.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Loops to Warps//site//EN', `NAME:${text(workshop.name)}`, `X-WR-CALNAME:${text(workshop.name)}`];
  for (const day of days) {
    for (const item of day.items.filter((i) => i.lesson && day.date)) {
      lines.push('BEGIN:VEVENT', `UID:${item.lesson.id}-${item.part}-${day.date}@loops-to-warps.invalid`, `DTSTAMP:${stamp(workshop.days[0], '00:00')}Z`,
        `DTSTART:${stamp(day.date, item.from)}`, `DTEND:${stamp(day.date, item.to)}`,
        `SUMMARY:${text(`Lesson ${item.lesson.number}: ${item.lesson.title}${item.part ? ', continued' : ''}`)}`,
        ...(workshop.place ? [`LOCATION:${text(workshop.place)}`] : []), 'END:VEVENT');
    }
  }
  lines.push('END:VCALENDAR');
  return lines.map(fold).join('\r\n') + '\r\n';
}

// Lines of a calendar have at most 75 bytes; a longer one continues on the next line, after a blank.
function fold(line) {
  const parts = [];
  let part = '';
  for (const c of line) {
    if (Buffer.byteLength(part + c) > (parts.length ? 74 : 75)) { parts.push(part); part = ''; }
    part += c;
  }
  return [...parts, part].join('\r\n ');
}
