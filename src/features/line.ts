import type { LineFacts } from '../answers/answer.ts';
import type { Message, Reader } from '../answers/message.ts';
import type { TableShape } from '../answers/table.ts';
import type { ExportFormat } from '../grammar/options.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { Imo } from '../reference/imo.ts';
import type { Visibility } from '../workspaces/settings.ts';

/** What a parser can use. There is no clock: relative words such as `tomorrow` stay relative until `run`. */
export interface ParseContext {
  vessels: VesselDirectory;
  /** What was typed after the words. */
  visibility?: Visibility;
  /** Those of the registry, for help. */
  commands?: readonly CommandHelp[];
  /** Reads a line inside of this one, such as one of a digest. Throws UserError. Left out for tools, which have fields. */
  readInner?(line: string): ReadLine;
}

/**
 * Who sees an answer. `open`: the channel's settings decide. `on-request`: only the person who asks, unless they share
 * it. `internal`: as `on-request`, but nobody can share it where people of other organisations read. `personal`: see `isPersonal`.
 * `never-shared`: personal, and nobody can make it public or put it into a digest.
 */
export type Privacy = 'open' | 'on-request' | 'internal' | 'personal' | 'never-shared';

/**
 * Whether each person gets a different answer, such as a list of their channels. Others see it only if that person
 * types `public` or shares it; a mention, a Refresh and a digest in a channel never show it to them.
 */
export const isPersonal = ({ privacy }: { privacy?: Privacy }): boolean =>
  privacy === 'personal' || privacy === 'never-shared';

/** A plain question that a command answers. It changes nothing. */
export interface Question {
  /** As a person types it; for help. */
  example: string;
  /**
   * The ways to ask it: regular expressions for the whole text, in any case, the most specific first. A slot such as
   * `{vessel}` stands for any words; `{period}?` may be left out, with the space before it.
   */
  asked: readonly string[];
  /** The words after the command's name, with the same slots. The command's own parser reads them. */
  words: string;
}

/** Plain text. */
export interface Option {
  typed: string;
  help: string;
}

/** What help says about a command. */
export interface CommandHelp {
  name: string;
  /** One line, without a full stop. */
  summary: string;
  /** The words after the name: `<vessel> [compare]`. */
  usage: string;
  /** Whole command lines without the slash. */
  examples: readonly [string, ...string[]];
  /** What can follow, such as a period or a rule: as it is typed, and what it does. */
  options?: readonly Option[];
  /** One sentence about the options. */
  optionsNote?: string;
  /** Plain questions that the command answers, such as “where is EVER GIVEN?”. Their lines must be repeatable. */
  questions?: readonly Question[];
  /** The tables that `table` can return, for the docs. */
  tables?: readonly TableShape[];
  /** It has no slash command of its own: people type `/landfall settings`, for example. */
  isUnderLandfall?: boolean;
}

/** Requests to the analytics service, if no answer is cached. */
export interface LineCost {
  calls: number;
  /** And one more for each further vessel of a group whose size the line doesn't say. */
  isOfGroup?: boolean;
}

/** What is known of a line when it has been read. The flags are for this line, not for all lines of the command. */
export interface ReadLine {
  command: CommandHelp;
  /** Canonical. */
  line: string;
  repeatable: boolean;
  onlyAsks: boolean;
  isExportable: boolean;
  /** Set if the line sends a file to the person who asks: `portcalls NLRTM as csv`. */
  exportFormat?: ExportFormat;
  privacy: Privacy;
  needsSlack: boolean;
  dependsOnPlace: boolean;
  /** What it asks about, in words, for the title of a digest. Left out: the line itself. */
  title?: string;
  /** Left out for a line that asks the service nothing. */
  cost?: LineCost;
  /** Counted in the past. A digest doesn't post the whole answer again while its verdict stays the same. */
  isStatistics?: boolean;
}

/** What a line has answered, for a surface that shows it. */
export interface AnsweredLine {
  /** Null if the next digest has nothing to compare with. */
  facts: LineFacts | null;
  /** The answer itself says what has changed. */
  hasNews: boolean;
  isForecast: boolean;
  /** The verdict in one line of mrkdwn, and what qualifies it. `isWhole`: it says all but the small print. */
  brief(reader: Reader): { lines: readonly string[]; isWhole: boolean };
  view(reader: Reader): Message;
}

export interface LineContext extends ParseContext {
  /** The vessels of the thread in which the line was typed: a line without a subject is about them. */
  threadVessels?: readonly Imo[];
  /** What was asked above, instead of `threadVessels`: a line without a subject is about the vessels that it names. */
  threadText?: string;
}
