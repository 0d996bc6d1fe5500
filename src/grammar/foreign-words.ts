import { isPlainWord } from '../reference/plain-words.ts';

/** English, and what people write for it between English words. Names of days and months come from `Intl`. */
const foreign: Readonly<Record<string, string>> = {
  before: 'før, före, antes del, antes de, antes do, avant le, avant, prima del, vor dem, voor de',
  until: "hasta el, hasta, até o, até, jusqu'au, jusqu'à, fino al, fino a, bis zum, tot en met",
  from: 'desde el, desde, a partir de, a partir del, à partir du, depuis le, depuis, dal, vanaf, från, fra',
  'week of': 'semana del, semana de, semaine du, settimana del, woche vom',
  'this week':
    'tällä viikolla, esta semana, cette semaine, questa settimana, diese woche, deze week, denne uka, denne uken, denna vecka, denne uge',
  'next week':
    'ensi viikolla, la próxima semana, próxima semana, la semana que viene, semana que vem, la semaine prochaine, semaine prochaine, la prossima settimana, prossima settimana, nächste woche, volgende week, neste uke, nästa vecka, næste uge',
  week: 'woche, uke, vecka, semaine, settimana',
  weeks: 'semanas, semaines, settimane, wochen, weken, uker, veckor, uger',
  months: 'meses, mois, mesi, monate, maanden, måneder, månader',
  days: 'días, dias, jours, giorni, tage, dagen, dager, dagar, dage',
  hours: 'horas, heures, stunden, uren, timmar',
  next: 'próximos, próximas, próximo, próxima, prochain, prochains, prochaines, nächsten, nächste, volgende, neste, nästa, næste, prossimi, prossime',
  last: 'últimos, últimas, último, última, derniers, dernières, dernier, dernière, letzten, letzte, laatste, siste, sidste, senaste, ultimi, ultime',
  yesterday: 'eilen, ayer, ontem, ieri, gestern, gisteren, i går, igår',
  today: 'tänään, oggi, i dag, idag',
  tomorrow: 'huomenna, domani, imorgen, i morgen, imorgon, i morgon',
  'day after tomorrow': 'pasado mañana, depois de amanhã, après-demain, dopodomani, übermorgen, overmorgen',
  'by day': 'por día, por dia, par jour, al giorno, pro tag, per dag',
  'by month': 'por mes, por mês, par mois, al mese, pro monat, per maand',
  'by channel': 'por canal, par canal, pro kanal, per kanaal',
  'by command': 'por comando, par commande, pro befehl, per commando',
  'who is coming to':
    'chi arriva a, wer kommt nach, quién llega a, quem chega a, qui arrive à, wie komt naar, hvem kommer til, vem kommer till, kuka tulee',
  and: 'und, og, och',
  monday: 'mån',
  saturday: 'lör',
  sunday: 'sön',
  noon: 'midi, mezzogiorno, mediodía, meio-dia, mittag',
  morning: 'au matin, le matin, por la mañana, de manhã',
  please: 'por favor, bitte, alstublieft, alsjeblieft, per favore, vennligst, venligst',
  thanks: 'gracias, obrigado, obrigada, merci, grazie, danke, bedankt, takk',
  ships: 'skibe, schiffe, schepen, barcos, buques, navios, navires, navi, fartyg',
  'coming to': 'kommer til, kommer till, kommen nach, komen naar, llegan a, chegam a, arrivent à, arrivano a',
  coming: 'kommer, kommen, komen, llegan, chegam, arrivent, arrivano',
  arrives: 'llega, chega, arriva, anløper, ankommer',
  'which ships': 'hvilke skip',
  which: 'hvilke, welche, welke, vilka, qué, quais, quels, quali',
  when: 'cuándo, quando, quand, wann, wanneer, når, när',
  where: 'dónde, onde, où, dove, waar, hvor',
};

/** Spanish, Portuguese, French, Italian, German, Dutch, Norwegian, Swedish, Danish and Finnish. */
const languages = ['es', 'pt', 'fr', 'it', 'de', 'nl', 'nb', 'sv', 'da', 'fi'];

let known: ReturnType<typeof index> | undefined;

/** The words of a text that is English for the rest, in English: `Moss onsdag`, `semana del 23/11`. */
export function inEnglish(text: string): string {
  known ??= index();
  const { words, begins, shape, short, ofDay } = known;
  const mayHaveOne = text
    .toLowerCase()
    .match(/\p{L}+/gu)
    ?.some((word) => begins.has(word));
  const inShort = text.replace(
    ofDay,
    (_, day: string, month: string) => `${day}${short.get(month.toLowerCase()) ?? month}`,
  );
  return mayHaveOne ? inShort.replace(shape, (typed) => words.get(typed.toLowerCase()) ?? typed) : inShort;
}

function index() {
  const pairs = Object.entries(foreign).flatMap(([english, typed]) =>
    typed.split(', ').map((each) => [each, english] as const),
  );
  const words = new Map([...namesOfDates(), ...pairs]);
  const typed = [...words.keys()].sort((one, other) => other.length - one.length);
  const short = shortMonths();
  return {
    ...{ words, short },
    ofDay: new RegExp(`(?<!\\d)(\\d{1,2}(?:[ ./-]| de ))(${[...short.keys()].join('|')})\\b\\.?`, 'giu'),
    begins: new Set(typed.map((each) => /^\p{L}+/u.exec(each)?.[0])),
    // Santo Domingo isn't a Sunday, nor Chi Mei a month.
    shape: new RegExp(`(?<![\\p{L}\\d]|santo |sto |chi )(?:${typed.join('|')})(?![\\p{L}\\d])`, 'giu'),
  };
}

/** `3-dic`: the short names of months, unless English has the word. */
function shortMonths(): ReadonlyMap<string, string> {
  const named = namesOfDates([{ month: 'short' }]).map(([own, english]): [string, string] => [
    own.replace(/\.$/, ''),
    english,
  ]);
  return new Map(
    named.filter(
      ([own, english]) => /^\p{L}{3,4}$/u.test(own) && own !== english.toLowerCase() && !isPlainWord(own),
    ),
  );
}

function namesOfDates(
  kinds: readonly Intl.DateTimeFormatOptions[] = [{ weekday: 'long' }, { month: 'long' }],
): [string, string][] {
  // 30 days apart: each month, and each day of the week.
  const days = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2026, 0, 15 + 30 * index)));
  return kinds.flatMap((kind) => {
    const english = new Intl.DateTimeFormat('en', { ...kind, timeZone: 'UTC' });
    return languages.flatMap((language) => {
      const own = new Intl.DateTimeFormat(language, { ...kind, timeZone: 'UTC' });
      return days.map((day): [string, string] => [own.format(day).toLowerCase(), english.format(day)]);
    });
  });
}
