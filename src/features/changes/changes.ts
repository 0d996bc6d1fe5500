import { UserError } from '../../errors.ts';
import {
  channelOption,
  formatChannel,
  formatPage,
  joinWords,
  pageOption,
  scanOptions,
} from '../../grammar/line.ts';
import { expandPorts, formatPorts } from '../../grammar/port.ts';
import { formatVesselGroup } from '../../grammar/vessel.ts';
import type { PortOrGroup, VesselGroup } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { variant } from '../command.ts';
import { type AskCtx, type ParseContext, vesselHelp } from '../ctx.ts';
import { type InputField, optional, pageInput, portsInput, textField, vesselsInput } from '../fields.ts';
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
import type { ScopeFilter } from '../scope.ts';
import { findGroup } from '../stability/index.ts';
import { type About, everything, formatAbout, parseAboutSince } from './about.ts';
import {
  type AskedAbout,
  changesAnswer,
  changesOutcome,
  changesTable,
  outcomeOf,
  unwatchedAnswer,
} from './answer.ts';
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
  about: About;
  since: Since;
  page: number;
}

const help = { command: 'watch changes', example: 'watch changes since yesterday' };

/** What can follow `watch changes`, before the time. */
export const changesHelp = [
  {
    typed: 'changes at Rotterdam',
    help: 'of the watched vessels that may call there next; also at up to six ports',
  },
  { typed: 'changes of 9461477', help: 'of vessels alone; also of “fleet:NORTH” or “list:FEEDERS”' },
] as const;

/** The words after `watch changes`: `at Antwerp since monday mine`, `mine since monday`, `3 days in #ops`. Throws UserError. */
export function parseChanges(words: string, context: ParseContext): ChangesValues {
  const options = { page: pageOption, channel: channelOption, scope: scopeOption };
  const {
    rest,
    values,
    help: lineHelp,
  } = scanOptions(words, options, { ...help, dateOrder: context.dateOrder });
  const [, first = '', others = rest] = /^(all|mine|my|me|here)\s+(.+)$/i.exec(rest) ?? [];
  const { page = 1, channel: channelId, scope = scopes.get(first.toLowerCase()) ?? 'channel' } = values;
  const asked = parseAboutSince(others, { ...lineHelp, ...vesselHelp(context) });
  const changes = { ...asked, scope, page, channelId };
  checkScope(changes, lineHelp, formatChanges);
  return changes;
}

const formatChanges = ({ about, since, scope, channelId, page }: ChangesValues): string =>
  joinWords(
    'watch changes',
    formatAbout(about),
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

/** Vessels or ports; without both, everything. */
interface ChangesFields extends Pick<ChangesValues, 'since' | 'page'> {
  vessel: VesselGroup | undefined;
  port: readonly [PortOrGroup, ...PortOrGroup[]] | undefined;
}

const inputs = {
  vessel: optional(
    vesselsInput(
      'Only these vessels, by IMO number, name or reference, separated by commas; or a fleet as fleet:NAME, or a watched list as list:NAME. Left out: all that the person watches',
      ['9461477', 'MSC DIANA', 'fleet:NORTH'],
    ),
  ),
  port: optional(
    portsInput(
      ['NLRTM', 'Rotterdam', 'Rotterdam, Antwerp'],
      'In place of vessels: only the watched vessels that may call next at these ports, by UN/LOCODE or name, separated by commas',
    ),
  ),
  since: sinceInput,
  page: pageInput,
};

/** Throws UserError. */
function settle({ vessel, port, since, page }: ChangesFields): ChangesValues {
  if (vessel && port)
    throw new UserError({
      code: 'unexpected-words',
      message: 'You can ask for the changes of vessels, or at ports.',
      hint: 'Give either `vessel` or `port`, or neither for all that the person watches.',
    });
  const about: About = vessel ?? (port ? { kind: 'ports', ports: port } : everything);
  return { about, scope: 'mine', since, page };
}

const fieldsOf = ({ about, since, page }: ChangesValues) => ({
  ...(about.kind === 'ports' && { port: formatPorts(about.ports) }),
  ...(about.kind !== 'ports' && about.kind !== 'all' && { vessel: formatVesselGroup(about) }),
  since: sinceInput.format(since),
  page: pageInput.format(page),
});

/** What has changed for the vessels and ports that are watched. */
export const changes = variant<ChangesValues, ChangesFields>({
  tool: {
    name: 'watch_changes',
    title: 'What has changed for my watches',
    description:
      'What has changed in the predictions for the vessels that the person who asks watches, what matters most first: diversions, ETAs that moved, predictions lost. Of all of them, of some vessels, or at some ports. Compares two moments; it reports no arrivals.',
    outcome: changesOutcome,
  },
  input: inputs,
  settle,
  fields: (values) =>
    values.scope === 'mine' && values.channelId === undefined ? fieldsOf(values) : undefined,
  format: formatChanges,
  title: (values) => formatChanges(values).replace('watch ', ''),
  effect: 'reads',
  privacy: privacyOf,
  of: 'place',
  ports: ({ about }) => (about.kind === 'ports' ? about.ports : []),
  tables: [changesTable],
  async run(values, ctx) {
    const now = ctx.now();
    const zone = ctx.actor.zone ?? 'UTC';
    const { vessels, services } = ctx;
    const typed = { ...values, since: sinceIn(values.since, { zone, now }, ctx) };
    const since = resolveSince(typed.since, { now, zone });
    const { scope, filter } = await scopeOf(values, ctx);
    const about = await findAbout(values, filter, ctx);
    const found = await findChanges({ filter, since, wanted: about.wanted }, { store: services.store, now });
    const of = { scope, channelId: values.channelId };
    const asked = { ...of, about, since, zone, now, vessels, page: values.page };
    if (!found.isWatched) return unwatchedAnswer(found, { ...asked, lineInAll: lineInAll(values) });
    if (found.watches === 0)
      return { ...noWatches(of, ctx.registry), outcome: outcomeOf(undefined, { since, vessels }) };
    return changesAnswer(found, { ...asked, line: formatChanges(typed), otherTimes: otherTimesThan(typed) });
  },
});

/** Throws UserError for an unknown fleet, or a list that isn't watched. */
async function findAbout(values: ChangesValues, filter: ScopeFilter, ctx: AskCtx): Promise<AskedAbout> {
  const { about } = values;
  if (about.kind === 'all') return { title: '' };
  if (about.kind === 'ports') {
    const line = (fixed: string) => joinWords('watch changes at', fixed, formatSince(values.since));
    const ports = expandPorts(about.ports, { example: help.example, groups: ctx.vessels, line });
    return { title: about.ports.map(portName).join(', '), ports: about.ports, wanted: { ports } };
  }
  const lineOf = (words: string) =>
    joinWords('watch changes', words && `of ${words}`, formatSince(values.since));
  const { title, imos } = await findGroup(about, { filter, lineOf }, ctx);
  return { title, group: about, wanted: { imos } };
}

/** Undefined if the line asks for all channels, or for another one. */
const lineInAll = (values: ChangesValues): string | undefined =>
  values.scope === 'channel' && values.channelId === undefined
    ? formatChanges({ ...values, scope: 'all', page: 1 })
    : undefined;

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
