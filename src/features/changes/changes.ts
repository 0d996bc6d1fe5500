import {
  channelOption,
  formatChannel,
  formatPage,
  joinWords,
  pageOption,
  scanOptions,
} from '../../grammar/line.ts';
import { variant } from '../command.ts';
import type { AskCtx, ParseContext } from '../ctx.ts';
import { type InputField, pageInput, textField } from '../fields.ts';
import {
  checkScope,
  formatScope,
  noWatches,
  privacyOf,
  type Scoped,
  scopeOf,
  scopeOption,
  scopes,
} from '../history/index.ts';
import { changesAnswer, changesOutcome, changesTable, outcomeOf } from './answer.ts';
import { findChanges } from './find-changes.ts';
import {
  formatSince,
  isSinceMidnight,
  parseSince,
  resolveSince,
  type Since,
  sinceMinute,
  today,
} from './since.ts';

interface ChangesValues extends Scoped {
  since: Since;
  page: number;
}

const help = { command: 'watch changes', example: 'watch changes since yesterday' };

/** The words after `watch changes`: `since monday mine`, `mine since monday`, `3 days in #ops`. Throws UserError. */
export function parseChanges(words: string, { dateOrder }: ParseContext): ChangesValues {
  const options = { page: pageOption, channel: channelOption, scope: scopeOption };
  const { rest, values, help: lineHelp } = scanOptions(words, options, { ...help, dateOrder });
  const [, first = '', others = rest] = /^(all|mine|my|me|here)\s+(.+)$/i.exec(rest) ?? [];
  const { page = 1, channel: channelId, scope = scopes.get(first.toLowerCase()) ?? 'channel' } = values;
  const changes = { scope, since: parseSince(others, lineHelp), page, channelId };
  checkScope(changes, lineHelp, formatChanges);
  return changes;
}

const formatChanges = ({ since, scope, channelId, page }: ChangesValues): string =>
  joinWords(
    'watch changes',
    formatSince(since),
    formatScope(scope),
    formatChannel(channelId),
    formatPage(page),
  );

const sinceInput: InputField<Since> = {
  schema: textField({
    description: 'A past moment, by the clock of the person unless it has an offset; `today` is its midnight',
    examples: ['yesterday', 'monday', 'yesterday 18:00', '2026-11-20T08:00:00Z', '3 days', '12h'],
  }).default('today'),
  parse: (given) => parseSince(String(given), { example: 'yesterday', line: (fixed) => fixed }),
  format: (since) => formatSince(since).replace(/^since /, '') || undefined,
};

/** What has changed for the vessels and ports that are watched. */
export const changes = variant<ChangesValues, Pick<ChangesValues, 'since' | 'page'>>({
  tool: {
    name: 'watch_changes',
    title: 'What has changed for my watches',
    description:
      'What has changed in the predictions for the vessels that the person who asks watches, what matters most first: diversions, ETAs that moved, predictions lost. Compares two moments; it reports no arrivals.',
    outcome: changesOutcome,
  },
  input: { since: sinceInput, page: pageInput },
  settle: (parsed) => ({ ...parsed, scope: 'mine' }),
  fields: ({ scope, channelId, since, page }) =>
    scope === 'mine' && channelId === undefined
      ? { since: sinceInput.format(since), page: pageInput.format(page) }
      : undefined,
  format: formatChanges,
  title: (values) => formatChanges(values).replace('watch ', ''),
  effect: 'reads',
  privacy: privacyOf,
  of: 'place',
  tables: [changesTable],
  async run(values, ctx) {
    const now = ctx.now();
    const zone = ctx.actor.zone ?? 'UTC';
    const asked = { ...values, since: sinceIn(values.since, { zone, now }, ctx) };
    const since = resolveSince(asked.since, { now, zone });
    const { scope, filter } = await scopeOf(values, ctx);
    const { store } = ctx.services;
    const found = await findChanges({ filter, since }, { store, now });
    const of = { scope, channelId: values.channelId };
    const { vessels } = ctx;
    if (found.watches === 0)
      return { ...noWatches(of, ctx.registry), outcome: outcomeOf(undefined, { since, vessels }) };
    const lines = { line: formatChanges(asked), otherTimes: otherTimesThan(asked) };
    return changesAnswer(found, { ...of, ...lines, since, zone, now, vessels, page: values.page });
  },
});

/** Each digest goes on where the one before it ended; its buttons ask about the same time. */
const sinceIn = (since: Since, { zone, now }: { zone: string; now: Date }, { lastSentAt }: AskCtx): Since =>
  lastSentAt !== undefined && lastSentAt < now && isSinceMidnight(since)
    ? sinceMinute(lastSentAt, zone)
    : since;

const times: readonly { label: string; since: Since }[] = [
  { label: 'Today', since: today },
  { label: 'Since yesterday', since: { kind: 'time', day: 'yesterday' } },
  {
    label: 'The last 7 days',
    since: { kind: 'period', period: { kind: 'last', amount: 7, unit: 'days' } },
  },
];

function otherTimesThan(asked: ChangesValues) {
  const lineOf = (since: Since) => formatChanges({ ...asked, since, page: 1 });
  return times
    .map(({ label, since }) => ({ label, line: lineOf(since) }))
    .filter(({ line }) => line !== lineOf(asked.since));
}
