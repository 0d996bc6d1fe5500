import type { Answer, HomePart, LineOf } from '../../src/answers/answer.ts';
import type { Message, Reader } from '../../src/answers/message.ts';
import { homeBlocks, toMessage, toReply } from '../../src/answers/slack/render.ts';
import { formatVesselGroup } from '../../src/grammar/vessel.ts';
import { blockLines } from './message-text.ts';
import { reader } from './view-fixtures.ts';

/** Lines in place of those of the features. */
export const lineOf: LineOf = (intent) => {
  switch (intent.kind) {
    case 'calls-at':
      return `portcalls ${intent.port}`;
    case 'next-ports-of':
      return `nextport ${intent.vessels === 'watched' ? 'watched' : formatVesselGroup(intent.vessels)}`;
    case 'watch-these': {
      const { vessels, at } = intent;
      return `watch ${formatVesselGroup(vessels)}${at === undefined ? '' : ` at ${at}`}`;
    }
    case 'watch-port':
      return `watch port ${intent.port}`;
    case 'stability-of':
      return `watch stability ${intent.imo}`;
    case 'own-usage':
      return 'usage bot';
    case 'map-of':
      return `nextport ${intent.imo} map`;
    case 'history-of':
      return `nextport ${intent.imo} history`;
    case 'watches-in':
      return `watch list${intent.scope === 'channel' ? '' : ` ${intent.scope}`}${intent.channelId === undefined ? '' : ` in <#${intent.channelId}>`}`;
  }
};

/** The message of an answer that no line asks for, such as an alert. */
export const replyMessage = (answer: Answer, shownTo: Reader = reader): Message =>
  toReply(answer, { reader: shownTo, lineOf });

/** The message of an answer to a line. */
export const messageOf = (answer: Answer, line: string, shownTo: Reader = reader): Message =>
  toMessage(answer, { line: answer.line ?? line, reader: shownTo, lineOf });

/** Parts of the Home tab as text, a line each. */
export const homeText = (parts: readonly HomePart[]): string =>
  parts.flatMap((part) => homeBlocks(part, { reader, lineOf }).flatMap(blockLines)).join('\n');
