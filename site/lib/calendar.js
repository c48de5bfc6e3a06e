// Dates in words, and the calendar file.

const tag = (language) => (language === 'en' ? 'en-GB' : language);
const at = (date) => new Date(`${date}T00:00:00Z`);

// Takes a day like 2027-03-14 and the language. Returns it in words.
export function dayName(date, language) {
  const parts = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' };
  return at(date).toLocaleDateString(tag(language), parts);
}

// Takes the list of days and the language. Returns one line: a range where the days follow each other.
export function datesInWords(days, language) {
  if (!days.length) return '';
  const format = new Intl.DateTimeFormat(tag(language), { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const whole = days.length > 1 && (at(days.at(-1)) - at(days[0])) / 864e5 === days.length - 1;
  return whole ? format.formatRange(at(days[0]), at(days.at(-1))) : days.map((d) => format.format(at(d))).join(', ');
}

// Takes the name of a time zone. Returns whether there is one.
export function isTimezone(name) {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

// Takes a date, a time of the place, and its time zone. Returns that moment as UTC: 20270314T080000Z. Without a
// zone it returns the time of the place, 20270314T090000, which a calendar shows alike everywhere.
export function moment(date, time, zone) {
  const local = `${date.replaceAll('-', '')}T${time.replace(':', '')}00`;
  if (!zone) return local;
  const wanted = Date.parse(`${date}T${time}:00Z`);
  let utc = wanted;
  // The zone's offset at a guess gives a better guess; around the change of clocks it takes two.
  for (let i = 0; i < 2; i++) utc = wanted - (shownIn(zone, utc) - utc);
  return new Date(utc).toISOString().replace(/[-:]|\.\d+/g, '');
}

// Takes a zone and a moment. Returns the moment at which UTC's clocks show what the zone's show then.
function shownIn(zone, utc) {
  const wanted = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' };
  const format = new Intl.DateTimeFormat('en-US', { ...wanted, hourCycle: 'h23', timeZone: zone });
  const { year, month, day, hour, minute, second } = Object.fromEntries(format.formatToParts(utc).map((p) => [p.type, p.value]));
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

// Takes the workshop and its timetable. Returns workshop.ics (RFC 5545): an event for each lesson's part, each
// other item and each break.
export function calendar(workshop, { days }) {
  const text = (s) => s.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n'), { timezone } = workshop;
  const base = workshop.address?.replace(/\/?$/, '/');
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Loops to Warps//site//EN',
    `NAME:${text(workshop.name)}`, `X-WR-CALNAME:${text(workshop.name)}`,
    ...(timezone ? [`X-WR-TIMEZONE:${timezone}`] : [])];
  for (const day of days.filter((d) => d.date)) {
    for (const item of day.items.filter((i) => !i.slack)) {
      const page = base && (item.lesson ? `${base}lessons/${item.lesson.id}/index.html` : `${base}schedule/index.html`);
      const title = item.lesson ? `Lesson ${item.lesson.number}: ${item.lesson.title}${item.part ? ', continued' : ''}`
        : item.pause ?? item.title;
      lines.push('BEGIN:VEVENT', `UID:${day.date}-${item.from.replace(':', '')}-${item.lesson?.id ?? 'item'}@loops-to-warps.invalid`,
        `DTSTAMP:${days.find((d) => d.date).date.replaceAll('-', '')}T000000Z`,
        `DTSTART:${moment(day.date, item.from, timezone)}`, `DTEND:${moment(day.date, item.to, timezone)}`,
        `SUMMARY:${text(title)}`, ...(workshop.place ? [`LOCATION:${text(workshop.place)}`] : []),
        ...(page ? [`URL:${page}`] : []), 'END:VEVENT');
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
