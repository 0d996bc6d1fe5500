const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const dayName = `(?:${names.join('|')})[a-z]*`;
const excepted = new RegExp(
  `\\b(daily|every ?day|(?:every |each )?(?:(?:week|work)days?|(?:working|business) days?)|(?:every|each) (?:morning|afternoon|evening))((?: (?:at )?[\\d:.]+ ?(?:[ap]m|h)?)?),? (?:except|but|excluding|without|apart from|other than|bar|not)(?: for| not| on)*((?:(?:,| and| or| &|)? (?:${dayName}|weekends?)\\b)+)`,
  'gi',
);

/** `weekdays except wednesday` as the days that are left: `every mon,tue,thu,fri`. */
export const listDaysLeft = (text: string): string =>
  text.replace(excepted, (whole, all: string, time: string, typed: string) => {
    const without = /weekend/i.test(typed) ? ['sat', 'sun'] : [];
    const named = [...without, ...(typed.toLowerCase().match(new RegExp(dayName, 'g')) ?? [])];
    const isOut = (day: string) => named.some((name) => name.startsWith(day));
    const days = /work|week|business/i.test(all) ? names.slice(0, 5) : names;
    const left = days.filter((day) => !isOut(day));
    return left.length === 0 ? whole : `every ${left.join(',')}${time}`;
  });
