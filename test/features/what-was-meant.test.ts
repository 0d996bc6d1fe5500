import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels, type Imo } from '../../src/reference/codes.ts';
import { parseLine } from '../support/registry.ts';

const vessels = createVesselDirectory(exampleVessels);
const cypress = 9461477 as Imo;
const diana = 9755933 as Imo;

/** The canonical line; of an error its code, its words, and the lines that it offers. */
function read(text: string, threadVessels: readonly Imo[] = []) {
  try {
    return parseLine(text, { vessels, threadVessels }).line;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, hint, choices } = error;
    return [`${code}: ${[message, hint].filter(Boolean).join(' ')}`, ...choices.map(({ line }) => line)];
  }
}

describe('ports', () => {
  test.each([
    ['portcalls Rotterdam Maasvlakte', 'portcalls NLRTM'],
    ['portcalls Maasvlakte, Rotterdam', 'portcalls NLRTM'],
    ['Rotterdam (Europoort) tomorrow', 'portcalls NLRTM tomorrow'],
    ['who is coming to Rotterdam Maasvlakte?', 'portcalls NLRTM'],
    ['nextport MSC DIANA at Rotterdam Maasvlakte', 'nextport 9755933 at NLRTM'],
    ['watch MSC DIANA at Rotterdam Maasvlakte', 'watch 9755933 at NLRTM'],
    ['lane Singapore Rotterdam Maasvlakte', 'lane SGSIN NLRTM'],
    ['lane Rotterdam Maasvlakte Singapore MSC', 'lane NLRTM SGSIN MSCU'],
    ['portcalls Le Pirée', 'portcalls GRPIR'],
    ['PIRÉE tonight', 'portcalls GRPIR tonight'],
    ['portcalls le piree', 'portcalls GRPIR'],
    ['portcalls Piräus, Singapour', 'portcalls GRPIR, SGSIN'],
    ['lane Barcelone Algésiras', 'lane ESBCN ESALG'],
    ['portcalls antwerp next monday', 'portcalls BEANR next monday'],
    ['who is coming to antwerp next tuesday', 'portcalls BEANR next tuesday'],
    ['portcalls antwerp this friday', 'portcalls BEANR friday'],
  ])('%s', (typed, line) => {
    expect(read(typed)).toBe(line);
  });

  test('with words that no port has: the error names them', () => {
    expect(read('portcalls Rotterdam Waalhaven')).toEqual([
      'unexpected-words: I can read “Rotterdam” as a port, but not “Waalhaven” after it.',
      'portcalls NLRTM',
    ]);
    expect(read('portcalls Le Foo')).toEqual([expect.stringContaining('“Le Foo” isn')]);
  });

  test('where a vessel belongs: the error says so, and offers what the port can be asked', () => {
    const hint = 'If a vessel has that name too, type its IMO number.';
    const message = (typed: string) =>
      `unknown-vessel: “${typed}” is a port, not a vessel that I know. ${hint}`;
    expect(read('nextport Rotterdam Maasvlakte')).toEqual([
      message('Rotterdam Maasvlakte'),
      'portcalls NLRTM',
    ]);
    expect(read('when is Le Pirée due?')).toEqual([message('Le Pirée'), 'portcalls GRPIR']);
    expect(read('watch Rotterdam')).toEqual([message('Rotterdam'), 'watch port NLRTM']);
    expect(read('watch Le Pirée eta 6h')).toEqual([message('Le Pirée'), 'watch port GRPIR eta 6h']);
  });
});

describe('vessels in quotes', () => {
  test.each([
    '"DS CYPRESS" "MSC DIANA"',
    '"DS CYPRESS", "MSC DIANA"',
    '"DS CYPRESS""MSC DIANA"',
    '"DS CYPRESS" MSC DIANA',
    'DS CYPRESS "MSC DIANA"',
    '“DS CYPRESS” “MSC DIANA”',
    '„DS CYPRESS“ „MSC DIANA“',
    "'DS CYPRESS' 'MSC DIANA'",
    '‘DS CYPRESS’ ‘MSC DIANA’',
    "'DS CYPRESS' and 'MSC DIANA'",
    "'DS CYPRESS', MSC DIANA",
    '"DS CYPRESS" / \'MSC DIANA\'',
    '"DS CYPRESS" 9755933',
  ])('%s', (typed) => {
    for (const command of ['nextport', 'watch'])
      expect(read(`${command} ${typed}`)).toBe(`${command} 9461477, 9755933`);
    expect(read(typed)).toBe('nextport 9461477, 9755933');
    expect(read(`where are ${typed}?`)).toBe('nextport 9461477, 9755933');
  });

  test('an unknown one is named alone; an apostrophe is part of a name', () => {
    expect(read('nextport "DS CYPRESS" "MSC DINA"')).toEqual([
      "unknown-vessel: I don't know MSC DINA. What's its IMO number?",
      'nextport DS CYPRESS, 9755933',
    ]);
    expect(read('nextport MV "DS CYPRESS" (9461477)')).toBe('nextport 9461477');
    const named = createVesselDirectory([
      { imo: cypress, name: "QUEEN'S STAR" },
      { imo: diana, name: "L'AUSTRAL" },
    ]);
    expect(parseLine("nextport queen's star, L’Austral", { vessels: named }).line).toBe(
      'nextport 9461477, 9755933',
    );
  });
});

describe('carriers', () => {
  test.each([
    ['lane Singapore Rotterdam msc vs maersk', 'lane SGSIN NLRTM MSCU,MAEU'],
    ['lane Singapore Rotterdam msc versus maersk last quarter', 'lane SGSIN NLRTM MSCU,MAEU last quarter'],
    [
      'lane Singapore Rotterdam msc vs. maersk vs last quarter',
      'lane SGSIN NLRTM MSCU,MAEU versus last quarter',
    ],
    ['lane Singapore Rotterdam last quarter vs previous', 'lane SGSIN NLRTM last quarter versus previous'],
    ['lane Singapore Rotterdam msc vs previous', 'lane SGSIN NLRTM MSCU versus previous'],
  ])('%s', (typed, line) => {
    expect(read(typed)).toBe(line);
  });

  test.each([
    'lane msc vs maersk',
    'msc vs maersk',
    'MSC or Maersk?',
    'lane msc maersk',
    'msc against maersk',
  ])('%s: asks for the lane', (typed) => {
    expect(read(typed)).toEqual([
      'missing-argument: On which trade lane? MSC and Maersk are carriers. ' +
        'Origin first, then destination, by name or UN/LOCODE.',
    ]);
  });

  test('an unknown carrier is named, not taken for a period', () => {
    expect(read('lane Singapore Rotterdam msc vs maresk')).toEqual([
      expect.stringContaining('“maresk” isn'),
      expect.stringContaining('MAEU'),
    ]);
  });
});

describe('fleets and lists at a port', () => {
  const message = 'You can ask about a port for only one vessel at a time.';
  test.each([
    ['fleet:MINE at Rotterdam', 'fleet:MINE'],
    ['nextport fleet:MINE at Rotterdam', 'fleet:MINE'],
    ['nextport fleet:"MY SHIPS" at Rotterdam', 'fleet:"MY SHIPS"'],
    ['nextport list:FEEDERS at the port of Rotterdam', 'list:FEEDERS'],
    ['when does fleet MINE get to Rotterdam?', 'fleet:MINE'],
  ])('%s', (typed, group) => {
    expect(read(typed)).toEqual([
      `too-many-vessels: ${message}`,
      `nextport ${group}`,
      'portcalls NLRTM',
      `watch ${group} at NLRTM`,
    ]);
  });

  test('watched vessels have no watch of their own', () => {
    expect(read('watched at Rotterdam')).toEqual([
      `too-many-vessels: ${message}`,
      'nextport watched',
      'portcalls NLRTM',
    ]);
  });
});

describe('“it” in a thread', () => {
  test.each([
    ['watch it', 'watch 9461477'],
    ['watch this ship', 'watch 9461477'],
    ['watch it at Rotterdam', 'watch 9461477 at NLRTM'],
    ['watch it and MSC DIANA eta 6h', 'watch 9461477, 9755933 eta 6h'],
    ['watch stop it', 'watch stop 9461477'],
    ['stop it', 'watch stop 9461477'],
    ['snooze it 1h', 'watch snooze 9461477 1h'],
    ['nextport it history', 'nextport 9461477 history'],
    ['it', 'nextport 9461477'],
    ['where is it?', 'nextport 9461477'],
    ['vessel fleet NORTH add it', 'vessel fleet NORTH add 9461477'],
    ['vessel forget it', 'vessel forget 9461477'],
  ])('%s', (typed, line) => {
    expect(read(typed, [cypress])).toBe(line);
  });

  test('of several vessels: “them” are all, “it” is asked about', () => {
    expect(read('watch them', [cypress, diana])).toBe('watch 9461477, 9755933');
    expect(read('watch it', [cypress, diana])).toEqual([
      'missing-argument: Which vessel is “it”?',
      'watch 9461477',
      'watch 9755933',
    ]);
  });

  test.each([
    'watch it',
    'nextport it',
    'watch it at Rotterdam',
    'where is it?',
    'vessel forget it',
  ])('elsewhere, %s is asked about', (typed) => {
    expect(read(typed)).toEqual([
      'missing-argument: Which vessel is “it”? Name the vessel, or ask in the thread of its watch.',
    ]);
  });

  test('a vessel may have that name', () => {
    const named = createVesselDirectory([{ imo: diana, name: 'IT' }]);
    expect(parseLine('watch it', { vessels: named, threadVessels: [cypress] }).line).toBe('watch 9755933');
  });
});

describe('help', () => {
  test.each([
    'help me',
    'Help me!',
    'help me please',
    'can you help me?',
    'please help',
    'I need help',
    '/landfall help me',
  ])('%s', (typed) => {
    expect(read(typed)).toBe('landfall');
  });
  test('about an unknown command names it', () => {
    expect(read('help tracking')).toEqual(["unknown-command: “tracking” isn't a command."]);
    expect(read('/watch help me')).toBe('landfall help watch');
  });
});

test.each([
  '/landfall settings public',
  'settings private',
  'landfall settings Public',
])('%s: who sees answers is one of the settings', (typed) => {
  expect(read(typed)).toEqual([
    expect.stringMatching(
      /^unexpected-words: “(public|private)” isn't a setting that can be typed. Who sees the answers is one of the channel's settings: open them to change it.$/,
    ),
    'landfall settings',
  ]);
});

test('a name with the number of another vessel is two pasted rows, not a name', () => {
  expect(read('vessel name 9461477 DS CYPRESS 9755933 MSC DIANA')).toEqual([
    "unexpected-words: “DS CYPRESS 9755933 MSC DIANA” can't be a name: it has the IMO number 9755933. Name one vessel in each line.",
  ]);
  expect(read('vessel name 9461477 STAR 1234568')).toBe('vessel name 9461477 STAR 1234568');
});
