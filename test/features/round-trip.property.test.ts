import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ParsedLine } from '../../src/features/command.ts';
import { carriers } from '../../src/reference/carriers.ts';
import { exampleVessels } from '../../src/reference/codes.ts';
import { aPort } from '../support/answer-arbitraries.ts';
import { commands, parseLine } from '../support/registry.ts';
import { parsing, vessels } from '../support/run-command.ts';
import { lineOf, tools } from '../support/tool-harness.ts';

const imo = fc.constantFrom(
  ...exampleVessels.map((vessel) => String(vessel.imo)),
  'ds cypress',
  'IMO 9811000',
);
const page = fc.constantFrom('', ' page 2', ' page 40');
const futurePeriod = fc.constantFrom(
  '',
  ' tomorrow',
  ' next 3 days',
  ' next week',
  ' tonight',
  ' this weekend',
  ' mon-wed',
  ' q4',
  ' december',
  ' until 2026-12-24',
  ' 2026-11-24..2026-11-30',
);
const pastPeriod = fc.constantFrom(
  '',
  ' last 30 days',
  ' since 2026-08-01',
  ' 2026-01..2026-03',
  ' last month',
  ' october',
  ' yesterday',
  ' last quarter',
  ' q3 2026',
  ' this year',
  ' 2025',
  ' fri to sun',
);
const listName = fc.oneof(
  fc.constantFrom(
    'FEEDERS',
    'NORTH EUROPE',
    'a "b" c',
    'x page 2',
    'y public',
    'z compare',
    'Ærø/Nord',
    'a at b',
    'c at NLRTM',
  ),
  fc.stringMatching(/^[\w "'.,-]{1,40}$/).filter((name) => name.trim() !== ''),
);

/** Lines as people type them, for each command. */
const typed: Record<string, fc.Arbitrary<string>> = {
  nextport: fc.oneof(
    fc
      .tuple(
        imo,
        fc.constantFrom(
          '',
          ' compare',
          ' all',
          ' at Rotterdam',
          ' at Rotterdam, Antwerp this week',
          ' at ports:ara until fri 18:00',
          ' at DO VER',
          ' AT nl rtm',
          ' at ports:ara',
        ),
        page,
      )
      .map(([one, compare, at]) => `nextport ${one}${compare}${at}`),
    fc.uniqueArray(imo, { minLength: 2, maxLength: 6 }).map((some) => `nextport ${some.join(', ')}`),
    fc.tuple(listName, page).map(([name, at]) => `nextport list:"${name}"${at}`),
    listName.map((name) => `nextport list:${name}`),
    listName.map((name) => `nextport fleet:"${name.replaceAll('"', '""')}"`),
    imo.map((one) => `nextport ${one} history`),
    fc.constantFrom('nextport watched', 'nextport watched vessels page 2'),
  ),
  portcalls: fc
    .record({
      port: fc.oneof(
        aPort,
        fc.constantFrom(
          'Rotterdam',
          'Hong Kong',
          'nl rtm',
          'Rotterdam, US and Antwerp',
          'DO VER + Tokyo',
          'ports: ARA and Hamburg',
        ),
        fc.array(aPort, { minLength: 2, maxLength: 7 }).map((ports) => ports.join(', ')),
      ),
      period: futurePeriod,
      min: fc.oneof(
        fc.constantFrom('', ' all'),
        fc.nat(100).map((percent) => ` min ${percent}%`),
      ),
      by: fc.constantFrom('', ' by eta', ' by probability', ' by day'),
      page,
    })
    .map(({ port, period, min, by, page: at }) => `portcalls ${port}${period}${min}${by}${at}`),
  lane: fc
    .record({
      pair: fc.oneof(
        fc.tuple(aPort, aPort).map(([from, to]) => `${from} → ${to}`),
        fc.constantFrom(
          'Singapore Xiamen',
          'Hong Kong Los Angeles',
          'from Rotterdam to Hamburg',
          'Shanghai ports:ARA',
        ),
        fc
          .tuple(
            fc.array(fc.tuple(aPort, aPort), { minLength: 2, maxLength: 6 }),
            fc.constantFrom(' ', ' → ', ' to '),
          )
          .map(([pairs, mark]) => pairs.map((pair) => pair.join(mark)).join(', ')),
        fc
          .tuple(
            fc.array(aPort, { minLength: 1, maxLength: 3 }),
            fc.constantFrom(' → ', ' to '),
            fc.array(aPort, { minLength: 2, maxLength: 3 }),
          )
          .map(
            ([origins, mark, destinations]) => `${origins.join(', ')}${mark}${destinations.join(' and ')}`,
          ),
        fc.constantFrom(
          'Portland, US (USPDX) to Busan, Singapore to Newcastle, Australia',
          'Shanghai Rotterdam vs Ningbo Rotterdam',
          'from Shanghai, ports:ARA to Hamburg; Singapore ports:ARA',
        ),
      ),
      carriers: fc.oneof(
        fc.constantFrom('', ' maersk', ' MAEU, Hapag-Lloyd'),
        fc
          .uniqueArray(fc.constantFrom(...carriers.map(({ scac }) => scac)), {
            minLength: 1,
            maxLength: 5,
          })
          .map((some) => ` ${some.join(',')}`),
      ),
      period: pastPeriod,
      versus: fc.oneof(
        fc.constantFrom('', ' versus previous', ' vs the previous quarter', ' compared to q2 2025'),
        pastPeriod.map((period) => (period === '' ? '' : ` versus${period}`)),
      ),
      page,
    })
    .map(({ pair, carriers, period, versus, page: at }) => `lane ${pair}${carriers}${period}${versus}${at}`),
  usage: fc
    .tuple(
      fc.constantFrom('', ' bot', ' Bot'),
      fc.constantFrom('', ' october', ' 2026-10', ' last month', ' this month', ' oct 2026'),
      page,
    )
    .map((parts) => `usage${parts.join('')}`),
  digest: digestLine(),
  watch: watchLine(),
  vessel: vesselLine(),
  landfall: fc.constantFrom(
    'landfall',
    'help',
    'status',
    'help nextport',
    'landfall help /usage',
    'landfall ports',
    'landfall ports ARA Rotterdam, Antwerp and Amsterdam',
    'landfall ports ara add Zeebrugge',
    'landfall ports ARA = Rotterdam',
    'landfall ports remove ARA',
    'landfall audit of <#C0OPS00001> by <@U0BEN0001> page 2',
  ),
};

function digestLine(): fc.Arbitrary<string> {
  const title = fc.constantFrom('', '"Morning" ', '"a: b; c" ');
  const when = fc.constantFrom(
    '',
    'weekdays 08:00',
    'mon, thu 7:30 berlin',
    'on the 1st and last day at noon UTC',
  );
  const option = fc.constantFrom(
    '',
    ' only news',
    ' always',
    ' to me',
    ' only when new to me',
    ' hand over to <@U024BE7LH|ann>',
  );
  const asked = fc.constantFrom(
    'portcalls NLRTM next 3 days',
    '/nextport list:"x; y"',
    'nextport list:"a "b; c"',
    'ds cypress',
    'usage',
    'lane SGSIN → CNXAM maersk',
    'help',
  );
  const body = fc
    .array(asked, { maxLength: 4 })
    .map((some) => (some.length === 0 ? '' : `: ${some.join('; ')}`));
  const start = fc.constantFrom('add ', 'edit ', 'edit 2 ', 'edit "Morning" ', 'new ');
  const dryRun = fc.constantFrom('', ' dry run');
  return fc.oneof(
    fc
      .tuple(start, title, when, option, body, dryRun)
      .map((parts) => `digest ${parts.join('')}`.replace('  ', ' ')),
    fc
      .constantFrom(
        '',
        ' list',
        ' list page 2',
        ' show 3',
        ' pause "Morning"',
        ' resume',
        ' delete morning',
        ' run now 2',
        ' restore 2',
        ' hand over 2 to <@U024BE7LH|ann>',
        ' hand over morning <@U024BE7LH>',
      )
      .map((rest) => `digest${rest}`),
  );
}

test('the round trip covers every command of the registry', () => {
  const names = commands.filter(({ isUnderLandfall }) => !isUnderLandfall).map(({ name }) => name);
  expect(Object.keys(typed).toSorted()).toEqual(names.toSorted());
});

test.each(
  Object.entries(typed),
)('%s: parsing its canonical line gives the same line, and so do the fields of tools that ask the same', (name, lines) => {
  let read = 0;
  fc.assert(
    fc.property(lines, (line) => {
      const prepared = attempt(line);
      fc.pre(prepared !== undefined);
      read += 1;
      expect(prepared.line.split(' ')[0]).toBe(name);
      expect(parseLine(prepared.line, { vessels }).line).toBe(prepared.line);
      expect(parseLine(`/${prepared.line} public`, { vessels })).toMatchObject({
        line: prepared.line,
        visibility: 'public',
      });
      const asking = tools.flatMap((tool) => {
        const given = tool.fieldsOf(prepared.line, parsing);
        return given ? [lineOf(tool.name, given)] : [];
      });
      expect(asking.map(withoutPlace)).toEqual(asking.slice(0, 1).map(() => withoutPlace(prepared.line)));
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(5);
});

/** In a direct message, where assistants ask, these words change nothing. */
const withoutPlace = (line: string): string => line.replace(/^(watch .*?) (?:to me|mine)\b/, '$1');

/** Undefined for a line that is refused: what a refusal says is tested elsewhere. */
function attempt(line: string): ParsedLine | undefined {
  try {
    return parseLine(line, { vessels });
  } catch {
    return undefined;
  }
}

function vesselLine(): fc.Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom('DS CYPRESS', 'Emma Mærsk', 'MSC "Diana"', 'A', 'page 2', '9461477 X', 'x as y'),
    fc.stringMatching(/^[\w '&.-]{1,60}$/),
  );
  const fleet = listName.map((one) => `"${one.replaceAll('"', '""')}"`);
  const some = fc.uniqueArray(imo, { minLength: 1, maxLength: 4 }).map((imos) => imos.join(', '));
  return fc.oneof(
    fc.tuple(imo, name).map(([one, as]) => `vessel name ${one} ${as}`),
    fc.tuple(imo, name).map(([one, as]) => `vessel name ${one} as "${as}"`),
    some.map((imos) => `vessel forget ${imos}`),
    fc
      .record({
        imo,
        change: fc.constantFrom('', 'add', 'remove'),
        ref: fc.constantFrom('BK123', 'a b/1, X-9'),
      })
      .map((one) => `vessel ref ${one.imo} ${one.change} ${one.ref}`),
    imo.map((one) => `vessel ref ${one} forget`),
    fc.tuple(fleet, fc.constantFrom('add', 'remove'), some).map((words) => `vessel fleet ${words.join(' ')}`),
    fc.tuple(fleet, fc.constantFrom('', ' forget', ' show')).map((words) => `vessel fleet ${words.join('')}`),
    fc.constantFrom(
      'vessel',
      'vessel list page 3',
      'vessel fleets',
      'vessel import',
      'vessel export page 2',
      'vessel fleet NORTH add 9461477',
      'vessel ref 9461477 add BK-1 due Rotterdam 7 dec; add BK-2; remove BK-3 due Antwerp 9 dec 14:00 UTC',
    ),
  );
}

function watchLine(): fc.Arbitrary<string> {
  const moment = fc.constantFrom(
    '27 Nov 18:00',
    '2026-12-01',
    'tomorrow 8:00',
    'Feb 29th',
    '1 jan 2027 at 06:30',
  );
  const zone = fc.constantFrom(
    '',
    ' UTC',
    ' UTC+5:30',
    ' Singapore time',
    ' (le havre local time)',
    ' Asia/Kolkata',
  );
  const vessels = fc.oneof(
    imo,
    fc.uniqueArray(imo, { minLength: 2, maxLength: 4 }).map((some) => some.join(', ')),
    listName.map((name) => `list:"${name.replaceAll('"', '""')}"`),
    listName.map((name) => `fleet:"${name.replaceAll('"', '""')}"`),
  );
  const at = fc.oneof(aPort, fc.constantFrom('Rotterdam', 'Hong Kong', 'nl rtm', 'DO VER', 'ports:ARA'));
  const subject = fc.oneof(
    vessels,
    fc.tuple(vessels, fc.constantFrom('at', 'expected at'), at).map((words) => words.join(' ')),
    aPort.map((port) => `port ${port}`),
    fc.constantFrom('ports:ARA', 'port ports: ara'),
  );
  const rule = fc.oneof(
    fc.integer({ min: 1, max: 240 }).map((hours) => `eta ${hours}h`),
    fc.integer({ min: 1, max: 99 }).map((percent) => `below ${percent}%`),
    fc
      .uniqueArray(fc.integer({ min: 1, max: 240 }), { minLength: 1, maxLength: 5 })
      .map((hours) => `arriving ${hours.join('h,')}h`),
    fc.integer({ min: 1, max: 10 }).map((days) => `overdue ${days} days`),
    fc.tuple(aPort, moment, zone).map(([port, by, of]) => `due ${port} ${by}${of}`),
    fc.constantFrom(
      'until next port',
      'quiet 22:00-06:00',
      'quiet from 22 to 6 Europe/Berlin',
      'in <#C024BE7LR|ops>',
    ),
  );
  const only = fc.constantFrom('', ' only', ' only next port', ' only next port, lost and stale');
  const ending = fc.constantFrom('', ' dry run');
  const add = fc
    .tuple(subject, only, fc.array(rule, { maxLength: 3 }), fc.constantFrom(' ', ', '), ending)
    .map(([what, first, rules, comma, last]) => `watch ${what}${first} ${rules.join(comma)}${last}`);
  const until = fc.oneof(
    fc.constantFrom('1h', 'for 2 days', '90 min', 'until next port', 'until 24h before eta'),
    moment.map((day) => `until ${day}`),
  );
  const change = fc
    .tuple(
      fc.constantFrom('stop', 'wake', 'resume', 'ack'),
      fc.oneof(subject, fc.constant('')),
      fc.constantFrom('', 'in <#C024BE7LR|ops>'),
    )
    .map((words) => `watch ${words.join(' ')}`);
  return fc.oneof(
    { weight: 3, arbitrary: add },
    change,
    fc.tuple(subject, until).map(([what, how]) => `watch snooze ${what} ${how}`),
    fc.tuple(subject, until).map(([what, how]) => `watch snooze ${what} in <#C024BE7LR|ops> ${how}`),
    fc
      .tuple(
        fc.oneof(
          vessels.map((some) => `of ${some}`),
          vessels,
          at.map((port) => `at ${port}`),
        ),
        pastPeriod.map((period) => period.replace(/^ (?=[\d-])/, ' since ')),
        fc.constantFrom('', ' mine', ' all page 2', ' in <#C024BE7LR|ops>'),
      )
      .map((words) => `watch changes ${words.join('')}`),
    subject.map((what) => `watch hand over ${what} to <@U024BE7LH|ann>`),
    subject.map((what) => `watch assign ${what} to <@U024BE7LH|ann>`),
    fc.constantFrom(
      'watch 9461477 eta 6h to me',
      'watch fleet:NORTH only next port to me dry run',
      'watch list',
      'watch list all page 2',
      'watch changes',
      'watch changes since yesterday 18:00 mine page 2',
      'watch changes last 3 days all',
      'watch stability',
      'watch stability all page 2',
      'watch stability 9461477, 9755933 page 3',
      'watch stability fleet:"NORTH EUROPE"',
      'watch stability list:FEEDERS',
      'watch stability NLRTM DEHAM mine',
      'watch stability NLRTM DEHAM in <#C024BE7LR|ops>',
      'watch changes 12h in <#C024BE7LR|ops>',
      'watch changed mine since last week',
      'watch list mine',
      'watch stop all',
      'watch stop all yes',
      'watch stop 9461477 yes',
      'watch stop all in <#C024BE7LR|ops> yes',
      'watch list in <#C024BE7LR|ops> page 2',
      'watch hand over 9461477 to <@U024BE7LH|ann> in <#C024BE7LR|ops>',
      'watch assign 9461477 <@U024BE7LH|ann> in <#C024BE7LR|ops>',
      'watch assign <@U024BE7LH>',
    ),
  );
}
