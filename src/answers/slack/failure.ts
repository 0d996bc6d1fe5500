import {
  afterMention,
  type Choice,
  NoAccountError,
  ownLines,
  ServiceTrouble,
  StoreUnavailable,
  UserError,
} from '../../errors.ts';
import { connectAnswer } from '../connect-account.ts';
import { utcTime, waitInWords } from '../formatting/times.ts';
import { clip, joinWithin, limits, type Message, type Reader } from '../message.ts';
import { escaped, withMentions, withoutIds } from '../text.ts';
import { answerActions, inventedNotes, inventedSuffix, lineButtons, smallPrint } from './answer-message.ts';
import { actions, sections } from './blocks.ts';
import { toReply } from './render.ts';

interface FailureContext {
  /** A reference such as 7K3F, under which the log has the error; left out if there is no log. */
  ref?: string;
  reader: Reader;
  /** The person who reads it is an admin of the workspace. */
  isAdmin?: boolean;
  /** The canonical line that failed; left out if the typed line could not be parsed. */
  line?: string;
  /** How the person reaches Landfall: Slack takes no slash commands in threads. Default: `slash`. */
  typedAfter?: 'slash' | 'mention' | 'nothing';
  /** Others read it too, so it mentions nobody. Default: true. */
  isPublic?: boolean;
}

/** The message for any error: wrong input, trouble with the service or the database, or a bug. */
export function failureView(error: unknown, failure: FailureContext): Message {
  if (error instanceof NoAccountError) {
    const { isAdmin = false, reader } = failure;
    const answer = connectAnswer({ isAdmin, installerId: error.installerId });
    return toReply(answer, { reader, lineOf: () => undefined });
  }
  if (error instanceof UserError) return wrongInput(error, failure);
  const trouble = error instanceof StoreUnavailable ? storeUnavailable : troubleOf(error, failure);
  return trouble ? troubleView(trouble, failure) : bugView(failure);
}

/** The error in one clause, without a reference and not escaped. */
export function failureReason(error: unknown, failure: FailureContext): string {
  if (error instanceof UserError) return clip(error.message, 300);
  return troubleOf(error, failure)?.title ?? 'Something broke on our side';
}

/** What is wrong in one line, and the buttons that fix it; without any, an example to copy. */
function wrongInput(
  { message, hint, choices, areSeveral, example, form }: UserError,
  { typedAfter = 'slash', isPublic = true, reader: { now } }: FailureContext,
): Message {
  const offered = choices.slice(0, 10).map((choice) => ({ ...choice, label: withoutIds(choice.label) }));
  const fault = [message, ...(hint === undefined ? [] : [hint])].map((part) =>
    withMentions(escaped(clip(part, 600)), { mentionsPeople: !isPublic }),
  );
  const labels = offered.map(({ label }) => label).join('; ');
  const isQuestion = [message, hint ?? ''].some((part) => part.endsWith('?'));
  const offer = offered.length === 0 ? [] : [`${isQuestion ? '' : 'You could try: '}${labels}.`];
  const typed = example === undefined ? undefined : toCopy[typedAfter](example);
  const copied = offered.length > 0 || typed === undefined ? [] : [escaped(clip(typed, 300))];
  const runs = [...offered, ...(form ? [{ label: form.label, form: form.name, target: form.target }] : [])];
  return {
    text: joinWithin(
      [
        ...fault,
        ...offer.map((words) => escaped(clip(words, 800))),
        ...copied.map((line) => `For example: ${line}`),
      ],
      ' ',
      limits.messageText,
    ),
    blocks: [
      ...sections([[...fault, ...copied.map((line) => `For example: \`${line}\``)].join(' ')]),
      ...answerActions({ runs, isLasting: areSeveral }, { lineOf: () => undefined, now }),
    ],
  };
}

const toCopy: Record<NonNullable<FailureContext['typedAfter']>, (line: string) => string> = {
  slash: (line) => `/${line}`,
  mention: afterMention,
  nothing: (line) => line,
};

interface Trouble {
  title: string;
  /** What to do besides trying again. */
  advice?: string;
  /** A line that helps more than asking again, which would give the same. */
  instead?: Choice | 'nothing';
}

const askOperator = 'If it happens again, tell whoever runs this bot';

function troubleOf(error: unknown, failure: FailureContext): Trouble | undefined {
  if (error instanceof ServiceTrouble) return serviceTrouble(error, failure);
  // `AbortSignal.timeout` aborts with this error. A command waits only for the service.
  return error instanceof DOMException && error.name === 'TimeoutError' ? tooSlow : undefined;
}

const tooSlow: Trouble = { title: 'The analytics service did not answer in time' };

const storeUnavailable: Trouble = {
  title: "Watches, digests and names can't be read at the moment",
  advice: "The bot's database does not answer; questions still work",
};

/** One line, small print, and a button. */
function troubleView({ title, advice, instead }: Trouble, { ref, reader, line }: FailureContext): Message {
  const reference = ref === undefined ? [] : [`ref ${escaped(ref)}`];
  const small = [...(advice === undefined ? [] : [advice]), ...reference];
  const buttons = instead === undefined ? tryAgain(line) : instead === 'nothing' ? [] : [instead];
  return {
    text: `${[title, ...(advice === undefined ? [] : [advice])].join('. ')}${reference.map((words) => ` (${words})`).join('')}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${title}*`]),
      ...smallPrint([...small, ...inventedNotes(reader)]),
      ...actions(lineButtons(buttons)),
    ],
  };
}

function serviceTrouble(error: ServiceTrouble, { reader: { now } }: FailureContext): Trouble {
  switch (error.code) {
    case 'unavailable':
      return {
        title: `The analytics service does not answer${error.since ? ` (since ${utcTime(error.since, now)})` : ''}`,
      };
    case 'unreadable':
      return {
        title: 'The analytics service sent something unreadable',
        // A refusal has another status than an answer that can't be read.
        advice:
          error.status === undefined || error.status < 300
            ? askOperator
            : `${askOperator} (status ${error.status})`,
      };
    case 'rate-limited': {
      const wait = error.retryAfterMs === undefined ? 'a minute' : waitInWords(error.retryAfterMs);
      return { title: 'The analytics service is limiting our calls', advice: `Try again in ${wait}` };
    }
    case 'unauthorized':
      return {
        title: "The analytics service doesn't accept the account",
        advice: 'Its user id, password and API key need checking; Landfall retries automatically',
        instead: { label: 'Whose account?', line: ownLines.account },
      };
    case 'forbidden':
      return error.isBeta ? noLaneAccess : noAccess;
    case 'not-found':
      return { title: 'The analytics service found nothing for that', instead: 'nothing' };
  }
}

const noLaneAccess: Trouble = {
  title: 'This account has no access to trade lane statistics (beta)',
  advice: 'The provider grants it to a limited number of users; other commands still work',
  instead: 'nothing',
};

const noAccess: Trouble = {
  title: 'This account has no access to that part of the analytics service',
  advice: 'Ask the provider which parts the account includes',
  instead: 'nothing',
};

function bugView({ ref, line, reader }: FailureContext): Message {
  const title = `Something broke on our side${ref === undefined ? '' : ` (ref ${escaped(ref)})`}`;
  return troubleView(
    { title, advice: askOperator },
    { reader: { ...reader, source: 'service' }, ...(line !== undefined && { line }) },
  );
}

const tryAgain = (line: string | undefined): Choice[] =>
  line === undefined ? [] : [{ label: 'Try again', line }];
