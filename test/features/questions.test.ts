import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { createVesselDirectory, type NamedVessel } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels, type Imo } from '../../src/reference/codes.ts';
import { commands, parseLine } from '../support/registry.ts';

const vessels = createVesselDirectory(exampleVessels);
const [cypress, diana, given] = [9461477, 9755933, 9811000] as Imo[] as [Imo, Imo, Imo];
const understood = (text: string, threadVessels: readonly Imo[] = []) =>
  parseLine(text, { vessels, threadVessels }).understoodAs;

const questions: Record<string, readonly string[]> = {
  [`nextport ${given}`]: [
    'Where is EVER GIVEN?',
    'where’s ever given now',
    'wheres ever given',
    'where is the Ever Given going next?',
    'where is EVER GIVEN heading to',
    'where is MV Ever Given today?',
    'where is vessel 9811000',
    'Hi, can you please tell me where Ever Given is?',
    'do you know where EVER GIVEN is going?',
    'where will EVER GIVEN call next',
    "What is EVER GIVEN's next port?",
    'next port of EVER GIVEN',
    'next port EVER GIVEN?',
    'Which port is EVER GIVEN going to next?',
    'what port will EVER GIVEN call at next?',
    'When is EVER GIVEN due?',
    'when does ever given arrive, please',
    'when will ever given get in?',
    'ETA of EVER GIVEN',
    'eta ever given?',
    "what's the eta for ever given",
    'Landfall, where is EVER GIVEN?',
    '/landfall where is EVER GIVEN',
    '/nextport where is EVER GIVEN',
    '/portcalls when is EVER GIVEN due?',
  ],
  [`nextport ${given}, ${diana}`]: [
    'where are EVER GIVEN and MSC DIANA',
    'where are ever given, msc diana now?',
  ],
  'nextport fleet:NORTH': ['where is fleet NORTH', 'where is our fleet:NORTH?'],
  'nextport list:FEEDERS': ['where is list FEEDERS'],
  [`nextport ${diana} map`]: [
    'where is MSC DIANA on the map?',
    'show me MSC DIANA on a map',
    'map of MSC Diana',
  ],
  'nextport watched': ['where are our ships?', 'where are all my watched vessels now'],
  [`nextport ${diana} at NLRTM`]: [
    'when does MSC DIANA get to Rotterdam',
    'When will MSC Diana arrive in Rotterdam?',
    'what time does MSC DIANA reach the port of Rotterdam',
    'when is msc diana due in rotterdam',
    'when is MSC DIANA expected at NLRTM?',
    'will MSC DIANA call at Rotterdam?',
    'is MSC DIANA still going to Rotterdam?',
    'is MSC DIANA on her way to Rotterdam',
    'do you know when MSC DIANA arrives in Rotterdam?',
    'eta of MSC DIANA in Rotterdam',
    'when will MSC DIANA be in Rotterdam',
  ],
  'portcalls NLRTM': [
    'who is coming to Rotterdam?',
    "who's due in Rotterdam",
    'what ships are coming to Rotterdam',
    'which vessels call at Rotterdam',
    'any ships coming to Rotterdam?',
    'how many vessels are due at Rotterdam',
    'when is the next ship due in Rotterdam?',
    'arrivals in Rotterdam',
    'ships for Rotterdam',
  ],
  'portcalls BEANR tomorrow': [
    'arrivals Antwerp tomorrow',
    'who is coming to Antwerp tomorrow?',
    "what's coming to Antwerp tomorrow",
    'which ships arrive in Antwerp tomorrow',
    'show me the expected arrivals at Antwerp tomorrow',
    'who will be in Antwerp tomorrow',
  ],
  'portcalls BEANR next 3 days': ['what vessels will call at Antwerp in the next 3 days?'],
  'portcalls BEANR next 48 hours': ['who is coming to Antwerp within 48 hours'],
  'portcalls NLRTM, BEANR tomorrow': [
    'who is coming to Rotterdam and Antwerp tomorrow?',
    'which vessels will call at Rotterdam or Antwerp tomorrow',
  ],
  'portcalls NLRTM by day': ['how busy is Rotterdam?', 'how many vessels are coming to Rotterdam per day?'],
  'portcalls NLRTM next week by day': [
    'How busy will Rotterdam be next week?',
    'how busy is Rotterdam next week',
    'how many ships are due in Rotterdam each day next week?',
    'expected arrivals at Rotterdam per day next week',
  ],
  'portcalls BEANR tonight': ['who arrives in Antwerp tonight?'],
  'portcalls BEANR this weekend': [
    'who is coming to Antwerp at the weekend',
    'any ships due in Antwerp over the weekend',
  ],
  'lane SGSIN CNXAM MSCU': [
    'How late is MSC from Singapore to Xiamen?',
    'how late is MSC on the lane Singapore Xiamen',
    'how late is MSC on lane SGSIN CNXAM',
    'how reliable is MSC between Singapore and Xiamen',
    'how does MSC perform from Singapore to Xiamen',
    'how is MSC doing on the route from Singapore to Xiamen?',
  ],
  'lane SGSIN CNXAM MSCU versus previous': [
    'Has MSC got worse on Singapore Xiamen?',
    'is MSC getting better from Singapore to Xiamen?',
    'has MSC improved on the lane Singapore to Xiamen',
  ],
  'lane SGSIN CNXAM MSCU last quarter': ['how late was MSC from Singapore to Xiamen last quarter?'],
  'lane SGSIN CNXAM': [
    'how does the lane Singapore to Xiamen perform',
    'how does lane Singapore Xiamen perform?',
    'how is Singapore to Xiamen doing',
    'how late are ships from Singapore to Xiamen',
    'who is the most reliable from Singapore to Xiamen',
    'which carrier is best from Singapore to Xiamen?',
    'delays from Singapore to Xiamen',
  ],
  'lane SGSIN CNXAM q3': ['how did the lane Singapore to Xiamen perform in q3?'],
  'usage last month': [
    'how many API calls did we use last month?',
    'How many requests did we make last month',
    'how much of the API did we use last month',
    'what was our API usage last month',
  ],
  'watch changes': [
    'what changed today?',
    'what has changed',
    'anything new?',
    "what's new today",
    'any changes',
  ],
  'watch stability 9755933': [
    'how stable is MSC DIANA?',
    "how stable is MSC DIANA's ETA",
    'how steady are the predictions for MSC DIANA',
  ],
  'watch changes since monday': ['what changed since Monday?', 'have there been any changes since Monday'],
  'watch changes since yesterday': ['what has changed since yesterday?', 'what did I miss since yesterday'],
  'watch changes last 24 hours': ['what changed in the last 24 hours?'],
  'watch changes since yesterday 18:00': ['what changed overnight?', 'what happened last night'],
  usage: ['how many api calls have we made so far', 'what is our usage?'],
  'usage 2026-10': ['how many calls did we use in October 2026'],
  'usage bot': [
    'what does Landfall cost us?',
    'how many calls did the bot make',
    'how many API calls has Landfall made?',
    'what did you use',
  ],
  'usage bot last month': [
    'How many calls did the bot make last month?',
    'what did Landfall use last month?',
  ],
};

describe.each(Object.entries(questions))('%s', (line, asked) => {
  test.each(asked)('%s', (text) => {
    expect(understood(text)).toBe(line);
  });
});

test('every example of a question is understood, and its line changes nothing', () => {
  const examples = commands.flatMap(({ name, questions }) => questions.map(({ example }) => [name, example]));
  expect(examples.length).toBeGreaterThan(7);
  for (const [name, example = ''] of examples) {
    const { line, understoodAs, repeatable } = parseLine(example, { vessels });
    expect(understoodAs).toBe(line);
    expect(line.split(' ')[0]).toBe(name);
    expect(repeatable).toBe(true);
  }
});

test('a line that is no question is not “understood”', () => {
  for (const text of ['nextport 9811000', 'EVER GIVEN', 'Rotterdam tomorrow', 'hello', '9811000 history']) {
    expect(understood(text)).toBeUndefined();
  }
});

test('a word of five letters isn’t taken for the code of a port, unless it is typed as one', () => {
  expect(refusal('who is coming to lunch today?')).toMatchInlineSnapshot(`
    "unknown-port: I don't know a port called “lunch”.
    Is it a UN/LOCODE?
    [Yes, LUNCH] portcalls LUNCH today"
  `);
  for (const text of ['when does EVER GIVEN get to Japan', 'how late are ships from Singapore to Japan?'])
    expect(refusal(text)).toContain('[Yes, ');
  expect(understood('who is coming to LUNCH?')).toBe('portcalls LUNCH');
  expect(() => understood('who is coming to Rotterdam and lunch?')).toThrow(
    "I don't know a port called “lunch”.",
  );
  expect(understood('who is coming to nlrtm?')).toBe('portcalls NLRTM');
});

describe('in the thread of a watch', () => {
  test.each([
    ['where is it?', `nextport ${cypress}`],
    ["where's she now", `nextport ${cypress}`],
    ['when does it get there?', `nextport ${cypress}`],
    ['when will the ship arrive', `nextport ${cypress}`],
    ['when does it get to Hamburg?', `nextport ${cypress} at DEHAM`],
    ['is she still going to Rotterdam', `nextport ${cypress} at NLRTM`],
    ['where is EVER GIVEN?', `nextport ${given}`],
    ['who is coming to Rotterdam', 'portcalls NLRTM'],
  ])('%s', (text, line) => {
    expect(understood(text, [cypress])).toBe(line);
  });

  test('of several vessels, “they” are all of them', () => {
    expect(understood('where are they now?', [cypress, given])).toBe(`nextport ${cypress}, ${given}`);
    expect(refusal('when does it get to Rotterdam', [cypress, given])).toMatchInlineSnapshot(`
      "too-many-vessels: You can ask about a port for only one vessel at a time.
      [DS CYPRESS at Rotterdam (NLRTM)] nextport 9461477 at NLRTM
      [EVER GIVEN at Rotterdam (NLRTM)] nextport 9811000 at NLRTM
      [Who is coming to Rotterdam (NLRTM)] portcalls NLRTM
      [Watch them at Rotterdam (NLRTM)] watch 9461477, 9811000 at NLRTM"
    `);
  });

  test('elsewhere, “it” is asked about', () => {
    expect(refusal('where is it?')).toMatchInlineSnapshot(`
      "missing-argument: Which vessel is “it”?
      Name the vessel, or ask in the thread of its watch."
    `);
  });
});

describe('questions that are refused', () => {
  test.each([
    'where is EVER GIVNE now?',
    'where is 9811001',
    'where is MSC?',
    'when does MSC DINA get to Rotterdam?',
    'when does MSC DIANA get to Roterdam?',
    'when does MSC DIANA get to Rotterdam tomorrow?',
    'who is coming to Roterdam tomorrow?',
    'who is coming to Portland?',
    'who is coming tomorrow?',
    'who came to Rotterdam yesterday?',
    'who is coming to Rotterdam yesterday?',
    'how late is MCS from Singapore to Xiamen last quarter?',
    'how late is MSC from Singapore to Xiamn?',
    'where are EVER GIVEN and MSC DINA?',
    'how many API calls did we use in octember?',
    'is EVER GIVEN delayed by weather?',
    'what is the meaning of life?',
    'Why?',
  ])('%s', (text) => {
    expect(refusal(text)).toMatchSnapshot();
  });

  test('a question that can mean two vessels asks which', () => {
    const hopes: NamedVessel[] = [
      { imo: diana, name: 'HOPE' },
      { imo: given, name: 'HOPE NOW' },
    ];
    expect(refusal('where is Hope now?', [], hopes)).toMatchInlineSnapshot(`
      "ambiguous-vessel: That question can mean several things. Which one?
      [/nextport HOPE] nextport 9755933
      [/nextport HOPE NOW] nextport 9811000"
    `);
  });

  test('the examples are about vessels that are known here', () => {
    const some: NamedVessel[] = [{ imo: diana, name: 'MSC DIANA' }];
    expect(refusal('what is the meaning of life?', [], some)).toMatchInlineSnapshot(`
      "unknown-command: I can't answer “what is the meaning of life”.
      [When does MSC DIANA get to Rotterdam?] nextport 9755933 at NLRTM
      [Who is coming to Rotterdam tomorrow?] portcalls NLRTM tomorrow
      [How late is MSC from Singapore to Xiamen?] lane SGSIN CNXAM MSCU
      [Show all commands] landfall"
    `);
  });
});

function refusal(
  text: string,
  threadVessels: readonly Imo[] = [],
  named: readonly NamedVessel[] = exampleVessels,
) {
  try {
    return `no refusal: ${parseLine(text, { vessels: createVesselDirectory(named), threadVessels }).line}`;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const choices = error.choices.map(({ label, line }) => `[${label}] ${line}`);
    return [`${error.code}: ${error.message}`, error.hint, ...choices].filter(Boolean).join('\n');
  }
}
