import type { AnalyticsClient } from '../analytics/answers.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { Message, Reader } from '../messages/message.ts';
import type { Imo } from '../reference/imo.ts';
import type { AuditLog } from '../workspaces/audit.ts';
import type { GuestSetting } from '../workspaces/guests.ts';
import type { LineFacts } from './digests/facts.ts';
import type { DigestService } from './digests/service.ts';
import type { ChannelSettingsService } from './settings/service.ts';
import type { Fleets } from './vessels/fleets.ts';
import type { VesselNames } from './vessels/vessel-names.ts';
import type { WatchService } from './watches/service/watch-service.ts';

export interface Caller {
  userId: string;
  isAdmin: boolean;
  /** IANA name, of the user's Slack profile; undefined where Slack does not tell. */
  zone: string | undefined;
}

/** What parsing may know. It has no clock: what is relative stays relative until `run`. */
export interface ParseContext {
  vessels: VesselDirectory;
}

/** Where a line was typed, or a button pressed. */
export interface Place {
  channelId: string;
  /** Of the thread it stands in. */
  threadTs?: string;
  isDm: boolean;
  /** Asked in a form, which may stand open longer than its person is in the channel. */
  mayHaveLeft?: boolean;
  /** Not where it was asked: the line names this channel. */
  isElsewhere?: boolean;
}

/** What is kept of a workspace. */
export interface Kept {
  watches: WatchService;
  names: VesselNames<Imo, VesselDirectory>;
  fleets: Fleets<Imo>;
  digests: DigestService;
  channels: ChannelSettingsService;
  guests: GuestSetting;
  audit: AuditLog;
}

/** Sends a text to a person alone, as a file. False where that is not possible: then it is shown instead. */
export type SendFile = (
  userId: string,
  file: { name: string; title: string; content: string },
) => Promise<boolean>;

export interface RunContext {
  actor: Caller;
  /** Left out in the terminal: it is no channel. */
  place?: Place;
  /** Left out in the terminal, which leaves the store to the running bot. */
  kept?: Kept;
  /** Left out where nobody waits, and in the terminal. */
  sendFile?: SendFile;
  workspaceId: string;
  analytics: AnalyticsClient;
  vessels: VesselDirectory;
  /** The domain clock. */
  now: () => Date;
  /** The real clock in ms, for the age of the token; `Date.now` where left out. */
  realNow?: () => number;
  source: 'service' | 'sandbox';
  /** The id of what this idempotencyKey: the same however often Slack delivers it, so that it is made once. */
  idempotencyKey?: string;
  /** Ask the service afresh, past the cache (Refresh). */
  fresh: boolean;
  /** `background`: nobody waits for it (a line of a digest); `interactive` where left out. */
  priority?: 'interactive' | 'background';
  signal: AbortSignal;
  /** Awaits what other people's commands hold up: meanwhile no deadline runs. Left out where there is none. */
  withDeadlinePaused?: <T>(waiting: Promise<T>) => Promise<T>;
  settings: { usageFor: 'everyone' | 'admins'; version: string };
}

/**
 * Who sees the answer of a line whose words do not say: `open`: as the channel's settings have it; `asked`: others
 * only on request; `inside`: then too only where nobody of another organisation reads; `personal`: it depends on
 * who asks, see below; `closed`: never anybody but the person who asks.
 */
export type Privacy = 'open' | 'asked' | 'inside' | 'personal' | 'closed';

/**
 * The answer shows what only the person who asks may see, such as other channels. Others see it where that person
 * types `public` or shares it; a mention, a Refresh and a digest in a channel never show it to them.
 */
export const isPersonal = ({ privacy }: { privacy?: Privacy }): boolean =>
  privacy === 'personal' || privacy === 'closed';

/** A command is one file: its name, its help, its words, its call, its view. */
export interface CommandDefinition<Args, Answer> {
  name: string;
  /** One line, without a full stop. */
  summary: string;
  /** The words after the name: `<vessel> [compare]`. */
  usage: string;
  /** Whole command lines without the slash. */
  examples: readonly [string, ...string[]];
  /** Lines for the help of this command alone; markup as in Slack. */
  more?: readonly string[];
  /** Reads only: it alone can stand in a digest, a button, or a link. A function where not all of its lines do. */
  repeatable: boolean | ((args: Args) => boolean);
  /** It changes nothing: those may run it who may only ask. Left out: as `repeatable`. */
  onlyAsks?: boolean | ((args: Args) => boolean);
  /** Left out: `open` for lines that only read, `asked` for the others. */
  privacy?: Privacy | ((args: Args) => Privacy);
  /** It needs what is kept of a workspace, so the terminal does not run it. */
  inSlack?: boolean | ((args: Args) => boolean);
  /** `words`: what follows the name, already cleaned by grammar/clean. Throws UserError; pure. */
  parse: (words: string, context: ParseContext) => Args;
  /** The canonical command line, name included, at most 1,500 characters: `parse(format(args))` gives `args` back. */
  format: (args: Args) => string;
  run: (args: Args, context: RunContext) => Promise<Answer>;
  view: (answer: Answer, reader: Reader) => Message;
  /** What a digest compares with the one before; null or left out where nothing in it could be new. */
  facts?: (answer: Answer) => LineFacts | null;
}

/** An answer that has been asked for: data, and the way to show it. */
export interface Answered {
  /** JSON-able, for `ask --json`. */
  value: unknown;
  facts: LineFacts | null;
  view(reader: Reader): Message;
}

/** A command line that has been read, before anything was asked. */
export interface Prepared {
  command: Command;
  /** Canonical. */
  line: string;
  /** This very line only reads. */
  repeatable: boolean;
  onlyAsks: boolean;
  privacy: Privacy;
  inSlack: boolean;
  run(context: RunContext): Promise<Answered>;
}

/** A definition with its types closed over, so that the registry can hold all of them. */
export interface Command
  extends Pick<CommandDefinition<never, never>, 'name' | 'summary' | 'usage' | 'examples'> {
  more: readonly string[];
  /** All of its lines only read. */
  repeatable: boolean;
  prepare(words: string, context: ParseContext): Prepared;
}

export function defineCommand<Args, Answer>(definition: CommandDefinition<Args, Answer>): Command {
  const {
    name,
    summary,
    usage,
    examples,
    more = [],
    repeatable,
    onlyAsks = repeatable,
    privacy,
    inSlack = false,
    parse,
    format,
    run,
    view,
    facts,
  } = definition;
  const command: Command = {
    name,
    summary,
    usage,
    examples,
    more,
    repeatable: repeatable === true,
    prepare(words, context) {
      const args = parse(words, context);
      const onlyReads = typeof repeatable === 'function' ? repeatable(args) : repeatable;
      const chosen = typeof privacy === 'function' ? privacy(args) : privacy;
      return {
        command,
        line: format(args),
        repeatable: onlyReads,
        onlyAsks: typeof onlyAsks === 'function' ? onlyAsks(args) : onlyAsks,
        privacy: chosen ?? (onlyReads ? 'open' : 'asked'),
        inSlack: typeof inSlack === 'function' ? inSlack(args) : inSlack,
        async run(runContext) {
          const value = await run(args, runContext);
          return { value, facts: facts?.(value) ?? null, view: (reader) => view(value, reader) };
        },
      };
    },
  };
  return command;
}
