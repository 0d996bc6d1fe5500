import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Answer,
  type AnswerButton,
  type AnswerMenu,
  type ChartSection,
  exportTables,
  type ImageSection,
  type LinesSection,
  type RowsSection,
  type Section,
  watchPort,
  watchThese,
} from '../../src/answers/answer.ts';
import type { KnownVessel } from '../../src/answers/formatting/words.ts';
import * as kinds from '../../src/answers/kinds.ts';
import { paged, plainBlocksOf } from '../../src/answers/message.ts';
import { readStored, storedAnswer, toStored } from '../../src/answers/stored.ts';
import { structuredSchema, toStructured } from '../../src/answers/structured.ts';
import { table } from '../../src/answers/table.ts';
import { forAsker, onlyInLine, onlyInTable, type Text } from '../../src/answers/text.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import {
  aLine,
  anImo,
  aPage,
  aPort,
  aProvenance,
  aReader,
  aScac,
  aTime,
  aVessel,
  nasty,
} from '../support/answer-arbitraries.ts';
import { messageOf, replyMessage } from '../support/answer-message.ts';
import { slackFaults } from '../support/slack-faults.ts';

// One test for every table and answer: whatever features put into a document, each renderer keeps its promises.

interface Row {
  name: string;
  imo: Imo;
  vessel: KnownVessel;
  port: Locode;
  carrier: ReturnType<typeof scacOf>;
  eta: Date | undefined;
  count: number;
  of: number;
  secret: string;
}

const scacOf = (): typeof aScac extends fc.Arbitrary<infer Scac> ? Scac : never =>
  fc.sample(aScac, 1)[0] ?? never();

/** A column of each kind. */
const everyKind = table<Row>({
  name: 'rows',
  about: 'A row',
  isOfService: true,
  columns: {
    rank: kinds.shown('#', ({ count }) => ({ sort: count, text: onlyInTable(String(count)) })),
    name: kinds.text('Name', 'its name', ({ name }) => name),
    vessel: kinds.vessel('Vessel', ({ vessel }) => vessel),
    port: kinds.port('Port', 'port', ({ port }) => port),
    carrier: kinds.carrier('Carrier', 'the carrier', ({ carrier }) => carrier),
    imo: kinds.imo('IMO', (row) => row),
    eta: kinds.eta('ETA', (row) => ({ ...row, isNamed: row.count > 10 })),
    left: kinds.timeLeft('In', ({ eta }) => eta),
    moved_eta: kinds.eta('ETA', (row) => row, { words: ({ eta }) => (eta ? { instant: eta } : '') }),
    sum: kinds.number('Sum', 'of counts', ({ count, of }) => count / 3 + of),
    count: kinds.count('Count {unit}', 'number', ({ count }) => count),
    probability: kinds.probability('%', 'probability', ({ count, of }) =>
      of > 0 ? Math.min(1, count / of) : undefined,
    ),
    share: kinds.share('Share', 'part', ({ count, of }) => [count, of], { whole: 'rows', minimum: 10 }),
    at: kinds.instant('At', 'a moment, in UTC', ({ eta }) => eta),
    is_big: kinds.flag('Big', 'more than 10', ({ count }) => count > 10),
    secret: kinds.text('Secret', 'for members', ({ secret }) => secret, { membersOnly: true }),
    words: kinds.shown('Words', ({ name }) => ({
      text: [{ strong: name }, ' ', { channel: 'C1' }, onlyInLine(' LT')],
    })),
    filed: kinds.field('text', 'in files alone', ({ name }) => name),
  },
});

/** A table clips a cell, but a page of long cells would be too much for a message. */
const aName = nasty.map((words) => words.slice(0, 40));
const aRow: fc.Arbitrary<Row> = fc.record({
  name: aName,
  imo: anImo,
  vessel: aVessel,
  port: aPort,
  carrier: aScac,
  eta: fc.option(aTime, { nil: undefined }),
  count: fc.nat(2_000_000_000),
  of: fc.nat(2_000_000_000),
  secret: aName.map((words) => `secret ${words}`),
});

/** With no field for programs. */
const onlyShown = table<Row>({
  name: 'shown',
  about: 'A row that is only shown',
  columns: { words: kinds.shown('Words', ({ name }) => `Row ${name}`) },
});

const person = 'U0ADA0001';
const secret = 'lf_never-in-a-notification';

const { text: aText } = fc.letrec<{ text: Text }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    nasty,
    fc.record({ strong: nasty }),
    fc.record({ code: nasty }),
    fc.record({ instant: aTime }),
    fc.record({ moment: aTime, portZone: fc.constantFrom(undefined, 'Asia/Singapore') }),
    fc.record({ inTable: nasty, inLine: nasty }),
    fc.record({ channel: nasty }),
    fc.record({ person: fc.constant(person) }).map((each) => forAsker(each, 'somebody')),
    fc.record({ secret: fc.constant(secret) }),
    fc.record({
      link: fc.oneof(nasty, fc.constant('https://example.slack.com/archives/C1/p1')),
      label: nasty,
    }),
    fc.array(tie('text'), { maxLength: 4 }),
  ),
}));
const someText = fc.array(aText, { maxLength: 40, size: 'max' });
const someRows = fc.array(aRow, { maxLength: 60, size: 'max' });

const aTable = fc.tuple(someRows, aPage, nasty).map(([rows, page, caption]) =>
  everyKind.of({
    rows,
    shown: paged(rows, page, 12).items,
    caption,
    words: { unit: caption },
    subject: [caption],
  }),
);
const aShownTable = someRows.map((rows) => onlyShown.of({ rows, caption: 'Only shown' }));
const aLabel = nasty.filter((label) => label.trim() !== '');
const someLabels = fc.array(
  nasty.map((words) => words.slice(0, 20)).filter((label) => label.trim() !== ''),
  { maxLength: 20 },
);
const aChart: fc.Arbitrary<ChartSection> = fc
  .tuple(
    nasty,
    someLabels,
    fc.array(aLabel, { minLength: 1, maxLength: 3 }),
    fc.nat(1e9),
    fc.record({ isInTable: fc.boolean(), data: aTable }, { requiredKeys: [] }),
  )
  .map(([words, categories, series, value, more]) => ({
    ...more,
    kind: 'bars',
    title: `Chart ${words}`,
    categories,
    series: series.map((name) => ({ name, bars: categories.map(() => ({ value, text: String(value) })) })),
  }));
const someLines: fc.Arbitrary<LinesSection> = fc
  .tuple(nasty, someLabels, fc.array(aLabel, { minLength: 1, maxLength: 4 }), fc.integer())
  .map(([words, labels, names, value]) => ({
    kind: 'lines',
    title: `Lines ${words}`,
    yLabel: `Hours ${words}`,
    labels,
    lines: names.map((name) => ({ name, values: labels.map(() => value) })),
  }));
const anImage: fc.Arbitrary<ImageSection> = nasty.map((words) => ({
  kind: 'image',
  url: 'https://landfall.example.com/pictures/x.png',
  alt: `Picture ${words}`,
}));
const aTextSection = someText.map((lines) => ({ kind: 'text' as const, lines }));
const aButton: fc.Arbitrary<AnswerButton> = fc.oneof(
  fc.record({ label: aLabel, line: aLine }),
  fc.record({ label: aLabel, form: fc.constant('watch'), target: fc.constant({ imo: 9461477 }) }),
  fc.record({
    ...{ label: aLabel, press: fc.constant('watch:stop'), value: fc.constant('w1') },
    confirm: fc.record({ title: aLabel, question: aLabel, yes: aLabel }),
  }),
);
const aRowsSection: fc.Arbitrary<RowsSection> = fc
  .array(
    fc.record(
      {
        lines: fc.tuple(
          aLabel,
          aText.map((words): Text => words),
        ),
        button: aButton,
      },
      { requiredKeys: ['lines'] },
    ),
    { maxLength: 5 },
  )
  .map((rows) => ({ kind: 'rows', rows }));
const someCode = fc.array(nasty, { maxLength: 200, size: 'max' });
const aSection: fc.Arbitrary<Section> = fc.oneof(
  aTextSection,
  someCode.map((lines) => ({ kind: 'code' as const, lines })),
  aTable,
  aShownTable,
  aRowsSection,
  fc.record({
    kind: fc.constant('details' as const),
    title: nasty.map((words) => `Details ${words}`),
    sections: fc.array(fc.oneof(aTextSection, aTable), { minLength: 1, maxLength: 3 }),
  }),
);
const someActions = fc.array(fc.record({ label: aLabel, line: aLine }), { maxLength: 8 });
const aMenu: fc.Arbitrary<AnswerMenu> = fc.record({
  label: aLabel,
  press: fc.constant('watch:snooze'),
  options: fc.array(fc.record({ label: aLabel, value: fc.constant('1h w1') }), {
    minLength: 1,
    maxLength: 5,
  }),
});
/** Only one of a form: Slack wants other ids. */
const someButtons = fc
  .tuple(aButton, someActions, fc.array(aMenu, { maxLength: 1 }))
  .map(([button, runs, menus]) => [...menus, ...runs, button]);

const aVerdict: fc.Arbitrary<Answer['verdict']> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      strong: aText.map((words): Text => ['Verdict: ', words]),
      rest: aText,
      lines: fc.array(aText, { maxLength: 3 }),
    }),
  },
  // A card has plain words.
  fc.record({
    strong: nasty.map((words) => `Verdict: ${words}`),
    lines: fc.array(nasty, { maxLength: 3 }),
    isCard: fc.constant(true),
  }),
);

const anAnswer: fc.Arbitrary<Answer> = fc.record(
  {
    verdict: aVerdict,
    // Two charts would be too much to read.
    sections: fc
      .tuple(
        fc.array(fc.oneof(aChart, someLines, anImage), { maxLength: 1 }),
        fc.array(aSection, { maxLength: 3 }),
      )
      .map((parts) => parts.flat()),
    notes: fc.array(aText, { maxLength: 8 }),
    firstNotes: fc.array(aText, { maxLength: 2 }),
    provenance: aProvenance,
    isForecast: fc.boolean(),
    actions: fc.record({
      watch: fc.oneof(
        aPort.map(watchPort),
        aPort.map((at) => watchThese({ kind: 'list', name: 'NORTH' }, at)),
      ),
      runs: someButtons,
      more: someActions,
      isLasting: fc.boolean(),
    }),
    page: aPage.map((asked) => {
      const { items: _, ...page } = paged(Array(60).fill(0), asked, 20);
      return { ...page, size: 20 };
    }),
  },
  { requiredKeys: ['verdict'] },
);

test("a message keeps Slack's limits and mentions nobody, whatever the document holds; it says of invented data that it is", () => {
  fc.assert(
    fc.property(anAnswer, aLine, aReader, (answer, line, reader) => {
      const named = reader.audience === 'private' ? new RegExp(`<@${person}>`, 'g') : undefined;
      const message = messageOf(answer, line, reader);
      expect(slackFaults(message, named)).toEqual([]);
      // What no line asks for has no pages.
      const { page: _, ...reply } = answer;
      expect(slackFaults(replyMessage(reply, reader), named)).toEqual([]);
      const said = [message.text, JSON.stringify(message.blocks), JSON.stringify(plainBlocksOf(message))];
      const isInvented = reader.source === 'sandbox';
      expect(said.map((words) => words.includes('invented data'))).toEqual(said.map(() => isInvented));
      expect(message.text).not.toContain(secret);
    }),
    { numRuns: 150 },
  );
});

test('people never read of an answer about the workspace that it is invented, and it has neither Refresh nor Share', () => {
  fc.assert(
    fc.property(anAnswer, aReader, (answer, given) => {
      const reader = { ...given, source: 'sandbox' as const };
      const own = { ...answer, isOwn: true };
      const { blocks, text } = messageOf(own, 'lane', reader);
      expect(`${text} ${JSON.stringify(blocks)}`).not.toMatch(/invented data|"refresh"|"share"/);
      // Programs always learn it.
      expect(toStructured(own, { line: 'lane', reader }).provenance.invented).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test('programs get what the schema says, without secrets, and files a value for each field', () => {
  const schema = structuredSchema([everyKind]);
  fc.assert(
    fc.property(anAnswer, aLine, aReader, (answer, line, reader) => {
      const structured = toStructured(answer, { line, reader });
      expect(schema.strict().safeParse(structured).error).toBeUndefined();
      expect(structured.provenance.invented).toBe(reader.source === 'sandbox');
      expect(JSON.stringify(structured)).not.toContain(secret);
      for (const each of exportTables(answer, reader)) {
        const rows = [...each.rows()];
        expect(rows).toHaveLength(each.rowCount);
        for (const row of rows) expect(row).toHaveLength(each.columns.length);
      }
    }),
    { numRuns: 100 },
  );
});

test('a column for members is nowhere in what outsiders get', () => {
  fc.assert(
    fc.property(fc.tuple(aTable, anAnswer), aReader, ([section, answer], reader) => {
      const withTable = { ...answer, sections: [section] };
      const outside = { ...reader, audience: 'outside' as const };
      const seen = [
        messageOf(withTable, 'lane', outside).blocks,
        toStructured(withTable, { line: 'lane', reader: outside }).tables,
        exportTables(withTable, outside).map((each) => [each.columns, [...each.rows()]]),
      ];
      expect(JSON.stringify(seen)).not.toMatch(/secret |Secret/);
    }),
    { numRuns: 50 },
  );
});

test('an answer that was stored is shown as it would have been, also to outsiders who came later', () => {
  fc.assert(
    fc.property(anAnswer, aLine, aReader, (answer, line, reader) => {
      const kept: unknown = JSON.parse(JSON.stringify(toStored(answer, { line }, reader)));
      const read = readStored(storedAnswer.parse(kept));
      expect(messageOf(read, line, reader)).toEqual(messageOf(answer, line, reader));
      const outside = { ...reader, audience: 'outside' as const };
      expect(messageOf(read, line, outside)).toEqual(messageOf(answer, line, outside));
    }),
    { numRuns: 100 },
  );
});

test('an answer for members only shows outsiders nothing of itself', () => {
  fc.assert(
    fc.property(anAnswer, aReader, (answer, reader) => {
      const withheld = { ...answer, membersOnly: 'API usage' };
      const outside = { ...reader, audience: 'outside' as const };
      expect(messageOf(withheld, 'usage', outside).blocks).toHaveLength(1);
      expect(exportTables(withheld, outside)).toEqual([]);
      expect(toStructured(withheld, { line: 'usage', reader: outside })).toMatchObject({
        tables: {},
        notes: [],
      });
    }),
    { numRuns: 20 },
  );
});

function never(): never {
  throw new Error('fast-check gave no sample');
}
