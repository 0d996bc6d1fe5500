import type { Answer } from '../../src/answers/answer.ts';
import type { Message, Reader } from '../../src/answers/message.ts';
import { toMessage, toReply } from '../../src/answers/slack/render.ts';
import { registry } from '../../src/features/index.ts';
import { reader } from './view-fixtures.ts';

export const { lineOf } = registry;

/** The message of an answer that no line asks for, such as an alert. */
export const replyMessage = (answer: Answer, shownTo: Reader = reader): Message =>
  toReply(answer, { reader: shownTo, lineOf });

/** The message of an answer to a line. */
export const messageOf = (answer: Answer, line: string, shownTo: Reader = reader): Message =>
  toMessage(answer, { line: answer.line ?? line, reader: shownTo, lineOf });
