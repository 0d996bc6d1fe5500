import type { Answer, HomePart } from '../../src/answers/answer.ts';
import type { Message, Reader } from '../../src/answers/message.ts';
import { homeBlocks, toMessage, toReply } from '../../src/answers/slack/render.ts';
import { registry } from '../../src/features/index.ts';
import { blockLines } from './message-text.ts';
import { reader } from './view-fixtures.ts';

export const { lineOf } = registry;

/** The message of an answer that no line asks for, such as an alert. */
export const replyMessage = (answer: Answer, shownTo: Reader = reader): Message =>
  toReply(answer, { reader: shownTo, lineOf });

/** The message of an answer to a line. */
export const messageOf = (answer: Answer, line: string, shownTo: Reader = reader): Message =>
  toMessage(answer, { line: answer.line ?? line, reader: shownTo, lineOf });

/** Parts of the Home tab as text, a line each. */
export const homeText = (parts: readonly HomePart[]): string =>
  parts.flatMap((part) => homeBlocks(part, { reader, lineOf }).flatMap(blockLines)).join('\n');
