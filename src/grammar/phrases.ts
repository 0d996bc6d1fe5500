import { monthWord, weekdayShape as weekday } from './dates.ts';
import { inEnglish } from './foreign-words.ts';
import { numberWords, readCount, withSpokenDates, withTimesInFigures } from './number-words.ts';

const ends =
  '(?:until|till?|up to|to|through to|thru to|through|thru|by|before)(?: the)?(?: (end))?(?: of)?(?: the| this)?';
const count = '(?:\\d{1,3}|two|three|four|five|six|seven|ten|twelve)';
const tens: Readonly<Record<string, string>> = {
  'twenty-four': '24',
  'thirty-six': '36',
  'forty-eight': '48',
  'seventy-two': '72',
  ...Object.fromEntries(
    'thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
      .split(' ')
      .map((word, index) => [word, String(13 + index)]),
  ),
  thirty: '30',
  sixty: '60',
  ninety: '90',
};
const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const sameYearBefore =
  '(?:the )?same (?:months?|period|weeks?|dates|days|quarter|time)(?: of| in)? (?:last (?:year|yr)|the year before|a year (?:ago|earlier|before))';

/** What people say in many words, and the words of the grammar for it. */
const phrases: readonly (readonly [said: RegExp, plain: string])[] = [
  [/\b(?:2|to)m+(?:or+ow?|r+w)\b|\btmro?w?\b/gi, 'tomorrow'],
  [/(?<!number |digest |no\.? )\b(\d{1,2}) ?(?:o['’]?clock|am|h)? this morning\b/gi, 'today $1:00'],
  [/\b(\d{1,2}:\d\d)(?: ?am)? this morning\b/gi, 'today $1'],
  [/\b(?:(?:by|per) (?:days|dates?)(?! ?\d)|dates? ?wise)\b/gi, 'by day'],
  // As it is dictated.
  [/ comma(?= )/gi, ','],
  [/ full stop\b/gi, '.'],
  [/\b([a-z]{2,4}) (?:dash|hyphen) (?=\d)/gi, '$1-'],
  [/\((?:mon|tue|wed|thu|fri|sat|sun)\p{L}*\)/giu, ''],
  [/(?<![\d.])(\d{1,2})\. ?- ?(\d{1,2})\.(\d{1,2})(?:\.(?!\d))?/g, '$1.$3-$2.$3'],
  [/\bS([12]) (?=20\d\d\b)/g, 'H$1 '],
  [/\bbfr\b/gi, 'before'],
  [new RegExp(`\\bbf (?=${weekday}|\\d)`, 'gi'), 'before '],
  [/\b(?:the )?(?:next|coming) fortnight\b/gi, 'next 14 days'],
  [new RegExp(`\\b(?:the )?first fortnight of (${monthWord})\\b`, 'gi'), '1-14 $1'],
  [new RegExp(`\\b(${monthWord}) v (?=${monthWord}\\b)`, 'gi'), '$1 vs '],
  [/\b(?:1st|first) semester(?: of)? (?=20\d\d)/gi, 'H1 '],
  [/\b(?:2nd|second) semester(?: of)? (?=20\d\d)/gi, 'H2 '],
  [
    /\b(?:sort|sorted|order|ordered)(?: it| them)? by how (?:sure|likely)(?: you are| they are)?/gi,
    'by probability',
  ],
  [/\bsort(?:ed)? (?:on|by|after) (?=(?:prob|likel|chance))/gi, 'by '],
  [/\bv(?=(?:[1-4]\d|5[0-3])\b)/g, 'week '],
  [/(?<!\b(?:on|for) )\bthat day(?= ?$| ?\?)/gi, 'today'],
  [
    /\b(?:high(?:est)?(?: (?:%|prob\w*|chances?))?|most (?:likely|probable)(?: ones)?|(?:surest|likeliest)(?: ones)?) (?:first|on top|at the top)(?!\w)/gi,
    'by probability',
  ],
  [/\b(?:tonight|this evening)(?: at)? (?=\d{1,2}(?::\d\d| ?pm\b))/gi, 'today '],
  [/\bfor the week(?! of| commencing| beginning|,? ?\d)/gi, 'this week'],
  [/\bturkey day\b/gi, 'thanksgiving'],
  [/\bover (?:the )?thanksgiving(?! day| weekend)\b/gi, 'on thanksgiving'],
  [/\bBs\.? ?As\b\.?/gi, 'Buenos Aires'],
  [/\bup ?to (?=\d|month|end|(?:mon|tue|wed|thu|fri|sat|sun)day)/gi, 'until '],
  [new RegExp(`\\b(?:with)?in (?=(?:${weekday}) (?:the )?\\d)`, 'gi'), 'by '],
  [/\byst?e?rda?y\b/gi, 'yesterday'],
  [/\b([0-3]?\d)\. ([01]?\d)\.(?!\d)/g, '$1.$2.'],
  [/\b(\d{1,2}) ?(?:uhr|uur)\b/gi, '$1:00'],
  [/\bkl\.? (\d{1,2})(?![\d:.])/gi, '$1:00'],
  [/\bkl\.? (?=\d)/gi, 'at '],
  [/\blast ni(?:te|ght),? (?:at )?(1[0-2]|[6-9])(?: ?ish| ?pm)?\b(?![:.]\d)/gi, 'yesterday $1pm'],
  [new RegExp(`\\b(${weekday}) n (?=${weekday}\\b)`, 'gi'), '$1 and '],
  [new RegExp(`\\b(${weekday}) last\\b`, 'gi'), 'last $1'],
  [new RegExp(`\\bnoon (yesterday|today|tomorrow|(?:last )?(?:${weekday}))\\b`, 'gi'), '$1 12:00'],
  [new RegExp(`\\b(yesterday|today|tomorrow|${weekday}) lunch(?: ?time)?\\b`, 'gi'), '$1 12:00'],
  [
    new RegExp(`\\b(${weekday}),? the (\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?=${monthWord}\\b)`, 'gi'),
    '$1 $2 ',
  ],
  [/\bthe (?=\d{1,2}\/\d{1,2}\b)/gi, ''],
  [
    /\b(until|till?) tomorrow(?: morning)?(?: at)? (\d{1,2})(?::00|h00|h|u)?(?: ?am)?(?![\d\p{L}:/.]|,\d)/giu,
    '$1 tomorrow $2:00',
  ],
  [new RegExp(`\\b(${monthWord})/(${monthWord})/(${monthWord})\\b`, 'gi'), '$1, $2 and $3'],
  [new RegExp(`\\b(${monthWord})/(?=${monthWord}\\b)`, 'gi'), '$1 to '],
  [/\bbefore ((?:mon|tues|wednes|thurs|fri|satur|sun)day) is over\b/gi, 'until $1'],
  [/\b(before|by|until|till?) (?:christmas|xmas|chrissy)(?! eve| day)\b/gi, '$1 25 dec'],
  [/\b(until|till?) (\d{1,2})(?::00)? ?(?:am)? tomorrow(?: morning)?\b/gi, '$1 tomorrow $2:00'],
  [/[\s,]+(?:y\/n|yes\/no|yes or no)(?= ?\?| ?$)/gi, ''],
  [/\bt\/m\b/gi, 'through'],
  [/,? or not(?= ?\?| ?$)/gi, ''],
  [
    /\b(?:on|for) (?:this|that|the same) day(?: and the (?:next|following) (?:one|day)| and the day after)\b/gi,
    'today..tomorrow',
  ],
  [/\b(?:on|for) (?:this|that|the same) day\b/gi, 'today'],
  [
    /,? ?\b(?:in (?:plain |simple )?(?:words|text)(?: only)?|without (?:a |any |the )?(?:maps?|pictures?|charts?|graphs?|images?)|not? (?:as )?(?:an? |the )?(?:pictures?|charts?|graphs?|images?))(?! of)\b/gi,
    '',
  ],
  [
    /\b(?:at least |more than |only )*half sure(?: of)?\b|\bmore likely than not\b|\b(?:better|more) than even(?: odds| chances?)?\b/gi,
    'min 50%',
  ],
  [/\b(?:no|not on a|(?:rather than|instead of)(?: on)? a) map\b/gi, ''],
  [/^may (?=i|we)\b/gi, 'can '],
  [/\b(\d{1,2})(?::00)? ?am tomorrow\b/gi, 'tomorrow $1:00'],
  [/\b(\d{1,2}) ?pm tomorrow\b/gi, 'tomorrow $1pm'],
  [new RegExp(`\\b(${monthWord}) (first|second) half\\b`, 'gi'), '$2 half of $1'],
  [/(?<=day|\d|ber|ary|ch|il|ay|ne|ly|st),? included\b/gi, ''],
  [/\bone day at (?:a|the) time\b/gi, 'by day'],
  [/ (?:next to|alongside|beside|side by side with) (?=\p{Lu}|\p{L}+ ?[-→>/])/gu, ' & '],
  [/\b(\d{1,2})a ?- ?(\d{1,2})p\b/gi, '$1am-$2pm'],
  [/\ba (?=(?:quarter|half) (?:to|past)\b)/gi, ''],
  [
    new RegExp(`\\b((?:\\d{1,2}(?:st|nd|rd|th)? )?(?:${monthWord})|\\d{1,2}/\\d{1,2}) onwards?\\b`, 'gi'),
    'since $1',
  ],
  [
    new RegExp(
      `\\b((?:this )?(${months}|q[1-4])[a-z]*)\\b(.*)\\b(?:than|vs\\.?|versus|against|as|put)(?: it was)?(?: in)? (?:last \\2[a-z]*|\\2[a-z]* (?:of )?last (?:year|yr))(?: beside it)?\\b`,
      'gi',
    ),
    '$1$3versus year earlier',
  ],
  [
    /\b(?:is|was) the (?:period|month|quarter) before(?: it| that)?(?: any)? (?:better|worse)\b/gi,
    'versus previous',
  ],
  [/(?<=\p{L}) \((?:[A-Z]{2})\)/gu, ''],
  [/\bb4\b/gi, 'before'],
  [/\bbetween the (\d{1,2}) and the (\d{1,2})\b(?![:/.]\d)/gi, 'the $1th to the $2th'],
  [
    new RegExp(
      `\\b(?:between |from )?(?:the )?(\\d{1,2})(?:st|nd|rd|th) (?:and|to|until|till?|through) (?:the )?(\\d{1,2})(?:st|nd|rd|th)(?: of)? (${monthWord})\\b`,
      'gi',
    ),
    '$1-$2 $3',
  ],
  [
    new RegExp(
      `\\b(?:from |between )?(?:right )?now (?:and|until|till?|to|thru|through|up to) (?:the )?(?=\\d|${weekday}|${monthWord}|next|end|tomorrow)`,
      'gi',
    ),
    'until ',
  ],
  [/\btomorrow(?: and|,| ?[+&])? (?:the )?day after(?: tomorrow)?\b/gi, 'tomorrow..in 2 days'],
  [new RegExp(`\\b(${monthWord})/(2\\d)\\b(?!/)`, 'gi'), '$1 20$2'],
  [new RegExp(`(?<!from )\\b(${monthWord})(?: of)? this year\\b`, 'gi'), '$1'],
  [new RegExp(`\\b(?:so far in |in )?(${monthWord}) so far\\b`, 'gi'), '$1'],
  [
    new RegExp(
      `\\b((?:${weekday}|today|tomorrow)(?: at)?) (\\d{1,2}) ?(?:hs?|u|uur|uhr|hrs)\\b(?! ?\\d)`,
      'gi',
    ),
    '$1 $2:00',
  ],
  [/\b(\d{1,3}) ?hs\b/gi, '$1h'],
  [
    /\bsince (?:i|we) last (?:asked|checked|looked|spoke)(?: at it| on it)?,? (?=this|yesterday|on|\p{L}+day|\d)/giu,
    'since ',
  ],
  [/\bthis morning(?: at)? (\d{1,2})(?: ?o['’]?clock| ?am|h)?(?![\d:/.-])/gi, 'today $1:00'],
  [/\bthis morning(?: at)? (\d{1,2}:\d\d)/gi, 'today $1'],
  [/\bresp\. /gi, 'and '],
  [/\bdates? (?=given\b)given\b/gi, 'dates promised'],
  [/\bbefore (?:the |this )?(?:weekend|wknd|wkend)\b/gi, 'before saturday'],
  [new RegExp(`\\b(${weekday}|today|tomorrow) am(?! ?\\d)\\b`, 'gi'), '$1 morning'],
  [new RegExp(`\\b(${weekday}|today|tomorrow) pm(?! ?\\d)\\b`, 'gi'), '$1 afternoon'],
  [/\bfirst digest\b/gi, 'digest 1'],
  [/\bsecond digest\b/gi, 'digest 2'],
  [/\bthird digest\b/gi, 'digest 3'],
  [/\bfourth digest\b/gi, 'digest 4'],
  [
    new RegExp(
      `\\b((?:\\d{1,2}(?:st|nd|rd|th)? )?(?:${monthWord})) (?:till?|until|to|up to) (?:now|date|today)\\b`,
      'gi',
    ),
    'since $1',
  ],
  [new RegExp(`\\bfrom (${monthWord}) (?:this year|on|onwards?)\\b`, 'gi'), 'since $1'],
  [/(?<=\d ?)(?:dys|dayz)\b/gi, 'days'],
  [/\b(com|go|call|arriv|head)in\b/gi, '$1ing'],
  // Not EVER GIVEN.
  [/\b(?:(?:we|i)['’]?ve|have|has|was|were|been) given\b/gi, 'promised'],
  [new RegExp(`\\bbefore (?:the )?end of (?=${weekday}\\b|\\d)`, 'gi'), 'by '],
  [new RegExp(`\\b(?:the )?end of (?=${weekday}\\b)`, 'gi'), ''],
  [
    /\b(?:from|between) ([01]\d|2[0-4])h? (?:to|and|till?|until) ([01]\d|2[0-4])(?:h\b|(?![:/.\d]| ?\p{L}))/giu,
    '$1:00-$2:00',
  ],
  [/\b([01]\d|2[0-4])h (?:to|and|till?|until|-) ([01]\d|2[0-4])h\b/giu, '$1:00-$2:00'],
  [/\bbetween (\d\d:\d\d) (?:tonight|today) and (\d\d:\d\d) tomorrow\b/gi, 'today $1..tomorrow $2'],
  [new RegExp(`\\b${ends} (month|week)(?:['’]?s)? (?:end|out|is out|is over)\\b`, 'gi'), 'until end of $2'],
  [/\b(?:until|till?|up to|by|before) (?:the )?end of (?:the |this )?(month|week)\b/gi, 'until end of $1'],
  [
    new RegExp(`\\b(?:the )?(?:following|coming) (${count}) ?(h|hrs?|hours?|days?|weeks?)\\b`, 'gi'),
    'next $1 $2',
  ],
  [
    /\b(?:(?:up to|until|till?|through) and )?incl(?:uding|\.|usive)? (?=\d|(?:mon|tue|wed|thu|fri|sat|sun))/gi,
    'until ',
  ],
  [/(?<=day|\d) incl(?:usive|\.)?(?= |,|$)/gi, ''],
  [/(?<!past |to )\b(\d{1,2})((?::\d\d)?) in the morning\b/gi, '$1$2 am'],
  [/\b(\d{1,2})((?::\d\d)?) in the (?:afternoon|evening)\b/gi, '$1$2 pm'],
  [new RegExp(`\\b(\\d{1,2}(?::\\d\\d)? ?[ap]m) on (${weekday})`, 'gi'), '$2 $1'],
  [/\b(?:a )?(?:cpl|couple)(?: of)? (?=days|weeks|hours)/gi, '2 '],
  [/\bwkdays\b/gi, 'weekdays'],
  [
    /\bthis (\p{L}+) (?:than|as|vs\.?|versus|against|compared (?:to|with))(?: in)? last \1\b/giu,
    '$1 versus year earlier',
  ],
  [/\bone day after (?:the other|another)\b/gi, 'by day'],
  [/\bnite\b/gi, 'night'],
  [
    new RegExp(
      `\\b(${monthWord})(?: (?:vs\\.?|versus|against|v) ${monthWord})+ (?:vs\\.?|versus|against|v) (${monthWord})\\b`,
      'gi',
    ),
    '$1 to $2 by month',
  ],
  [/\b(?:ore|alle|alle ore|a las|às|klo|godz\.?) (?=\d{1,2}[:.]\d\d\b)/gi, ''],
  [/\bklo (\d{1,2})\b(?![:.]\d)/gi, '$1:00'],
  [
    new RegExp(
      `\\b(?:between |from )?(${weekday}) (?:and|to|until|till?|-) (${weekday})(?: of)? this (?:week|wk)\\b`,
      'gi',
    ),
    '$1 to $2',
  ],
  [
    new RegExp(
      `\\b${weekday},? (?:the )?(\\d{1,2}(?:st|nd|rd|th))\\b(?! of|[:/.\\d]| ?(?:${monthWord}|[ap]\\.?m))`,
      'gi',
    ),
    'the $1',
  ],
  [
    new RegExp(
      `\\b${weekday},? (?:the )?(2[5-9]|30)\\b(?! of|[:/.]\\d|-| ?(?:\\d|${monthWord}|[ap]\\.?m))`,
      'gi',
    ),
    'the $1th',
  ],
  [
    new RegExp(
      `\\bfor (?=(?:${monthWord}) (?:\\d{1,2}(?:st|nd|rd|th)? ?)?(?:to|thru|through|until|till?|-) ?)`,
      'gi',
    ),
    '',
  ],
  [/\bfrom since\b/gi, 'since'],
  [/\bchristmas eve\b/gi, '24 dec'],
  [/\bchristmas day\b/gi, '25 dec'],
  [/\bboxing day\b/gi, '26 dec'],
  [/\bnew year['’]?s eve\b/gi, '31 dec'],
  [/\bnew year['’]?s day\b/gi, '1 jan'],
  [/\bthis (?=(?:mon|tue|wed|thu|fri|sat|sun)\p{L}* (?:to|and|until|till?|-) )/giu, ''],
  [
    new RegExp(
      `\\b(?:(?:compared |over |vs\\.? |against |with |than )+(?:in )?)?${sameYearBefore}(?: alongside| beside it| next to it)?`,
      'gi',
    ),
    'versus year earlier',
  ],
  [/\b(?:than|as) (?:a|one) (?:year|yr) (?:ago|before|earlier)\b/gi, 'versus year earlier'],
  [
    new RegExp(
      `\\b(?:(?:compared )?(?:to|with)|(?:set )?beside|than|against|vs\\.?|versus)(?: in)? the (?:(?:${count} )?(?:months?|quarters?|days|weeks)|${count}) (?:before|earlier|prior)(?: that| for reference)?\\b`,
      'gi',
    ),
    'versus previous',
  ],
  [/\b(day|month|quarter) (?:for|by|after|on) \1\b/gi, 'by $1'],
];

/** Dates, times and comparisons as they are said, in the words that the grammar reads. */
export function inPlainWords(text: string): string {
  const inFigures = withSpokenDates(
    withTimesInFigures(inEnglish(text).replace(spelled, (letters) => letters.replaceAll(' ', '')))
      .replace(spokenNumber, (digits) =>
        digits
          .split(/[ ,-]+/)
          .map(digitOf)
          .join(''),
      )
      .replace(spokenTens, (word) => tens[word.toLowerCase().replace(' ', '-')] ?? word)
      .replace(spokenClock, (_, hour: string, minutes: string) => {
        const past = { fifteen: 15, thirty: 30 }[minutes.toLowerCase()] ?? 45;
        return `${readCount(hour)}:${past}`;
      }),
  );
  const plain = phrases.reduce((words, [said, each]) => words.replace(said, each), inFigures);
  return withSpokenDates(plain);
}

/** `A R A`, `M S C Diana` */
const spelled = /(?<![\p{L}\d.])(?:\p{Lu} ){1,5}\p{Lu}(?![\p{L}\d.])/gu;

/** Of an IMO number. */
const digits = 'zero|oh|one|two|three|four|five|six|seven|eight|nine';
const spokenNumber = new RegExp(`\\b(?:(?:${digits})[ ,-]+){6}(?:${digits})\\b`, 'gi');
const digitOf = (word: string): number => readCount(word);

const spokenClock = new RegExp(`\\b(${numberWords.join('|')}) (fifteen|thirty|forty[ -]five)\\b`, 'gi');
const spokenTens = new RegExp(
  `\\b(?:${Object.keys(tens).join('|').replaceAll('-', '[ -]')})(?= (?:hours?|days?|calls)\\b)`,
  'gi',
);
