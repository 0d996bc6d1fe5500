import { z } from 'zod';
import { UserError } from '../../errors.ts';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { formatPort } from '../../grammar/port.ts';
import type { Reader } from '../../messages/message.ts';
import type { Prospect } from '../../reference/stored-values.ts';
import { defineTool } from '../tool.ts';
import { flagField, pageField, textField } from '../tool-fields.ts';
import {
  countField,
  pageFields,
  predicted,
  prospectFields,
  sourceFields,
  timeField,
  toProspect,
  toSource,
  toTime,
  toVessel,
  vesselFields,
} from '../tool-output.ts';
import { subjectOf } from './commands/named-watches.ts';
import type { WatchArgs } from './commands/parse-watch-line.ts';
import { rulesInWords } from './rules/in-words.ts';
import { watchRules } from './rules/registry.ts';
import { isOfPort, type WatchWithSubjects } from './store/watch-list.ts';
import { expectedVessels, listedVessels } from './views/shown-prediction.ts';
import type { WatchAnswer } from './views/watch-tables.ts';
import { formatWatchedVessels, type WatchSubject } from './words/subject.ts';

const unexpected = ({ kind }: WatchAnswer): Error =>
  new Error(`the fields of the tool never ask for ${kind}`);

const subjectFields = {
  vessel: textField({
    description:
      'Vessels by IMO number, name or reference, separated by commas; or a fleet of this workspace as fleet:NAME, or a list of the provider as list:NAME',
    examples: ['9461477', 'MSC DIANA', 'fleet:NORTH', 'list:FEEDERS'],
  }).optional(),
  at: textField({
    description: 'Only their calls at this port, by UN/LOCODE or name',
    examples: ['NLRTM', 'Rotterdam'],
  }).optional(),
  port: textField({
    description: 'In place of vessels: everything expected at this port',
    examples: ['NLRTM', 'Rotterdam'],
  }).optional(),
};

interface SubjectFields {
  vessel?: string | undefined;
  at?: string | undefined;
  port?: string | undefined;
}

/** Throws UserError. */
function subjectWords({ vessel, at, port }: SubjectFields): string {
  if ((vessel === undefined) === (port === undefined) || (port !== undefined && at !== undefined)) {
    throw new UserError({
      code: 'missing-argument',
      message: 'A watch is about vessels or about a port.',
      hint: 'Give either `vessel`, with or without `at`, or `port`.',
    });
  }
  return port === undefined ? joinWords(vessel, at && `at ${at}`) : `port ${port}`;
}

function fieldsOfSubject(subject: WatchSubject): SubjectFields {
  if (subject.kind === 'port') return { port: formatPort(subject.port) };
  const { at } = subject;
  return { vessel: formatWatchedVessels(subject), at: at && formatPort(at) };
}

const isOnByDefault = ({ defaultValue }: { defaultValue: unknown }): boolean => defaultValue === true;

const listed = (rules: readonly { typed: string; help: string }[]): string =>
  rules.map(({ typed, help }) => `“${typed}”: ${help}`).join('; ');

const rulesInHelp = [
  'When to notify, several separated by spaces; left out: the defaults.',
  `${listed([...watchRules.all.filter((rule) => !isOnByDefault(rule)), ...watchRules.limits])}.`,
  'On by default, so named only after “only”, which turns all others off, as in “only diverted eta 6h”:',
  listed(watchRules.all.filter(isOnByDefault)),
].join(' ');

const watchAdd = defineTool<WatchArgs, WatchAnswer>()({
  name: 'watch_add',
  title: 'Watch vessels or a port',
  description:
    'Adds a watch for the person who asks: Landfall then notifies them in a direct message when the predicted next port or ETA changes. Nobody else is notified. If they watch the same already, `rules` replaces its rules. Ask the person before you add one; with `dryRun`, the answer only says what it would cost.',
  effect: 'adds',
  needsSlack: true,
  input: z.object({
    ...subjectFields,
    rules: textField({
      description: rulesInHelp,
      examples: ['eta 6h', 'only diverted', 'below 40% quiet 22:00-06:00'],
    }).optional(),
    dryRun: flagField.describe('Saves nothing'),
  }),
  output: z.object({
    outcome: z
      .enum(['added', 'changed', 'same', 'would-be-added'])
      .describe('`same`: it was there already; `changed`: its rules were others before'),
    watch: z.string().describe('What is watched'),
    rules: z.array(z.string()).describe('When it notifies'),
    callsPerMonth: countField.describe('API calls that it adds'),
    ...sourceFields,
  }),
  toLine: ({ rules, dryRun, ...subject }) =>
    joinWords('watch add', subjectWords(subject), rules, 'to me', dryRun ? 'dry run' : ''),
  toFields(args) {
    // In a direct message, where assistants ask, a watch notifies the person with or without “to me”.
    if (args.kind !== 'add' || args.channelId !== undefined) return undefined;
    const rules = watchRules.format(args.rules) || undefined;
    return { ...fieldsOfSubject(args.subject), rules, dryRun: args.isDryRun };
  },
  toOutput(answer, reader) {
    if (answer.kind !== 'watch-added') throw unexpected(answer);
    const { how, title, isPort, rules, estimate } = answer;
    return {
      outcome: how,
      watch: title,
      rules: rulesInWords(rules, { now: reader.now, isPort }),
      callsPerMonth: Math.round(estimate.callsPerMonth),
      ...toSource(reader),
    };
  },
});

const watchStop = defineTool<WatchArgs, WatchAnswer>()({
  name: 'watch_stop',
  title: 'Stop a watch',
  description:
    'Stops a watch of the person who asks that notifies them in a direct message: `vessel`, `at` and `port` as `watch_list` has them. Ask the person before you stop one.',
  effect: 'removes',
  needsSlack: true,
  input: z.object(subjectFields),
  output: z.object({ stopped: z.array(z.string()).describe('What is no longer watched'), ...sourceFields }),
  toLine: (subject) => joinWords('watch stop', subjectWords(subject)),
  toFields(args) {
    if (args.kind !== 'stop' || args.isSure || args.channelId !== undefined) return undefined;
    return args.subject && fieldsOfSubject(args.subject);
  },
  toOutput(answer, reader) {
    // Before somebody else's watch is stopped, a person has to press a button.
    if (answer.kind === 'watch-stop-question') return { stopped: [], ...toSource(reader) };
    if (answer.kind !== 'watch-done') throw unexpected(answer);
    return { stopped: [...answer.titles], ...toSource(reader) };
  },
});

const call = prospectFields.extend({
  changedSince: timeField
    .nullable()
    .describe('Set if the latest answer no longer has this call: the figures are from then'),
});

/** What `watch_stop` takes. */
const subjectOutput = {
  vessel: z.string().describe('The field of `watch_stop`, as are `at` and `port`').nullable(),
  at: z.string().describe('UN/LOCODE').nullable(),
  port: z.string().describe('UN/LOCODE').nullable(),
};

const watchList = defineTool<WatchArgs, WatchAnswer>()({
  name: 'watch_list',
  title: 'My watches',
  description:
    'The watches that the person who asks owns, in all channels, with what was last predicted for each vessel.',
  needsSlack: true,
  input: z.object({ page: pageField }),
  output: z.object({
    note: z.literal(predicted),
    watches: z.array(
      z.object({
        watch: z.string().describe('What is watched'),
        ...subjectOutput,
        isInChannel: z.boolean().describe('It notifies a channel: only there can it be stopped'),
        status: z.enum(['active', 'paused', 'ended']),
        isSnoozed: z.boolean(),
        openAlerts: countField.describe('Alerts that nobody has acknowledged'),
        rules: z.array(z.string()).describe('When it notifies'),
        polledAt: timeField.nullable().describe('When the service was last asked; null: not yet'),
        vessels: z.array(
          vesselFields.extend({
            call: call.nullable().describe('Null: nothing was predicted so far, or `polledAt` is null'),
          }),
        ),
      }),
    ),
    ...pageFields,
    ...sourceFields,
  }),
  toLine: ({ page }) => joinWords('watch list mine', formatPage(page)),
  toFields(args) {
    if (args.kind !== 'list' || args.channelId !== undefined) return undefined;
    // In a direct message, where assistants ask, the watches there are the person's own.
    return args.scope === 'all' ? undefined : { page: args.page };
  },
  toOutput(answer, reader) {
    if (answer.kind !== 'watch-list') throw unexpected(answer);
    const { watches, named, page, pages, total } = answer;
    const names = new Map(named.map((vessel) => [vessel.imo, vessel]));
    return {
      note: predicted as typeof predicted,
      watches: watches.map((watch) => toWatch(watch, names, reader)),
      ...{ page, pages, total },
      ...toSource(reader),
    };
  },
});

function toSubject(watch: WatchWithSubjects) {
  const subject = subjectOf(watch);
  const { vessel = null, at = null, port = null } = subject ? fieldsOfSubject(subject) : {};
  return { vessel, at, port };
}

function toWatch(
  watch: WatchWithSubjects,
  names: ReadonlyMap<number, Parameters<typeof toVessel>[0]>,
  { now }: Reader,
) {
  const polled = watch.followedSubjects.flatMap(({ polledAt }) => polledAt?.getTime() ?? []);
  const called = isOfPort(watch)
    ? expectedVessels(watch).map(({ imo, ...expected }) => ({ imo, prediction: expected }))
    : listedVessels(watch);
  return {
    watch: watch.title,
    ...toSubject(watch),
    isInChannel: watch.destination === 'channel',
    status: watch.status,
    isSnoozed: watch.snooze !== null,
    openAlerts: watch.openAlerts?.count ?? 0,
    rules: rulesInWords(watch.rules, { now, isPort: isOfPort(watch) }),
    polledAt: polled.length > 0 ? toTime(new Date(Math.min(...polled))) : null,
    vessels: called.map(({ imo, prediction }) => ({
      ...toVessel(names.get(imo) ?? { imo }),
      call: prediction ? toCall(prediction) : null,
    })),
  };
}

const toCall = ({ notifiedAt, ...call }: Prospect & { notifiedAt: Date | undefined }) => ({
  ...toProspect(call),
  changedSince: notifiedAt ? toTime(notifiedAt) : null,
});

/** For the person who asks, in the direct message with the bot: an assistant posts in no channel. */
export const watchTools = [watchAdd, watchStop, watchList];
