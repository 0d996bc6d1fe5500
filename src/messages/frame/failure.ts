import { ServiceTrouble, StoreUnavailable, UserError } from '../../errors.ts';
import { actions, context, sections } from '../blocks.ts';
import { utcTime, wait } from '../formatting/times.ts';
import { clip, joinWithin, limits } from '../limits.ts';
import type { Message, Reader } from '../message.ts';
import { escaped } from '../mrkdwn.ts';
import { lineButtons } from './answer-actions.ts';
import { inventedSuffix } from './answer-message.ts';

interface FailureContext {
  /** A short reference such as 7K3F, which is in the log too; left out where no log keeps it. */
  ref?: string;
  reader: Reader;
  /** The canonical line that failed, where one was understood. */
  line?: string;
}

/** The one text for everything that can go wrong: what was typed, the service, or we. */
export function failureView(error: unknown, failure: FailureContext): Message {
  if (error instanceof UserError) return wrongInput(error);
  if (error instanceof ServiceTrouble) return serviceTrouble(troubleOf(error, failure), failure);
  if (isTimeout(error)) return serviceTrouble(tooSlow, failure);
  if (error instanceof StoreUnavailable) return serviceTrouble(storeUnavailable, failure);
  return ours(failure);
}

/** The same in one clause, without a reference: for a line among others. Not escaped. */
export function failureReason(error: unknown, failure: FailureContext): string {
  if (error instanceof UserError) return clip(error.message, 300);
  if (error instanceof ServiceTrouble) return troubleOf(error, failure).what;
  return isTimeout(error) ? tooSlow.what : 'Something broke on our side';
}

/** What was wrong, the nearest right things as buttons, an example to copy. */
function wrongInput({ code, message, hint, choices, example }: UserError): Message {
  const offered = choices.slice(0, 10);
  const asks = code === 'ambiguous-port' || code === 'ambiguous-vessel';
  const what = [message, ...(hint === undefined ? [] : [hint])].map((part) => clip(part, 600));
  const labels = offered.map(({ label }) => label).join('; ');
  const said = [
    ...what,
    ...(offered.length > 0 ? [`${asks ? '' : 'You could try: '}${labels}.`] : []),
    ...(example === undefined ? [] : [`For example: /${example}`]),
  ];
  return {
    text: joinWithin(
      said.map((part) => escaped(clip(part, 800))),
      ' ',
      limits.messageText,
    ),
    blocks: [
      ...sections([...what.map(escaped), ...(offered.length > 0 && !asks ? ['You could try:'] : [])]),
      ...actions(lineButtons(offered)),
      ...sections(example === undefined ? [] : [`For example: \`${escaped(clip(`/${example}`, 300))}\``]),
    ],
  };
}

interface Trouble {
  /** What is known, as a heading. */
  what: string;
  /** What to do, or what it means. */
  advice: string;
  /** Asking again may help. */
  again: boolean;
}

const tooSlow: Trouble = {
  what: 'The analytics service did not answer in time',
  advice: 'Nothing is wrong with what you typed. Please try again in a few minutes.',
  again: true,
};

const storeUnavailable: Trouble = {
  what: "Watches, digests and names can't be read at the moment",
  advice: "The bot's database does not answer. Other commands still work. Please try again in a minute.",
  again: true,
};

function serviceTrouble({ what, advice, again }: Trouble, { ref, reader, line }: FailureContext): Message {
  const smallPrint = [
    ...(ref === undefined ? [] : [`ref ${escaped(ref)}`]),
    ...(reader.source === 'sandbox' ? ['invented data'] : []),
  ];
  return {
    text: `${what}. ${advice}${inBrackets(ref)}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${what}*`, advice]),
      ...(smallPrint.length > 0 ? [context(`_${smallPrint.join(' · ')}_`)] : []),
      ...(again && line !== undefined ? actions(lineButtons([{ label: 'Try again', line }])) : []),
    ],
  };
}

function troubleOf(error: ServiceTrouble, { reader: { now }, line }: FailureContext): Trouble {
  switch (error.code) {
    case 'unavailable':
      return {
        what: `The analytics service does not answer${error.since ? ` (since ${utcTime(error.since, now)})` : ''}`,
        advice: 'Nothing is wrong with what you typed. Please try again in a few minutes.',
        again: true,
      };
    case 'unreadable':
      return {
        what: 'The analytics service sent something unreadable',
        advice: `Its answer (status ${error.status}) was not in the expected format. Please try again in a few minutes. If it happens again, tell whoever runs this bot.`,
        again: true,
      };
    case 'rate-limited':
      return {
        what: 'The analytics service is limiting our calls',
        advice: `This account made too many calls in a short time. Please try again ${waitOf(error.retryAfterMs)}.`,
        again: true,
      };
    case 'unauthorized':
      return {
        what: "The analytics service doesn't accept this bot's account",
        advice:
          'Whoever runs this bot needs to check its user id, password and API key. The bot retries automatically.',
        again: false,
      };
    case 'forbidden':
      return isLane(line)
        ? {
            what: 'This account has no access to trade lane statistics (beta)',
            advice:
              'The provider grants it to a limited number of users: ask the provider for access. Other commands still work.',
            again: false,
          }
        : {
            what: 'This account has no access to that part of the analytics service',
            advice: 'Ask the provider which parts the account includes.',
            again: false,
          };
    case 'not-found':
      return {
        what: 'The analytics service found nothing for that',
        advice: 'Check what you asked for.',
        again: false,
      };
  }
}

function waitOf(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? 'in a minute' : `in ${wait(retryAfterMs)}`;
}

function isLane(line: string | undefined): boolean {
  return line?.startsWith('lane ') ?? false;
}

function ours({ ref, line }: FailureContext): Message {
  const what = `Something broke on our side${inBrackets(ref)}`;
  const advice = `Nothing is wrong with what you typed. If it happens again, tell whoever runs this bot${ref === undefined ? '' : ', with this reference'}.`;
  return {
    text: `${what}. ${advice}`,
    blocks: [
      ...sections([`*${what}*`, advice]),
      ...(line === undefined ? [] : actions(lineButtons([{ label: 'Try again', line }]))),
    ],
  };
}

const inBrackets = (ref: string | undefined): string => (ref === undefined ? '' : ` (ref ${escaped(ref)})`);

/** Of `AbortSignal.timeout`: the service is all that a command waits for. */
function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
