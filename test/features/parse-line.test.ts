import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels } from '../../src/reference/codes.ts';
import { parseLine } from '../support/registry.ts';
import { cypress } from '../support/view-fixtures.ts';

const vessels = createVesselDirectory(exampleVessels);
const line = (text: string) => parseLine(text, { vessels }).line;

describe('typed text and its canonical line', () => {
  test.each([
    ['/nextport 9461477', 'nextport 9461477'],
    ['NextPort IMO 9461477', 'nextport 9461477'],
    ['nextport ds cypress', 'nextport 9461477'],
    ['nextport DS CYPRESS, 9755933, ds cypress', 'nextport 9461477, 9755933'],
    ['nextport 9461477 compare', 'nextport 9461477 compare'],
    ['nextport 9461477 all page 2', 'nextport 9461477 all page 2'],
    ['nextport MSC Diana at Rotterdam', 'nextport 9755933 at NLRTM'],
    ['MSC Diana at the port of antwerp page 2', 'nextport 9755933 at BEANR page 2'],
    ['nextport list:FEEDERS', 'nextport list:FEEDERS'],
    ['nextport list: “North Europe” page 2', 'nextport list:"North Europe" page 2'],
    ['nextport list:North Europe', 'nextport list:"North Europe"'],
    ['portcalls Rotterdam', 'portcalls NLRTM'],
    [
      'portcalls nl rtm next 3 days min 30% by probability page 2',
      'portcalls NLRTM next 3 days min 30% by probability page 2',
    ],
    ['portcalls Rotterdam friday', 'portcalls NLRTM friday'],
    ['portcalls Rotterdam 25–28 Nov', 'portcalls NLRTM 25 nov..28 nov'],
    ['portcalls Rotterdam 25 Nov', 'portcalls NLRTM 25 nov'],
    ['portcalls Rotterdam Mon–Wed', 'portcalls NLRTM monday..wednesday'],
    ['portcalls Rotterdam this weekend', 'portcalls NLRTM this weekend'],
    ['Rotterdam tonight', 'portcalls NLRTM tonight'],
    ['antwerp next monday', 'portcalls BEANR next monday'],
    ['portcalls Rotterdam 11/25/2026', 'portcalls NLRTM 2026-11-25'],
    ['lane SGSIN CNXAM MSC q3 2026', 'lane SGSIN CNXAM MSCU q3 2026'],
    ['lane SGSIN CNXAM last quarter', 'lane SGSIN CNXAM last quarter'],
    ['portcalls NLRTM 2026-11-25–2026-11-28', 'portcalls NLRTM 2026-11-25..2026-11-28'],
    ['portcalls Rotterdam all', 'portcalls NLRTM min 0%'],
    ['portcalls Rotterdam min 10% by eta', 'portcalls NLRTM'],
    ['portcalls Tokyo', 'portcalls JPTYO'],
    ['lane Singapore to Xiamen', 'lane SGSIN CNXAM'],
    ['lane SGSIN → CNXAM maersk, MSCU last 30 days', 'lane SGSIN CNXAM MAEU,MSCU last 30 days'],
    ['lane Hong Kong Los Angeles', 'lane HKHKG USLAX'],
    ['watch 9461477 eta 2 days', 'watch 9461477 eta 48h'],
    ['watch 9461477 eta by 36 hours', 'watch 9461477 eta 36h'],
    ['usage', 'usage'],
    ['usage Oct 2026', 'usage 2026-10'],
    ['usage last month', 'usage last month'],
    ['usage bot', 'usage bot'],
    ['usage BOT in October', 'usage bot october'],
    ['usage bot 2026-10 page 2', 'usage bot 2026-10 page 2'],
    ['/landfall', 'landfall'],
    ['/landfall usage', 'usage'],
    ['/landfall nextport 9461477', 'nextport 9461477'],
    ['/landfall landfall status', 'landfall status'],
    ['help', 'landfall'],
    ['hi', 'landfall'],
    ['Good morning!', 'landfall'],
    ['/nextport help', 'landfall help nextport'],
    ['/watch --help', 'landfall help watch'],
    ['/usage -h', 'landfall help usage'],
    ['/lane ?', 'landfall help lane'],
    ['/landfall digest help', 'landfall help digest'],
    ['/landfall ?', 'landfall'],
    ['-h', 'landfall'],
    ['help portcalls', 'landfall help portcalls'],
    ['status', 'landfall status'],
    ['', 'landfall'],
    ['9461477', 'nextport 9461477'],
    ['DS Cypress', 'nextport 9461477'],
    ['9461477 compare', 'nextport 9461477 compare'],
    ['Rotterdam', 'portcalls NLRTM'],
    ['Rotterdam tomorrow', 'portcalls NLRTM tomorrow'],
    ['Rotterdam, Antwerp tomorrow by day', 'portcalls NLRTM, BEANR tomorrow by day'],
    ['/landfall Rotterdam', 'portcalls NLRTM'],
  ])('%s', (typed, canonical) => {
    expect(line(typed)).toBe(canonical);
  });
});

test('public and private are removed from the line', () => {
  expect(parseLine('nextport 9461477 Public', { vessels })).toMatchObject({
    line: 'nextport 9461477',
    visibility: 'public',
  });
  expect(parseLine('Rotterdam private', { vessels }).visibility).toBe('private');
  expect(parseLine('Rotterdam', { vessels }).visibility).toBeUndefined();
  expect(parseLine('nextport list:"go public"', { vessels }).visibility).toBeUndefined();
});

describe('in a thread about a vessel', () => {
  const inThread = (text: string) => parseLine(text, { vessels, threadVessels: [cypress.imo] }).line;
  test.each([
    ['', 'nextport 9461477'],
    ['nextport', 'nextport 9461477'],
    ['compare', 'nextport 9461477 compare'],
    ['at Rotterdam', 'nextport 9461477 at NLRTM'],
    ['nextport compare', 'nextport 9461477 compare'],
    ['9755933', 'nextport 9755933'],
    ['Rotterdam', 'portcalls NLRTM'],
    ['help', 'landfall'],
  ])('“%s” is about that vessel, unless it names another', (typed, canonical) => {
    expect(inThread(typed)).toBe(canonical);
  });
});

describe('in a thread about many vessels', () => {
  const threadVessels = exampleVessels.map(({ imo }) => imo);
  const refused = (text: string) => {
    try {
      return parseLine(text, { vessels, threadVessels }).line;
    } catch (error) {
      return error instanceof UserError ? [error.message, ...error.choices.map(({ label }) => label)] : error;
    }
  };
  test.each(['history', 'nextport history'])('“%s” asks which vessel is meant', (typed) => {
    expect(refused(typed)).toEqual([
      'You can see the history of only one vessel at a time.',
      'History of DS CYPRESS',
      'History of MSC DIANA',
      'History of EVER GIVEN',
      'History of MSC GULSUN',
    ]);
  });
  test('a line that names one vessel is about that vessel', () => {
    expect(refused('MSC Diana history')).toBe('nextport 9755933 history');
    expect(refused('')).toBe('landfall');
    expect(refused('snooze 1h')).toBe('watch snooze 1h');
    expect(refused('hello')).toBe('landfall');
    expect(refused('whatever')).toEqual([expect.stringContaining("isn't a command"), 'Show all commands']);
  });
});

describe('lines that are refused', () => {
  test.each<[string, string, string, string[]]>([
    [
      'nextprt 9461477',
      'unknown-command',
      "“nextprt 9461477” isn't a command, or a vessel or port that I know.",
      ['nextport 9461477', 'landfall'],
    ],
    [
      'rotterdm',
      'unknown-command',
      "“rotterdm” isn't a command, or a vessel or port that I know.",
      ['portcalls NLRTM', 'portcalls USRAJ', 'landfall'],
    ],
    ['DS', 'unknown-command', '“DS” isn', ['nextport 9461477', 'landfall']],
    ['hm', 'unknown-command', "“hm” isn't a command, or a vessel or port that I know.", ['landfall']],
    ['thankful', 'unknown-command', "“thankful” isn't a command, or", ['landfall']],
    ['thanks!', 'unknown-command', "You're welcome.", ['landfall']],
    ['ok, thank you very much', 'unknown-command', "You're welcome.", ['landfall']],
    ['portcalls hi', 'unknown-port', "“hi” isn't a known port.", []],
    ['Portland', 'ambiguous-port', 'Portland', ['portcalls USPDX', 'portcalls USPWM']],
    ['9461478', 'bad-check-digit', 'check digit', ['nextport 9461477']],
    [
      'nextport 9461477, 9755933 compare',
      'too-many-vessels',
      'You can compare only one vessel at a time.',
      ['nextport 9461477 compare', 'nextport 9755933 compare'],
    ],
    [
      'nextport 9461477, 9755933 at Rotterdam',
      'too-many-vessels',
      'You can ask about a port for only one vessel at a time.',
      [
        'nextport 9461477 at NLRTM',
        'nextport 9755933 at NLRTM',
        'portcalls NLRTM',
        'watch 9461477, 9755933 at NLRTM',
      ],
    ],
    ['nextport 9461478 at Rotterdam', 'bad-check-digit', 'check digit', ['nextport 9461477 at NLRTM']],
    [
      'nextport 9461477 at Rotterdm',
      'unknown-port',
      "“Rotterdm” isn't",
      ['nextport 9461477 at NLRTM', 'nextport 9461477 at USRAJ'],
    ],
    ['nextport list:', 'missing-argument', 'Which list?', []],
    [
      'nextport list:"NORTH',
      'unclosed-quote',
      'The quotation mark before “NORTH” is never closed.',
      ['nextport list:NORTH'],
    ],
    [
      'nextport list:FEEDERS compare',
      'unexpected-words',
      '“compare” works for one vessel, not for several.',
      ['nextport list:FEEDERS', 'nextport list:"FEEDERS compare"'],
    ],
    [
      'nextport list:FEEDERS at anchor',
      'unexpected-words',
      '“at anchor” works for one vessel, not for several.',
      ['nextport list:FEEDERS', 'nextport list:"FEEDERS at anchor"'],
    ],
    ['nextport watched all', 'unexpected-words', '“all” works for one vessel', ['nextport watched']],
    [
      'nextport MSC Diana history compare page 2',
      'unexpected-words',
      '“compare” and “history” are two questions.',
      ['nextport 9755933 compare page 2', 'nextport 9755933 history page 2'],
    ],
    [
      'nextport MSC Diana at Rotterdam compare page 2',
      'unexpected-words',
      '“at NLRTM” and “compare” are two questions.',
      ['nextport 9755933 at NLRTM page 2', 'nextport 9755933 compare page 2'],
    ],
    [
      'nextport MSC Diana at Rotterdm map',
      'unknown-port',
      '“Rotterdm” isn',
      ['nextport 9755933 at NLRTM', 'nextport 9755933 at USRAJ'],
    ],
    [
      'nextport fleet:North Sea history page 2',
      'unexpected-words',
      '“history” works for one vessel',
      ['nextport fleet:"North Sea" page 2', 'nextport fleet:"North Sea history" page 2'],
    ],
    ['lane Singapore SGSIN', 'same-port', 'Origin and destination are the same port', []],
    [
      'Hamburg, Genoa, Valencia, Algeciras, Antwerp, Felixstowe, Le Havre tonight',
      'too-many-ports',
      '7 ports are too many for one question: at most 6.',
      ['portcalls DEHAM, ITGOA, ESVLC, ESALG, BEANR, GBFXT tonight'],
    ],
    [
      'portcalls Rotterdam, Portland tonight by day',
      'ambiguous-port',
      'Portland',
      ['portcalls NLRTM, USPDX tonight by day', 'portcalls NLRTM, USPWM tonight by day'],
    ],
    ['usage 2022-10', 'bad-month', 'November 2022', ['usage 2022-11']],
    ['usage bot 2022-10', 'bad-month', 'November 2022', ['usage bot 2022-11']],
    ['usage boats', 'bad-month', 'boats', ['usage last month']],
    ['help nextport watch', 'unexpected-words', '“help” takes one command.', []],
    ['help nextprt', 'unknown-command', "“nextprt” isn't a command.", ['landfall help nextport']],
    [
      'portcalls Rotterdam tomorow',
      'unexpected-words',
      'not “tomorow”',
      ['portcalls NLRTM tomorrow', 'portcalls NLRTM'],
    ],
    [
      'portcalls Rotterdam nxt 3 dyas by probability',
      'unexpected-words',
      'not “nxt 3 dyas”',
      ['portcalls NLRTM next 3 days by probability', 'portcalls NLRTM by probability'],
    ],
    [
      'portcalls Rotterdam, 3 days',
      'unexpected-words',
      'I can read “Rotterdam” as a port, but not “3 days”',
      ['portcalls NLRTM next 3 days', 'portcalls NLRTM'],
    ],
    [
      'portcalls Rotterdam tonigth',
      'unexpected-words',
      'not “tonigth”',
      ['portcalls NLRTM tonight', 'portcalls NLRTM'],
    ],
    [
      'portcalls Rotterdam 2026-11-25 5 days min 30%',
      'unexpected-words',
      'not “2026-11-25 5 days”',
      ['portcalls NLRTM 2026-11-25 min 30%', 'portcalls NLRTM min 30%'],
    ],
    [
      'portcalls Rotterdam 08/01/2027 min 30%',
      'bad-date',
      'can be read in two ways',
      ['portcalls NLRTM 2027-01-08 min 30%', 'portcalls NLRTM 2027-08-01 min 30%'],
    ],
    [
      'watch 9461477 due Rotterdam 08/01/2027 18:00 eta 6h',
      'bad-date',
      'can be read in two ways',
      ['watch 9461477 eta 6h due NLRTM 2027-01-08 18:00', 'watch 9461477 eta 6h due NLRTM 2027-08-01 18:00'],
    ],
    [
      'watch changes since 05/11/2026 18:00',
      'bad-date',
      'can be read in two ways',
      ['watch changes since 2026-11-05 18:00', 'watch changes since 2026-05-11 18:00'],
    ],
    [
      'Rotterdm 13/12/2026',
      'unknown-command',
      "isn't a command",
      ['portcalls NLRTM 2026-12-13', 'portcalls USRAJ 2026-12-13', 'landfall'],
    ],
    [
      'Rotterdam 11-12-2026 min 30%',
      'bad-date',
      '“11-12-2026” can be read in two ways',
      ['portcalls NLRTM 2026-12-11 min 30%', 'portcalls NLRTM 2026-11-12 min 30%'],
    ],
    ['Antwerp last week', 'bad-period', '“last week” is in the past', ['portcalls BEANR this week']],
    ['portcalls Rotterdam blah', 'unexpected-words', 'not “blah”', ['portcalls NLRTM']],
    [
      'lane Singapore Xiamen last 30 dyas',
      'unexpected-words',
      'not “last 30 dyas”',
      ['lane SGSIN CNXAM last 30 days', 'lane SGSIN CNXAM'],
    ],
    [
      'lane Singapore Xiamen Maersk last 30 dyas',
      'unexpected-words',
      'not “Maersk last 30 dyas”',
      ['lane SGSIN CNXAM MAEU last 30 days', 'lane SGSIN CNXAM'],
    ],
    [
      'lane Singapore Xiamen 2026-02-30..2026-03-05',
      'bad-date',
      "“2026-02-30” isn't a valid date",
      ['lane SGSIN CNXAM 2026-02-28..2026-03-05'],
    ],
  ])('%s', (typed, code, message, choices) => {
    const error = refusal(typed);
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.choices.map((choice) => line(choice.line))).toEqual(choices);
  });
});

test.each([
  'lane Portland Hamilton',
  'lane Hamilton Georgetown',
  'lane Portlnd Hamilton',
])('“%s”: each choice asks about the other port, whose choices then work', (typed) => {
  const first = refusal(typed);
  expect(first.choices.length).toBeGreaterThan(0);
  for (const choice of first.choices) {
    const second = refusal(choice.line);
    expect(second.code).toBe('ambiguous-port');
    expect(second.choices.length).toBeGreaterThan(1);
    for (const { line: both } of second.choices) expect(line(both)).toMatch(/^lane \w{5} \w{5}$/);
  }
});

test('a canonical line fits into a button', () => {
  expect(refusal(`nextport list:${'x'.repeat(1600)}`).code).toBe('too-long');
  // What was typed just fits; its canonical form, with quotes, does not.
  const lines = Array.from({ length: 13 }, () => `nextport list:${'x '.repeat(48)}x`);
  expect(refusal(`digest add daily 08:00: ${lines.join(';')}`).message).toBe(
    'A line can have at most 1,500 characters; this one has 1,517.',
  );
});

function refusal(text: string): UserError {
  try {
    parseLine(text, { vessels });
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error(`${text} was not refused`);
}

test('a misspelt command with another misspelt word is offered with both corrected', () => {
  try {
    line('portcals Roterdam next 3 days');
  } catch (error) {
    expect(error instanceof UserError && error.choices[0]).toEqual({
      label: '/portcalls NLRTM next 3 days',
      line: 'portcalls NLRTM next 3 days',
    });
    return;
  }
  throw new Error('it was read');
});
