import type { Answer, LineOf } from '../../src/answers/answer.ts';
import type { Message, Reader } from '../../src/answers/message.ts';
import { toMessage } from '../../src/answers/slack/render.ts';
import { formatFleetName } from '../../src/grammar/vessel.ts';
import { reader } from './view-fixtures.ts';

/** Lines in place of those of the features. */
export const lineOf: LineOf = (intent) => {
  switch (intent.kind) {
    case 'calls-at':
      return `portcalls ${intent.port}`;
    case 'next-ports-of':
      return `nextport ${intent.imos.join(', ')}`;
    case 'next-ports-of-fleet':
      return `nextport ${formatFleetName(intent.fleet)}`;
    case 'watch-these': {
      const { vessels, at } = intent;
      const group =
        'imos' in vessels
          ? vessels.imos.join(', ')
          : 'list' in vessels
            ? `list:${vessels.list}`
            : formatFleetName(vessels.fleet);
      return `watch ${group}${at === undefined ? '' : ` at ${at}`}`;
    }
    case 'watch-port':
      return `watch port ${intent.port}`;
    case 'stability-of':
      return `watch stability ${intent.imo}`;
    case 'history-of':
      return `nextport ${intent.imo} history`;
    case 'watches-in':
      return `watch list${intent.scope === 'channel' ? '' : ` ${intent.scope}`}${intent.channelId === undefined ? '' : ` in <#${intent.channelId}>`}`;
  }
};

/** The message of an answer to a line. */
export const messageOf = (answer: Answer, line: string, shownTo: Reader = reader): Message =>
  toMessage(answer, { line: answer.line ?? line, reader: shownTo, lineOf });
