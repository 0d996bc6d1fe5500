import { type Choice, UserError, type UserErrorCode } from '../errors.ts';
import { cleanLine } from '../grammar/clean.ts';
import { quote } from '../grammar/line-help.ts';
import { takeVisibility } from '../grammar/options.ts';
import { limits } from '../messages/limits.ts';
import type { Imo } from '../reference/imo.ts';
import { isLocode, type Locode } from '../reference/locode.ts';
import { isCloseTo, portOf } from '../reference/ports.ts';
import type { Command, LineContext, ParseLine, Prepared } from './command.ts';
import { nearestCommands } from './help/index.ts';

/** What a line is parsed with: the registry, and what is known of its place. */
interface Parsing extends LineContext {
  commands: readonly Command[];
}

/** Words that are not a command but mean one vessel or one known port are nextport or portcalls. */
export const createParseLine =
  (commands: readonly Command[]): ParseLine =>
  (text, context) => {
    const parsing = { ...context, commands };
    // Cleaning takes question marks at the end for punctuation.
    const [, questioned = ''] = /^\s*\/?(\p{L}+)\s+\?\s*$/u.exec(text) ?? [];
    const isAsked = commandOf(questioned.toLowerCase(), parsing) !== undefined;
    const { rest, visibility } = takeVisibility(isAsked ? `${questioned} help` : cleanLine(text));
    const prepared = prepareWords(rest, parsing);
    if (prepared.line.length > limits.commandLine) throw tooLong(prepared.line);
    return visibility === undefined ? prepared : { ...prepared, visibility };
  };

const tooLong = ({ length }: string): UserError =>
  new UserError({
    code: 'too-long',
    message: `A line can have at most ${limits.commandLine.toLocaleString('en')} characters; this one has ${length.toLocaleString('en')}.`,
    example: 'nextport 9461477',
  });

function prepareWords(line: string, context: Parsing): Prepared {
  const [, first = '', rest = ''] = /^\/?(\S*)\s*(.*)$/s.exec(line) ?? [];
  const name = first.toLowerCase();
  if (name === '')
    return subjectOf(context) === undefined ? run('landfall', '', context) : aboutSubject('', context);
  if (helpWord.test(name) && rest === '') return run('landfall', '', context);
  if (commandOf(name, context) && helpWord.test(rest))
    return run('landfall', name === 'landfall' ? '' : `help ${name}`, context);
  if (name === 'help') return run('landfall', line, context);
  if (name === 'landfall' && rest !== '' && !/^help\b/i.test(rest)) return prepareWords(rest, context);
  return commandOf(name, context) ? run(name, rest, context) : withoutCommand(line, { name, rest }, context);
}

const helpWord = /^(?:help|-h|--help)$/i;

function run(name: string, words: string, context: Parsing): Prepared {
  const command = commandOf(name, context);
  if (!command) return withoutCommand(`${name} ${words}`, { name, rest: words }, context);
  try {
    return command.prepare(words, context);
  } catch (error) {
    const missing = error instanceof UserError && error.code === 'missing-argument';
    if (!missing || name !== 'nextport') throw error;
    if (subjectOf(context) !== undefined) return aboutSubject(words, context);
    throw whichOfThem(words, context) ?? error;
  }
}

function aboutSubject(words: string, context: Parsing): Prepared {
  return run('nextport', `${subjectOf(context)} ${words}`.trim(), withoutSubject(context));
}

/** What the line itself does not say is not taken from its thread. */
const withoutSubject = ({ vessels, commands }: Parsing): Parsing => ({ vessels, commands });

const subjectOf = ({ about = [] }: Parsing): Imo | undefined => (about.length === 1 ? about[0] : undefined);

/** Under the card of many vessels: `history` is that of one of them. Undefined for what is no such word. */
function whichOfThem(words: string, context: Parsing): UserError | undefined {
  const { about = [] } = context;
  if (about.length < 2) return undefined;
  const { error } = attempt('nextport', `${about.slice(0, offered).join(', ')} ${words}`, context);
  return error?.code === 'too-many-vessels' ? error : undefined;
}

const offered = 5;

/** What was said of a vessel or a port counts only where the words clearly name one. */
const decisiveCodes: ReadonlySet<UserErrorCode> = new Set([
  'bad-check-digit',
  'bad-imo',
  'ambiguous-vessel',
  'ambiguous-port',
  'too-many-vessels',
]);

/** What is done to a watch: `snooze 1h` in its thread. */
const watchVerbs: ReadonlySet<string> = new Set(['snooze', 'wake', 'stop', 'resume', 'acknowledge', 'ack']);

/** No command: a vessel, a known port, more words about the subject, what is done to its watch, or nothing that is known. */
function withoutCommand(
  line: string,
  { name, rest }: { name: string; rest: string },
  context: Parsing,
): Prepared {
  const asVessel = attempt('nextport', line, context);
  if (asVessel.prepared) return asVessel.prepared;
  const asPort = attempt('portcalls', line, context);
  if (asPort.prepared && isKnownPort(asPort.prepared.line)) return asPort.prepared;
  if (greeting.test(line)) return run('landfall', '', context);
  if (thanks.test(line)) throw welcome();
  const subject = subjectOf(context);
  if (subject !== undefined) {
    const more = attempt('nextport', `${subject} ${line}`, context);
    if (more.prepared) return more.prepared;
  }
  const which = whichOfThem(line, context);
  if (which) throw which;
  // In the thread of a card these are about its watch; elsewhere the answer asks which one.
  if (watchVerbs.has(name)) return run('watch', line, withoutSubject(context));
  const decisive = [asVessel.error, asPort.error].find((error) => error && decisiveCodes.has(error.code));
  const near = [asVessel.error, asPort.error].flatMap((error) => choicesNear(line, error));
  throw decisive ?? unknownCommand({ line, name, rest, near }, context);
}

const greeting =
  /^(?:hi|hello|hey|hallo|hiya|moin|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|landfall))?$/i;
const thanks =
  /^(?:(?:ok|okay|great|perfect|many),? )?(?:thanks|thank you|thx|cheers|danke|merci|ok|okay|great|perfect|bye)(?: (?:a lot|so much|very much|again|landfall))?$/i;

const welcome = (): UserError =>
  new UserError({
    code: 'unknown-command',
    message: "You're welcome.",
    hint: 'Name a vessel, a port or a lane whenever you have a question.',
    choices: [{ label: 'Show all commands', line: 'landfall' }],
  });

/** Nobody said that it was a port: only one that the words come close to is offered. */
function choicesNear(line: string, error: UserError | undefined): readonly Choice[] {
  if (!error || line.length <= 3) return [];
  if (error.code !== 'unknown-port') return error.choices;
  return error.choices.filter((choice) => {
    const port = portIn(choice.line);
    return port !== undefined && isCloseTo(port, line);
  });
}

function attempt(name: string, words: string, context: Parsing): { prepared?: Prepared; error?: UserError } {
  try {
    return { prepared: run(name, words, withoutSubject(context)) };
  } catch (error) {
    if (error instanceof UserError) return { error };
    throw error;
  }
}

const isKnownPort = (line: string): boolean => portIn(line) !== undefined;

/** Of a line `portcalls NLRTM …`, where its code is in the reference data. */
function portIn(line: string): Locode | undefined {
  const code = /^portcalls ([A-Z]{2}) ?(\w{3})/.exec(line)?.slice(1).join('') ?? '';
  return isLocode(code) && portOf(code) !== undefined ? code : undefined;
}

/** With the nearest commands, where the rest of the line fits them, and the nearest vessels and ports. */
function unknownCommand(
  { line, name, rest, near }: { line: string; name: string; rest: string; near: readonly Choice[] },
  context: Parsing,
): UserError {
  const commandChoices = nearestCommands(name, context.commands).flatMap((nearName) => {
    const { prepared, error } = attempt(nearName, rest, context);
    // The rest may be misspelt as well.
    const lines = prepared
      ? [prepared.line]
      : (error?.choices ?? []).slice(0, 2).map((choice) => choice.line);
    return lines.map((near) => ({ label: `/${near}`, line: near }));
  });
  const known = commandChoices.map((choice) => choice.line);
  const others = near.filter((choice) => !known.includes(choice.line)).slice(0, 5);
  return new UserError({
    code: 'unknown-command',
    message: `${quote(line)} isn't a command, or a vessel or port that I know.`,
    choices: [...commandChoices, ...others, { label: 'Show all commands', line: 'landfall' }],
    example: 'nextport 9461477',
  });
}

const commandOf = (name: string, { commands }: Parsing): Command | undefined =>
  commands.find((command) => command.name === name);
