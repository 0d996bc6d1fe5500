import { addHours } from 'date-fns/addHours';
import { addMinutes } from 'date-fns/addMinutes';
import { z } from 'zod';
import type { Answer } from '../../answers/answer.ts';
import { forAsker, type Text } from '../../answers/text.ts';
import { UserError } from '../../errors.ts';
import {
  channelOption,
  formatChannel,
  formatPerson,
  howToNamePerson,
  joinWords,
  type LineHelp,
  scanOptions,
  takePerson,
  wordOption,
  wordsError,
} from '../../grammar/line.ts';
import { formatMoment, resolveMoment } from '../../grammar/moment.ts';
import { type Variant, type VariantLine, variant } from '../command.ts';
import { type AskCtx, type ParseContext, vesselHelp, zoneToSave } from '../ctx.ts';
import { isOfPort, type WatchWithSubjects } from '../polling/index.ts';
import type { Snooze } from '../rules/index.ts';
import { acknowledgeWatch, assignWatch } from './alerts.ts';
import { undoStop } from './button-values.ts';
import { doneAnswer, snoozeFor, stopAllQuestion, stopForeignQuestion } from './change-answers.ts';
import {
  getAllToChange,
  getToChange,
  handOverWatch,
  inChannel,
  resumeWatch,
  snoozeWatch,
  stopAllWatches,
  stopWatch,
} from './change-watch.ts';
import { listLine } from './list-watches.ts';
import { getNamedWatches, subjectOf, thatChannel, watchesHere } from './named-watches.ts';
import { formatSnooze, type SnoozeWords, takeSnooze } from './words/snooze.ts';
import {
  fieldsOfSubject,
  formatWatchSubject,
  parseWatchSubject,
  type SubjectParts,
  subjectInputs,
  subjectOfParts,
  type WatchSubject,
} from './words/subject.ts';

interface InChannel {
  /** Undefined for the line's own channel. */
  channelId: string | undefined;
}

interface Target extends InChannel {
  /** Undefined for the watch in whose thread the line is typed. */
  subject: WatchSubject | undefined;
}

/** A line about watches that are named: `watch <verb> <subject> <what> in #channel`. */
function lineOf(verb: string, { subject, channelId }: Target, what = '', end = ''): string {
  return joinWords(
    'watch',
    verb,
    subject && formatWatchSubject(subject),
    what,
    formatChannel(channelId),
    end,
  );
}

/** What it answers in another channel is personal: not everybody may know of that channel's watches. */
const flags = {
  effect: 'changes',
  privacy: ({ channelId }: InChannel) => (channelId === undefined ? 'on-request' : 'personal'),
  of: 'place',
} as const;

/** The context where the line is about; `channelId` is set if that is another channel. */
async function placed(
  { channelId }: InChannel,
  ctx: AskCtx,
): Promise<{ there: AskCtx; channelId: string | undefined }> {
  const there = await inChannel(channelId, ctx);
  return { there, channelId: there === ctx ? undefined : channelId };
}

interface Change<Values extends Target> {
  verb: string;
  /** What stands after the subject in the canonical line. */
  what?: (values: Values) => string;
  change: (watch: WatchWithSubjects, values: Values, ctx: AskCtx) => Promise<unknown>;
  done: (values: Values, ctx: AskCtx) => { did: Text; of?: string; after?: string };
}

/** A variant that does the same to each watch that the line names. */
function changing<Values extends Target>({ verb, what, change, done }: Change<Values>): Variant<Values> {
  const format = (values: Values) => lineOf(verb, values, what?.(values));
  return variant<Values>({
    ...flags,
    format,
    confirmation: `Yes, ${verb} it`,
    async run(values, ctx) {
      const { there, channelId } = await placed(values, ctx);
      const watches = await getNamedWatches(namedBy(values, format), there);
      for (const watch of watches) await change(watch, values, there);
      return doneAnswer({ ...done(values, there), watches, channelId });
    },
  });
}

const namedBy = <Values extends Target>(values: Values, format: (values: Values) => string) => ({
  subject: values.subject,
  lineFor: (subject: WatchSubject | undefined) => format({ ...values, subject }),
  list: listLine(values),
});

const wake = changing<Target>({
  verb: 'wake',
  change: ({ id }, _, ctx) => snoozeWatch(id, null, ctx),
  done: () => ({ did: 'Awake again' }),
});

const resume = changing<Target>({
  verb: 'resume',
  change: ({ id }, _, ctx) => resumeWatch(id, ctx),
  done: () => ({ did: 'Resumed', after: 'Waiting messages are sent now' }),
});

const acknowledge = changing<Target>({
  verb: 'acknowledge',
  change: ({ id }, _, ctx) => acknowledgeWatch(id, ctx),
  done: () => ({ did: 'Acknowledged' }),
});

const assign = changing<Target & { to: string }>({
  verb: 'assign',
  what: ({ to }) => formatPerson(to),
  change: ({ id }, { to }, ctx) => assignWatch(id, to, ctx),
  done: ({ to }) => ({ did: ['Assigned', toPerson(to)], of: 'the open alerts of ' }),
});

const toPerson = (userId: string): Text => forAsker([' to ', { person: userId }]);

const snooze = changing<Target & { snooze: SnoozeWords }>({
  verb: 'snooze',
  what: (values) => formatSnooze(values.snooze),
  change(watch, values, ctx) {
    const until = resolveSnooze(values.snooze, ctx);
    checkSnoozeEnds(watch, until);
    return snoozeWatch(watch.id, until, ctx);
  },
  done: (values, ctx) => ({
    did: `Snoozed ${snoozeFor(resolveSnooze(values.snooze, ctx), ctx)}`,
    after: 'Afterwards, one message says what has changed',
  }),
});

type HandOver = Target & { to: string };
const formatHandOver = (values: HandOver) => lineOf('hand over', values, formatPerson(values.to));

/** Without a subject, and outside a card's thread, hands over all watches that the person owns in the channel. */
const handOver = variant<HandOver>({
  ...flags,
  format: formatHandOver,
  confirmation: 'Yes, hand over',
  async run(values, ctx) {
    const { there, channelId } = await placed(values, ctx);
    const isNamed = values.subject !== undefined || there.place?.threadTs !== undefined;
    const watches = isNamed
      ? await getNamedWatches(namedBy(values, formatHandOver), there)
      : await getOwnWatches(there);
    for (const { id } of watches) await handOverWatch(id, values.to, there);
    return doneAnswer({ did: ['Handed over', toPerson(values.to)], watches, channelId });
  },
});

async function getOwnWatches(ctx: AskCtx): Promise<WatchWithSubjects[]> {
  const { userId } = ctx.actor;
  const own = (await watchesHere(ctx)).filter(({ ownerId }) => ownerId === userId);
  if (own.length > 0) return own;
  throw new UserError({
    code: 'unknown-watch',
    message: `You own no watches in ${thatChannel(ctx)}.`,
    choices: [{ label: 'List my watches', line: 'watch list mine' }],
    example: 'watch list mine',
  });
}

interface Stop extends Target {
  /** Somebody else's watch is stopped too. */
  isSure: boolean;
}
const formatStop = (values: Stop) => lineOf('stop', values, '', values.isSure ? 'yes' : '');

/** Stops the person's own watches at once, since that can be undone. Asks before it stops somebody else's. */
const stop = variant<Stop, SubjectParts>({
  ...flags,
  tool: {
    name: 'watch_stop',
    title: 'Stop a watch',
    description:
      'Stops a watch of the person who asks that notifies them in a direct message: `vessel`, `at` and `port` name it; `watch_list` has them as `watched_vessels` and `watched_port`. Ask the person before you stop one.',
    effect: 'removes',
    outcome: { stopped: z.array(z.string()).describe('What is no longer watched') },
  },
  input: subjectInputs,
  settle: (parts) => ({ subject: subjectOfParts(parts), isSure: false, channelId: undefined }),
  fields: ({ subject, isSure, channelId }) =>
    subject && !isSure && channelId === undefined ? fieldsOfSubject(subject) : undefined,
  format: formatStop,
  confirmation: 'Stop watching',
  async run(values, ctx) {
    const { there, channelId } = await placed(values, ctx);
    const watches = await getNamedWatches({ ...namedBy(values, formatStop), verb: 'Stop' }, there);
    const foreign = watches.find(({ ownerId }) => ownerId !== there.actor.userId);
    if (foreign && !values.isSure) {
      // Throws UserError if the person may not stop one of them.
      for (const { id } of watches) await getToChange(id, there);
      const line = formatStop({ ...values, subject: subjectOf(foreign), isSure: true });
      return stopForeignQuestion(foreign, line, channelId);
    }
    for (const { id } of watches) await stopWatch(id, there);
    const [first, ...others] = watches;
    const undo = others.length === 0 ? undoStop(first) : undefined;
    return doneAnswer({ did: 'No longer watched', watches, undo, channelId });
  },
});

interface StopAll extends InChannel {
  isSure: boolean;
}
const formatStopAll = ({ isSure, channelId }: StopAll) =>
  joinWords('watch stop all', formatChannel(channelId), isSure ? 'yes' : '');

const stopAll = variant<StopAll>({
  ...flags,
  format: formatStopAll,
  confirmation: 'Stop watching',
  async run(values, ctx): Promise<Answer> {
    const { there, channelId } = await placed(values, ctx);
    if (values.isSure) {
      const watches = await stopAllWatches(there);
      return doneAnswer({ did: 'No longer watched', watches, channelId });
    }
    const { length: count } = await getAllToChange(there);
    return stopAllQuestion(count, formatStopAll({ ...values, isSure: true }), channelId);
  },
});

export const changeVariants = [stop, stopAll, snooze, wake, resume, acknowledge, assign, handOver];

type ParseVerb = (words: string, context: ParseContext) => VariantLine;

const parseStop: ParseVerb = (words, context) => {
  const options = { sure: wordOption('yes'), channel: channelOption };
  const { rest, values, help } = scanOptions(words, options, helpFor('stop', 'watch stop 9461477'));
  const common = { isSure: values.sure ?? false, channelId: values.channel };
  if (/^all$/i.test(rest)) return stopAll.of(common);
  return stop.of({ subject: parseTarget(rest, help, context), ...common });
};

const parseSnooze: ParseVerb = (words, context) => {
  const options = { snooze: takeSnooze, channel: channelOption };
  const { rest, values, help } = scanOptions(words, options, {
    ...helpFor('snooze', 'watch snooze 9461477 1h'),
    dateOrder: context.dateOrder,
  });
  const { snooze: until, channel: channelId } = values;
  if (until) return snooze.of({ subject: parseTarget(rest, help, context), snooze: until, channelId });
  throw wordsError('bad-snooze', 'How long should it be snoozed?', help, {
    hint: 'Write 1h, 2 days, “until 18:00”, “until 27 Nov 08:00”, “until 24h before eta” or “until next port”.',
    choices: [{ label: '1 hour', line: joinWords('watch snooze', rest, '1h', formatChannel(channelId)) }],
  });
};

/** `9461477 to @ann`. */
const parseWithPerson =
  (
    does: Variant<Target & { to: string }>,
    { verb, example, question }: { verb: string; example: string; question: string },
  ): ParseVerb =>
  (words, context) => {
    const { rest, values, help } = scanOptions(words, { channel: channelOption }, helpFor(verb, example));
    const { rest: subject, person: to } = takePerson(rest);
    if (to !== undefined)
      return does.of({ subject: parseTarget(subject, help, context), to, channelId: values.channel });
    throw wordsError('missing-argument', question, help, { hint: howToNamePerson });
  };

const parseHandOver: ParseVerb = (words, context) =>
  parseWithPerson(handOver, {
    verb: 'hand over',
    example: 'watch list mine',
    question: 'Who should it be handed over to?',
  })(words.replace(/^over\b/i, ''), context);

const parseAssign = parseWithPerson(assign, {
  verb: 'assign',
  example: 'watch list',
  question: 'Who should take its alerts?',
});

const parseOther =
  (verb: string, does: Variant<Target>): ParseVerb =>
  (words, context) => {
    const { rest, values, help } = scanOptions(
      words,
      { channel: channelOption },
      helpFor(verb, 'watch list'),
    );
    return does.of({ subject: parseTarget(rest, help, context), channelId: values.channel });
  };

const helpFor = (verb: string, example: string) => ({ command: `watch ${verb}`, example });

function parseTarget(words: string, help: LineHelp, context: ParseContext): WatchSubject | undefined {
  if (words.trim() === '') return undefined;
  return parseWatchSubject(words, { ...help, example: 'watch list', ...vesselHelp(context) });
}

/** The words after each verb. They throw UserError. */
export const changeVerbs: readonly (readonly [verb: string, parse: ParseVerb])[] = [
  ['stop', parseStop],
  ['remove', parseStop],
  ['end', parseStop],
  ['snooze', parseSnooze],
  ['wake', parseOther('wake', wake)],
  ['resume', parseOther('resume', resume)],
  ['acknowledge', parseOther('acknowledge', acknowledge)],
  ['ack', parseOther('acknowledge', acknowledge)],
  ['assign', parseAssign],
  ['hand', parseHandOver],
  ['handover', parseHandOver],
];

/** Throws UserError for a port: it has no next port and no ETA, so a snooze until one of them would never end. */
function checkSnoozeEnds(watch: WatchWithSubjects, { kind }: Snooze): void {
  if (kind === 'until' || !isOfPort(watch)) return;
  throw new UserError({
    code: 'bad-snooze',
    message: `The watch of ${watch.title} is about many vessels, so it can only be snoozed for a time or until a date.`,
    example: 'watch snooze port Rotterdam 1h',
  });
}

/** Reads times in the person's zone. Throws UserError for a time that is past or too far ahead. */
export function resolveSnooze(words: SnoozeWords, ctx: Pick<AskCtx, 'now' | 'actor'>): Snooze {
  const now = ctx.now();
  switch (words.kind) {
    case 'for':
      return { kind: 'until', at: addMinutes(now, words.minutes) };
    case 'until-eta':
    case 'until-next-port':
      return words;
    case 'until-moment': {
      const at = resolveMoment(words.moment, { now, zone: zoneToSave(ctx.actor.zone, unknownZoneHelp) });
      if (at > now && at <= addHours(now, 24 * maxSnoozeDays)) return { kind: 'until', at };
      throw new UserError({
        code: 'bad-snooze',
        message:
          at <= now
            ? `${formatMoment(words.moment)} is in the past.`
            : `A watch can be snoozed for at most ${maxSnoozeDays} days.`,
        hint: 'The time is read in your own time zone.',
        example: 'watch snooze 9461477 until tomorrow 08:00',
      });
    }
  }
}

/** Help for people whose zone is unknown. The time of a snooze can't be typed with a zone. */
const unknownZoneHelp = {
  hint: 'Try again in a minute, or snooze it for some hours or days.',
  example: 'watch snooze 9461477 8h',
};

const maxSnoozeDays = 90;
