/** English, and what people write for it between English words. Names of days and months come from `Intl`. */
const foreign: Readonly<Record<string, string>> = {
  before: 'før, före, antes del, antes de, antes do, avant le, avant, prima del, vor dem, voor de',
  until: "hasta el, hasta, até o, até, jusqu'au, jusqu'à, fino al, fino a, bis zum, tot en met",
  from: 'desde el, desde, a partir de, a partir del, à partir du, depuis le, depuis, dal, vanaf, från, fra',
  'week of': 'semana del, semana de, semaine du, settimana del, woche vom',
  'this week':
    'esta semana, cette semaine, questa settimana, diese woche, deze week, denne uka, denne uken, denna vecka, denne uge',
  'next week':
    'la próxima semana, próxima semana, la semana que viene, semana que vem, la semaine prochaine, semaine prochaine, la prossima settimana, prossima settimana, nächste woche, volgende week, neste uke, nästa vecka, næste uge',
  week: 'woche, uke, vecka, semaine, settimana',
  weeks: 'semanas, semaines, settimane, wochen, weken, uker, veckor, uger',
  months: 'meses, mois, mesi, monate, maanden, måneder, månader',
  days: 'días, dias, jours, giorni, tage, dagen, dager, dagar, dage',
  hours: 'horas, heures, stunden, uren, timmar',
  next: 'próximos, próximas, próximo, próxima, prochain, prochains, prochaines, nächsten, nächste, volgende, neste, nästa, næste, prossimi, prossime',
  last: 'últimos, últimas, último, última, derniers, dernières, dernier, dernière, letzten, letzte, laatste, siste, sidste, senaste, ultimi, ultime',
  yesterday: 'ayer, ontem, ieri, gestern, gisteren, i går, igår',
  today: 'oggi, i dag, idag',
  tomorrow: 'domani, imorgen, i morgen, imorgon, i morgon',
  'day after tomorrow': 'pasado mañana, depois de amanhã, après-demain, dopodomani, übermorgen, overmorgen',
  'by day': 'por día, por dia, par jour, al giorno, pro tag, per dag',
  'by month': 'por mes, por mês, par mois, al mese, pro monat, per maand',
  'by channel': 'por canal, par canal, pro kanal, per kanaal',
  'by command': 'por comando, par commande, pro befehl, per commando',
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

/** Spanish, Portuguese, French, Italian, German, Dutch, Norwegian, Swedish and Danish. */
const languages = ['es', 'pt', 'fr', 'it', 'de', 'nl', 'nb', 'sv', 'da'];

let known: ReturnType<typeof index> | undefined;

/** The words of a text that is English for the rest, in English: `Moss onsdag`, `semana del 23/11`. */
export function inEnglish(text: string): string {
  known ??= index();
  const { words, begins, shape } = known;
  const mayHaveOne = text
    .toLowerCase()
    .match(/\p{L}+/gu)
    ?.some((word) => begins.has(word));
  return mayHaveOne ? text.replace(shape, (typed) => words.get(typed.toLowerCase()) ?? typed) : text;
}

function index() {
  const pairs = Object.entries(foreign).flatMap(([english, typed]) =>
    typed.split(', ').map((each) => [each, english] as const),
  );
  const words = new Map([...namesOfDates(), ...pairs]);
  const typed = [...words.keys()].sort((one, other) => other.length - one.length);
  return {
    words,
    begins: new Set(typed.map((each) => /^\p{L}+/u.exec(each)?.[0])),
    // Santo Domingo isn't a Sunday.
    shape: new RegExp(`(?<![\\p{L}\\d]|santo |sto )(?:${typed.join('|')})(?![\\p{L}\\d])`, 'giu'),
  };
}

function namesOfDates(): [string, string][] {
  const kinds = [{ weekday: 'long' }, { month: 'long' }] as const;
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
