import { describe, expect, it } from 'vitest';
import type { AnalyticsClient } from '../../../src/analytics/client.ts';
import { costOf, defaultTitle } from '../../../src/features/digests/lines.ts';
import { changeOf } from '../../../src/features/digests/use-cases.ts';
import { canBeJoined } from '../../../src/features/digests/words.ts';
import { refusedBy } from '../../support/refusal.ts';
import { featuresOver, parseLine } from '../../support/registry.ts';
import { runContext, vessels } from '../../support/run-command.ts';

const read = (line: string) => parseLine(line, { vessels }).line;
const refusal = (line: string) => refusedBy(() => read(line));

describe('the words of /digest', () => {
  it.each([
    [
      'digest add weekdays 08:00 Europe/Berlin: portcalls Rotterdam next 3 days; nextport list:FEEDERS; usage',
      'digest add weekdays 08:00 Europe/Berlin: portcalls NLRTM next 3 days; nextport list:FEEDERS; usage',
    ],
    [
      'digest add 8am berlin: /nextport ds cypress;',
      'digest add daily 08:00 Europe/Berlin: nextport 9461477',
    ],
    [
      'digest add “Morning ships” mon 07:30 only news to me: usage',
      'digest add "Morning ships" mon 07:30 only news to me: usage',
    ],
    ['digest add "a: b; c" mon 07:30: usage', 'digest add "a: b; c" mon 07:30: usage'],
    ['digest new mon 07:30: 9461477', 'digest add mon 07:30: nextport 9461477'],
    ['digest add weekdays 7: portcalls Rotterdam', 'digest add weekdays 07:00: portcalls NLRTM'],
    ['digest add every morning at 6:30: usage', 'digest add daily 06:30: usage'],
    [
      'digest add mon 07:30: nextport list:"a; b"; usage',
      'digest add mon 07:30: nextport list:"a; b"; usage',
    ],
    ['digest add mon 07:30: usage dry run', 'digest add mon 07:30: usage dry run'],
    ['digest add mon 07:30 in <#C0OPS00001|ops>: usage', 'digest add mon 07:30 in <#C0OPS00001>: usage'],
    ['digest', 'digest list'],
    ['digest list page 2', 'digest list page 2'],
    ['digest list my page 2', 'digest list mine page 2'],
    ['digest list all channels', 'digest list all'],
    ['digest list here', 'digest list'],
    ['digest show', 'digest show'],
    ['digest pause no. 2', 'digest pause 2'],
    ['digest run now', 'digest run'],
    ['digest run 3 now', 'digest run 3'],
    ['digest delete morning ships', 'digest remove "morning ships"'],
    ['digest restore 2', 'digest restore 2'],
    ['digest hand over 2 to <@U024BE7LH|ann>', 'digest edit 2 hand over to <@U024BE7LH>'],
    ['digest handover <@U024BE7LH>', 'digest edit hand over to <@U024BE7LH>'],
    ['digest hand over "Morning" <@U024BE7LH>', 'digest edit "Morning" hand over to <@U024BE7LH>'],
    [
      'digest hand over morning ships to <@U024BE7LH>',
      'digest edit "morning ships" hand over to <@U024BE7LH>',
    ],
    [
      'digest edit 2 daily 06:00 always hand over to <@U024BE7LH>: usage',
      'digest edit 2 daily 06:00 always hand over to <@U024BE7LH>: usage',
    ],
    ['digest edit', 'digest edit'],
    ['digest edit 2 daily 06:00, 18:00', 'digest edit 2 daily 06:00, 18:00'],
    ['digest edit 06:00', 'digest edit daily 06:00'],
    ['digest edit 2: usage', 'digest edit 2: usage'],
    ['digest edit "Morning" "Evening" always: usage', 'digest edit "Morning" "Evening" always: usage'],
  ])('%s', (typed, canonical) => {
    expect(read(typed)).toBe(canonical);
    expect(read(canonical)).toBe(canonical);
  });

  it.each([
    ['digest add weekdays 08:00', 'What should the digest contain? Type its lines after a colon.', []],
    ['digest add weekdays 08:00: ;', 'What should the digest contain? Type its lines after the colon.', []],
    ['digest add: usage', 'When should it be sent?', ['digest add weekdays 08:00: usage']],
    [
      'digest add "M" only news: usage',
      'When should it be sent?',
      ['digest add "M" weekdays 08:00 only news: usage'],
    ],
    [
      'digest add "M" weekdays 07:30, 8 only news: usage; lane SGSIN CNXAM',
      "“8” isn't a valid day, date or time of day.",
      ['digest add "M" weekdays 07:30, 08:00 only news: usage; lane SGSIN CNXAM'],
    ],
    [
      'digest add mon 08:00: usage; portcals NLRTM',
      "Line 2: “portcals NLRTM” isn't a command, or a vessel or port that I know.",
      ['digest add mon 08:00: usage; portcalls NLRTM'],
    ],
    [
      'digest add mon 08:00: digest pause 2',
      '“digest pause 2” changes something: a digest can only contain lines that ask.',
      [],
    ],
    [
      'digest add mon 08:00: landfall audit',
      "Only you can see the answer to “landfall audit”, so it can't be in a digest.",
      [],
    ],
    ['digest add "" mon 08:00: usage', 'A title has 1 to 80 characters.', []],
    [`digest add "${'x'.repeat(81)}" mon 08:00: usage`, 'A title has 1 to 80 characters.', []],
    [`digest add mon 08:00: ${'usage; '.repeat(21)}`, 'A digest has at most 20 lines, this one has 21.', []],
    ['digest edit 2 to me', 'A digest stays where it is: add another one where you want it.', []],
    ['digest hand over 2 to ann', 'Who should it be handed over to?', []],
    ['digest hand over 2', 'Who should it be handed over to?', []],
    [
      'digest add mon 08:00 hand over to <@U024BE7LH>: usage',
      'A new digest is your own: add it first, then hand it over.',
      [],
    ],
    ['digest pause 2 3', "I don't understand “3” here.", []],
    ['digest list everything', "I don't understand “everything” here.", []],
    ['digest edti 2: usage', "“edti” isn't something a digest can do.", ['digest list']],
  ])('refuses %s', (typed, message, lines) => {
    const error = refusal(typed);
    expect(error.message).toBe(message);
    expect(error.choices.map(({ line }) => line)).toEqual(lines);
    for (const { line } of error.choices) expect(read(line)).toBe(line);
  });

  it('knows no names of JavaScript', () => {
    expect(refusal('digest constructor 2').message).toBe("“constructor” isn't something a digest can do.");
    expect(refusal('digest : usage').message).toBe("“: usage” isn't something a digest can do.");
  });

  it('refuses lines that quotation marks would join', () => {
    expect(canBeJoined(['nextport list:"a; b"', 'usage'])).toBe(true);
    expect(canBeJoined(['nextport list:"a"b"', 'nextport list:"c"d"'])).toBe(false);
  });
});

const ctx = { ...runContext(), ...featuresOver({} as AnalyticsClient).ctx };

it('costs the calls that its lines make of the service', () => {
  const ownLines = ['watch list mine', 'landfall status', 'digest list', 'vessel list'];
  expect(costOf(['usage', ...ownLines], ctx)).toEqual({
    ...{ calls: 1, isOfGroup: false, isOfPortGroup: false },
  });
  expect(costOf(ownLines, ctx).calls).toBe(0);
  expect(costOf(['nextport 9461477, 9755933', 'portcalls NLRTM, BEANR by day'], ctx).calls).toBe(4);
  expect(costOf(['lane SGSIN → CNXAM last quarter versus previous'], ctx).calls).toBe(2);
  expect(costOf(['nextport watched', 'nextport list:FEEDERS'], ctx)).toEqual({
    ...{ calls: 2, isOfGroup: true, isOfPortGroup: false },
  });
  expect(costOf(['portcalls ports:ARA tomorrow', 'lane Shanghai ports:ARA'], ctx)).toEqual({
    ...{ calls: 2, isOfGroup: false, isOfPortGroup: true },
  });
});

describe('the title', () => {
  const lines = ['usage', 'nextport 9461477'];
  it('names what the lines ask about, in words', () => {
    const others = ['watch changes', 'usage'];
    expect(defaultTitle(['nextport list:FEEDERS', 'portcalls NLRTM tomorrow', ...others], ctx)).toBe(
      'List FEEDERS, Rotterdam tomorrow, changes and 1 more',
    );
    expect(defaultTitle(['lane SGSIN CNXAM last quarter', 'nextport fleet:NORTH'], ctx)).toBe(
      'Singapore → Xiamen last quarter, fleet NORTH',
    );
    expect(defaultTitle(['watch list mine', 'nextport list:"A B"'], ctx)).toBe('Watch list mine, list A B');
    // Older versions saved lines that can't be read today.
    expect(defaultTitle(['explode "now"'], ctx)).toBe('Explode now');
  });

  it('changes with the lines if it was made from them, and stays if it was typed', () => {
    const made = { title: defaultTitle(lines, ctx), lines, zone: 'UTC', ownerId: 'U1' };
    expect(changeOf({ lines: ['nextport watched'] }, made, ctx)).toEqual({
      title: 'Watched vessels',
      lines: ['nextport watched'],
    });
    expect(changeOf({ lines: ['nextport watched'], title: 'Evening' }, made, ctx)).toMatchObject({
      title: 'Evening',
    });
    expect(changeOf({ onlyNews: true }, made, ctx)).toEqual({ onlyNews: true });
    expect(changeOf({ lines: ['nextport watched'] }, { ...made, title: 'Morning' }, ctx)).toEqual({
      lines: ['nextport watched'],
    });
  });
});
