import type { Answer } from '../../src/answers/answer.ts';
import type { LineOf } from '../../src/answers/intent.ts';
import { toMessage } from '../../src/answers/slack/render.ts';
import type { Message, Reader } from '../../src/messages/message.ts';
import { reader } from './view-fixtures.ts';

/** Lines in place of those of the features. */
export const lineOf: LineOf = (intent) =>
  `${names[intent.kind]} ${'port' in intent ? intent.port : intent.imos.join(', ')}`;

const names = {
  'calls-at': 'portcalls',
  'next-ports-of': 'nextport',
  'watch-these': 'watch',
  'watch-port': 'watch port',
};

/** The message of an answer to a line. */
export const messageOf = (answer: Answer, line: string, shownTo: Reader = reader): Message =>
  toMessage(answer, { line, reader: shownTo, lineOf });
