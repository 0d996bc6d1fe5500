import { NoAccountError, ServiceTrouble, StoreUnavailable, UserError } from '../../errors.ts';
import { actions, sections } from '../blocks.ts';
import { utcTime, waitInWords } from '../formatting/times.ts';
import { clip, joinWithin, limits } from '../limits.ts';
import type { Message, Reader } from '../message.ts';
import { escaped } from '../mrkdwn.ts';
import { lineButtons } from './answer-actions.ts';
import { inventedSuffix } from './answer-message.ts';
import { connectAccount } from './connect-account.ts';
import { inventedNotes, smallPrint } from './small-print.ts';

interface FailureContext {
  /** A reference such as 7K3F, under which the log has the error; left out if there is no log. */
  ref?: string;
  reader: Reader;
  /** The person who reads it is an admin of the workspace. */
  isAdmin?: boolean;
  /** The canonical line that failed; left out if the typed line could not be parsed. */
  line?: string;
}

/** The message for any error: wrong input, trouble with the service or the database, or a bug. */
export function failureView(error: unknown, failure: FailureContext): Message {
  if (error instanceof NoAccountError)
    return connectAccount({ isAdmin: failure.isAdmin ?? false, installerId: error.installerId });
  if (error instanceof UserError) return wrongInput(error);
  const trouble = error instanceof StoreUnavailable ? storeUnavailable : troubleOf(error, failure);
  return trouble ? troubleView(trouble, failure) : bugView(failure);
}

/** The error in one clause, without a reference and not escaped. */
export function failureReason(error: unknown, failure: FailureContext): string {
  if (error instanceof UserError) return clip(error.message, 300);
  return troubleOf(error, failure)?.title ?? 'Something broke on our side';
}

/** What is wrong, the nearest valid lines as buttons, and an example to copy. */
function wrongInput({ code, message, hint, choices, example }: UserError): Message {
  const offered = choices.slice(0, 10);
  const isQuestion = code === 'ambiguous-port' || code === 'ambiguous-vessel';
  const lead = offered.length > 0 && !isQuestion ? ['You could try:'] : [];
  const fault = [message, ...(hint === undefined ? [] : [hint])].map((part) => clip(part, 600));
  const labels = offered.map(({ label }) => label).join('; ');
  const sentences = [
    ...fault,
    ...(offered.length > 0 ? [[...lead, `${labels}.`].join(' ')] : []),
    ...(example === undefined ? [] : [`For example: /${example}`]),
  ].map((part) => escaped(clip(part, 800)));
  return {
    text: joinWithin(sentences, ' ', limits.messageText),
    blocks: [
      ...sections([...fault.map(escaped), ...lead]),
      ...actions(lineButtons(offered)),
      ...sections(example === undefined ? [] : [`For example: \`${escaped(clip(`/${example}`, 300))}\``]),
    ],
  };
}

interface Trouble {
  title: string;
  advice: string;
  /** Set if asking again doesn't help. */
  isFinal?: true;
}

const inputIsRight = 'Nothing is wrong with what you typed.';

function troubleOf(error: unknown, failure: FailureContext): Trouble | undefined {
  if (error instanceof ServiceTrouble) return serviceTrouble(error, failure);
  // `AbortSignal.timeout` aborts with this error. A command waits only for the service.
  return error instanceof DOMException && error.name === 'TimeoutError' ? tooSlow : undefined;
}

const tooSlow: Trouble = {
  title: 'The analytics service did not answer in time',
  advice: `${inputIsRight} Please try again in a few minutes.`,
};

const storeUnavailable: Trouble = {
  title: "Watches, digests and names can't be read at the moment",
  advice: "The bot's database does not answer. Other commands still work. Please try again in a minute.",
};

function troubleView({ title, advice, isFinal }: Trouble, { ref, reader, line }: FailureContext): Message {
  const notes = [...(ref === undefined ? [] : [`ref ${escaped(ref)}`]), ...inventedNotes(reader)];
  return {
    text: `${title}. ${advice}${inBrackets(ref)}${inventedSuffix(reader)}`,
    blocks: [...sections([`*${title}*`, advice]), ...smallPrint(notes), ...(isFinal ? [] : tryAgain(line))],
  };
}

function serviceTrouble(error: ServiceTrouble, { reader: { now }, line }: FailureContext): Trouble {
  switch (error.code) {
    case 'unavailable':
      return {
        title: `The analytics service does not answer${error.since ? ` (since ${utcTime(error.since, now)})` : ''}`,
        advice: `${inputIsRight} Please try again in a few minutes.`,
      };
    case 'unreadable':
      return {
        title: 'The analytics service sent something unreadable',
        advice: `Its answer (status ${error.status}) was not in the expected format. Please try again in a few minutes. If it happens again, tell whoever runs this bot.`,
      };
    case 'rate-limited':
      return {
        title: 'The analytics service is limiting our calls',
        advice: `This account made too many calls in a short time. Please try again in ${error.retryAfterMs === undefined ? 'a minute' : waitInWords(error.retryAfterMs)}.`,
      };
    case 'unauthorized':
      return {
        title: "The analytics service doesn't accept the account",
        advice:
          'Its user id, password and API key need checking: `/landfall account` says whose account it is. Landfall retries automatically.',
        isFinal: true,
      };
    case 'forbidden':
      return line?.startsWith('lane ') ? noLaneAccess : noAccess;
    case 'not-found':
      return {
        title: 'The analytics service found nothing for that',
        advice: 'Check what you asked for.',
        isFinal: true,
      };
  }
}

const noLaneAccess: Trouble = {
  title: 'This account has no access to trade lane statistics (beta)',
  advice:
    'The provider grants it to a limited number of users: ask the provider for access. Other commands still work.',
  isFinal: true,
};

const noAccess: Trouble = {
  title: 'This account has no access to that part of the analytics service',
  advice: 'Ask the provider which parts the account includes.',
  isFinal: true,
};

function bugView({ ref, line }: FailureContext): Message {
  const title = `Something broke on our side${inBrackets(ref)}`;
  const advice = `${inputIsRight} If it happens again, tell whoever runs this bot${ref === undefined ? '' : ', with this reference'}.`;
  const blocks = [...sections([`*${title}*`, advice]), ...tryAgain(line)];
  return { text: `${title}. ${advice}`, blocks };
}

const tryAgain = (line: string | undefined) =>
  line === undefined ? [] : actions(lineButtons([{ label: 'Try again', line }]));

const inBrackets = (ref: string | undefined): string => (ref === undefined ? '' : ` (ref ${escaped(ref)})`);
