import { UserError } from '../../../errors.ts';
import { type LineHelp, quote } from '../../../grammar/line-help.ts';
import { formatPage, joinWords, pageOption, scanOptions, wordOption } from '../../../grammar/options.ts';
import { channelOption, formatChannel, formatPerson, readPerson } from '../../../grammar/place-words.ts';
import type { ParseContext } from '../../command.ts';
import type { Scope } from '../../owned.ts';
import type { RuleWords } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import { formatSnooze, type SnoozeWords, takeSnooze } from '../words/snooze.ts';
import { formatWatchSubject, parseWatchSubject, type WatchSubject } from '../words/subject.ts';

export type WatchArgs =
  | { kind: 'add'; subject: WatchSubject; rules: RuleWords; channelId?: string; isDryRun: boolean }
  | { kind: 'list'; scope: Scope; page: number; channelId?: string }
  | ({ kind: 'resume' | 'wake' | 'acknowledge' } & Target)
  | ({ kind: 'stop'; isSure: boolean } & Target)
  | { kind: 'stop-all'; isSure: boolean; channelId?: string }
  | ({ kind: 'snooze'; snooze: SnoozeWords } & Target)
  | ({ kind: 'hand-over'; to: string } & Target);

/** A watch of this channel, or of another one. */
interface Target {
  subject?: WatchSubject;
  channelId?: string;
}

const example = 'watch 9461477 eta 6h';

export function readWatchLine(words: string, context: ParseContext): WatchArgs {
  const [, first = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(words.trim()) ?? [];
  switch (first.toLowerCase()) {
    case 'list':
      // `list : FEEDERS` is a list of vessels.
      return rest.startsWith(':') ? parseAdd(words, context) : parseList(rest);
    case 'stop':
    case 'remove':
    case 'end':
      return parseStop(rest, context);
    case 'snooze':
      return parseSnooze(rest, context);
    case 'wake':
      return { kind: 'wake', ...parseTarget(rest, 'wake', context) };
    case 'resume':
      return { kind: 'resume', ...parseTarget(rest, 'resume', context) };
    case 'acknowledge':
    case 'ack':
      return { kind: 'acknowledge', ...parseTarget(rest, 'acknowledge', context) };
    case 'hand':
    case 'handover':
      return parseHandOver(rest.replace(/^over\b\s*/i, ''), context);
    case 'add':
      return parseAdd(rest, context);
    default:
      return parseAdd(words, context);
  }
}

function parseAdd(words: string, { vessels }: ParseContext): WatchArgs {
  const options = {
    dryRun: wordOption('dry run'),
    channel: channelOption,
    ...watchRules.options,
  };
  const { rest, values, help } = scanOptions(words, options, { command: 'watch', example });
  const subject = parseWatchSubject(rest, { ...help, vessels });
  const { dryRun: isDryRun = false, channel, ...rules } = values;
  if (subject.kind === 'port') refuseVesselRules(rules, help);
  const { quiet: _, ...others } = rules;
  if (watchRules.format(others) === 'only') throw onlyWhat(subject);
  return {
    kind: 'add',
    subject,
    rules,
    ...inChannel(channel),
    isDryRun,
  };
}

const onlyWhat = (subject: WatchSubject): UserError =>
  new UserError({
    code: 'bad-rule',
    message: 'Only what? After “only” name the rules to be notified by; all others are off.',
    choices: ['only next port', 'only eta 6h'].map((fixed) => ({
      label: fixed,
      line: joinWords('watch', formatWatchSubject(subject), fixed),
    })),
    example,
  });

/** A port has no next port, and nobody is due there but its vessels. */
function refuseVesselRules(rules: RuleWords, help: LineHelp): void {
  const typed = Object.entries(rules);
  const mayStand = new Set(watchRules.of({ isPort: true }).map(({ key }) => key)).add('quiet');
  // A word alone changes nothing for a port, but for the one about its end.
  const isWrong = ([key, value]: [string, unknown]) =>
    !mayStand.has(key) && (value !== true || key === 'untilNextPort');
  const wrong = watchRules.format(Object.fromEntries(typed.filter(isWrong)));
  if (wrong === '') return;
  throw new UserError({
    code: 'bad-rule',
    message: `${quote(wrong)} is a rule for vessels, not for a port.`,
    hint: 'A watch of a port notifies you of vessels newly expected or no longer expected, and of ETAs that moved.',
    example: help.example === example ? 'watch port Rotterdam eta 6h' : help.example,
  });
}

function parseList(words: string): WatchArgs {
  const options = { page: pageOption, channel: channelOption };
  const { rest, values } = scanOptions(words, options, { command: 'watch list', example });
  const { channel: channelId } = values;
  const [, all, mine] = /^(?:(all(?: channels)?)|(mine|my|me)|(?:here|this channel)?)$/i.exec(rest) ?? [
    '',
    '',
    '',
  ];
  if (rest !== '' && !/^(?:all(?: channels)?|mine|my|me|here|this channel)$/i.test(rest)) {
    throw new UserError({
      code: 'unexpected-words',
      message: `${quote(rest)} isn't a list of watches.`,
      hint: "To watch one of the provider's lists, write its name after a colon: list:FEEDERS.",
      choices: [
        { label: 'In this channel', line: 'watch list' },
        { label: 'In all my channels', line: 'watch list all' },
        { label: 'My watches', line: 'watch list mine' },
      ],
      example: 'watch list all',
    });
  }
  if (channelId !== undefined && (all || mine)) {
    const [fixed, other] = [`watch list ${formatChannel(channelId)}`, `watch list ${all ? 'all' : 'mine'}`];
    throw new UserError({
      code: 'unexpected-words',
      message: 'You can list one channel, all your channels, or your own watches.',
      choices: [
        { label: 'In that channel', line: fixed },
        { label: all ? 'In all my channels' : 'My watches', line: other },
      ],
      example: 'watch list all',
    });
  }
  return {
    kind: 'list',
    scope: all ? 'all' : mine ? 'mine' : 'channel',
    page: values.page ?? 1,
    ...inChannel(channelId),
  };
}

function parseStop(words: string, context: ParseContext): WatchArgs {
  const { rest, values, help } = scanOptions(
    words,
    { sure: wordOption('yes'), channel: channelOption },
    { command: 'watch stop', example: 'watch stop 9461477' },
  );
  const how = { isSure: values.sure ?? false, ...inChannel(values.channel) };
  if (/^all$/i.test(rest)) return { kind: 'stop-all', ...how };
  return { kind: 'stop', ...subjectIn(rest, help, context), ...how };
}

function parseSnooze(words: string, context: ParseContext): WatchArgs {
  const command = 'watch snooze';
  const snoozeExample = 'watch snooze 9461477 1h';
  const { rest, values, help } = scanOptions(
    words,
    { snooze: takeSnooze, channel: channelOption },
    { command, example: snoozeExample },
  );
  if (!values.snooze) {
    throw new UserError({
      code: 'bad-snooze',
      message: 'How long should it sleep?',
      hint: 'Write 1h, 2 days, “until 27 Nov 08:00”, “until 24h before eta” or “until next port”.',
      choices: [{ label: '1 hour', line: joinWords(command, rest, '1h', formatChannel(values.channel)) }],
      example: snoozeExample,
    });
  }
  return {
    kind: 'snooze',
    ...subjectIn(rest, help, context),
    snooze: values.snooze,
    ...inChannel(values.channel),
  };
}

function parseHandOver(words: string, context: ParseContext): WatchArgs {
  const { rest, values, help } = scanOptions(
    words,
    { channel: channelOption },
    { command: 'watch hand over', example: 'watch list' },
  );
  const [, before = '', person = ''] = /^(.*?)(?:(?:^|\s)to)?\s*(\S+)$/is.exec(rest) ?? [];
  const to = readPerson(person);
  if (to === undefined) {
    throw new UserError({
      code: 'missing-argument',
      message: 'Who should it be handed over to?',
      hint: 'Type @ and pick the person from the list that Slack shows.',
      example: 'watch list mine',
    });
  }
  return { kind: 'hand-over', ...subjectIn(before, help, context), to, ...inChannel(values.channel) };
}

function parseTarget(words: string, verb: string, context: ParseContext): Target {
  const { rest, values, help } = scanOptions(
    words,
    { channel: channelOption },
    { command: `watch ${verb}`, example: 'watch list' },
  );
  return { ...subjectIn(rest, help, context), ...inChannel(values.channel) };
}

function subjectIn(words: string, help: LineHelp, { vessels }: ParseContext): { subject?: WatchSubject } {
  if (words.trim() === '') return {};
  return { subject: parseWatchSubject(words, { ...help, example: 'watch list', vessels }) };
}

const inChannel = (channelId: string | undefined): { channelId?: string } =>
  channelId === undefined ? {} : { channelId };

/** The canonical line. */
export function formatWatchLine(args: WatchArgs): string {
  const channel = formatChannel(args.channelId);
  switch (args.kind) {
    case 'add':
      return joinWords(
        'watch',
        formatWatchSubject(args.subject),
        watchRules.format(args.rules),
        channel,
        args.isDryRun ? 'dry run' : '',
      );
    case 'list': {
      const scope = args.scope === 'channel' ? '' : args.scope;
      return joinWords('watch list', scope, channel, formatPage(args.page));
    }
    case 'stop':
      return joinWords('watch stop', subjectWords(args.subject), channel, args.isSure ? 'yes' : '');
    case 'stop-all':
      return joinWords('watch stop all', channel, args.isSure ? 'yes' : '');
    case 'snooze':
      return joinWords('watch snooze', subjectWords(args.subject), formatSnooze(args.snooze), channel);
    case 'hand-over':
      return joinWords('watch hand over', subjectWords(args.subject), formatPerson(args.to), channel);
    default:
      return joinWords('watch', args.kind, subjectWords(args.subject), channel);
  }
}

const subjectWords = (subject: WatchSubject | undefined): string =>
  subject ? formatWatchSubject(subject) : '';
