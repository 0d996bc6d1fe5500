import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { textsOfFile } from '../scripts/texts/source.ts';
import { allTexts } from '../scripts/texts.ts';

let texts: Awaited<ReturnType<typeof allTexts>>;

beforeAll(async () => {
  texts = await allTexts();
});

const features = readdirSync(new URL('../src/features/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What they say is shown with a command of another feature, such as `/watch`. */
const shownElsewhere = [
  ...[
    'alerts',
    'cards',
    'changes',
    'fleets',
    'history',
    'polling',
    'port-groups',
    'promises',
    'rules',
    'stability',
  ],
];

const withoutCommand: Readonly<Record<string, RegExp>> = {
  owned: /^channelNoticeAnswer$/,
  export: /^exportAnswer$/,
  links: /^briefAnswer$/,
};

describe('npm run texts', () => {
  test.each(features)('shows what %s says, and what stands in its source', (feature) => {
    const contexts = (texts[feature] ?? []).map(({ context }) => context);
    const first = withoutCommand[feature] ?? /^\/landfall(?: help.*)?$/;
    expect(contexts.some((context) => first.test(context))).toBe(!shownElsewhere.includes(feature));
    expect(contexts.some((context) => context.startsWith(`src/features/${feature}/`))).toBe(true);
  });

  test('says of each text where it comes from', () => {
    for (const { context, text } of Object.values(texts).flat()) {
      expect(context.trim()).not.toBe('');
      expect(text.trim()).not.toBe('');
    }
  });

  test('calls things by one word, and draws no bars of characters, which a screen reader reads one by one', () => {
    const shown = Object.values(texts).flatMap((some) => some.map(({ text }) => text));
    const refused = /\b(?:vessel|ship|port|list) views?\b|zone assumed|toss-ups?\b|\(was \d|[\u2580-\u259F]/i;
    expect(shown.filter((text) => refused.test(text))).toEqual([]);
  });

  test('has the manifest, and no text that shows a fault of its own', () => {
    expect(texts.manifest?.map(({ text }) => text)).toContain('Watch a vessel');
    const shown = Object.values(texts).flatMap((some) => some.map(({ text }) => text));
    expect(shown.filter((text) => text.includes('Something broke on our side (ref 7K3F)'))).toHaveLength(1);
  });
});

test('reads what people see out of the source, and neither types, imports nor logs', () => {
  const code = `
    import { a } from 'some words here';
    type Kind = 'a type of words';
    export function refuse(name: string) {
      logger.warn({}, 'for the log alone');
      if (name === 'x') throw new Error('for us alone');
      return new UserError({ code: 'bad-rule', message: \`\${name ? 'No such name' : 'none'} here.\`, hint: 'Retry' });
    }`;
  expect(textsOfFile('src/a.ts', code)).toEqual([
    {
      at: 'src/a.ts:7',
      context: 'refuse › UserError › message',
      text: "{name ? 'No such name' : 'none'} here.",
    },
    { at: 'src/a.ts:7', context: 'refuse › UserError › message', text: 'No such name' },
    { at: 'src/a.ts:7', context: 'refuse › UserError › hint', text: 'Retry' },
  ]);
});
