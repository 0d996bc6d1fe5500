import type { Button } from '@slack/types';
import { actions, button, sections } from '../../../messages/blocks.ts';
import { zonedTime } from '../../../messages/formatting/times.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { joinWithin, limits } from '../../../messages/limits.ts';
import type { Message, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { digestActionIds } from '../action-ids.ts';
import { editDigestButton } from './digest-buttons.ts';
import { digestLines, nextOf, type ShownDigest } from './digest-list.ts';

/** What was done to a digest, and how it is now. */
export interface DigestReply extends ShownDigest {
  kind: 'digest';
  did:
    | 'added'
    | 'would-be-added'
    | 'changed'
    | 'handed-over'
    | 'how-to-edit'
    | 'paused'
    | 'resumed'
    | 'removed'
    | 'restored'
    | 'shown'
    | 'running';
  /** The next runs; none of one that is paused. */
  runs: readonly Date[];
  /** The line that makes it as it is: what to change is changed in it. */
  edit: string;
  /** The line that takes back what was done. */
  undo?: string;
  /** The line that saves what was only looked at. */
  save?: string;
  /** It is in another channel than this answer, where no line means it: its buttons go by its id. */
  isElsewhere?: boolean;
}

/** In private: what was done, the digest, when it runs, and the way back. */
export function digestReplyView(reply: DigestReply, reader: Reader): Message {
  const { digest, did } = reply;
  const what = `${verdictOf(reply, reader)} ${escaped(digest.title)}`;
  return {
    text: joinWithin(
      [what, ...(did === 'removed' ? [] : [nextOf(digest, reader.now)]), ...digest.lines.map(escaped)],
      '; ',
      limits.messageText,
    ),
    blocks: [
      ...sections([`*${what}*`, ...(did === 'removed' ? [] : detail(reply, reader))]),
      ...actions(buttonsOf(reply)),
    ],
  };
}

const longestLine = 2_500;

const verdicts: Record<DigestReply['did'], string> = {
  added: 'Digest saved:',
  'would-be-added': 'Nothing is saved. This would be the digest',
  changed: 'Digest changed:',
  'handed-over': 'Digest handed over:',
  'how-to-edit': 'Change what you like in this line:',
  paused: 'Digest paused:',
  resumed: 'Digest resumed:',
  removed: 'Digest removed:',
  restored: 'Digest restored:',
  shown: 'Digest',
  running: 'On its way:',
};

/** A mention in a channel would call them. */
function verdictOf({ did, digest }: DigestReply, { audience }: Reader): string {
  if (did !== 'handed-over' || audience !== 'private') return verdicts[did];
  return `Digest handed over to ${personMention(digest.ownerId)}:`;
}

function detail(reply: DigestReply, reader: Reader): string[] {
  const { digest, did, runs, edit, isElsewhere = false } = reply;
  if (did === 'how-to-edit')
    return [
      // What does not fit into one line of Slack's is for the form.
      edit.length <= longestLine ? `\`/${escaped(edit)}\`` : 'It is too long to type in one line.',
      'Each part works on its own: a title in quotes, days and times, `only news` or `always`, and the lines after a colon.',
    ];
  if (did === 'running')
    return ["It will be posted as soon as its lines are answered. Its schedule doesn't change."];
  const isOwn = digest.destination === 'direct-message';
  const place = isOwn ? 'to you by direct message' : `in ${channelMention(digest.channelId)}`;
  const number = isElsewhere
    ? `; ${isOwn ? 'in your direct messages' : 'there'} it is digest ${digest.number}`
    : '';
  const later = runs.slice(1).map((run) => zonedTime(run, digest.zone, reader.now));
  return [
    // Here its number may be another one's.
    ...digestLines(isElsewhere ? { ...reply, digest: { ...digest, number: 0 } } : reply, reader, 2_500),
    ...(later.length > 0 ? [`then ${later.join(', then ')}`] : []),
    `Sent ${place}${number}.`,
    ...costOf(reply),
  ];
}

/** A line asks the service once, or once for each of several vessels. */
function costOf({ digest, did }: DigestReply): string[] {
  if (did !== 'added' && did !== 'would-be-added') return [];
  const perRun = digest.lines.reduce((sum, line) => sum + questionsOf(line), 0);
  if (perRun === 0) return [];
  const isOpen = digest.lines.some((line) => /^nextport (?:watched|fleet:)/.test(line));
  const count = `${perRun} ${perRun === 1 ? 'call' : 'calls'}`;
  return [
    isOpen
      ? `Each run makes ${count} to the service, and one more for each further vessel that is watched or in the fleet.`
      : `Each run makes ${count} to the service.`,
  ];
}

/** `nextport A, B, C` asks for each; what Landfall keeps itself asks nothing. */
function questionsOf(line: string): number {
  if (line.startsWith('nextport ')) return line.split(',').length;
  return /^(?:portcalls|lane|usage)\b/.test(line) ? 1 : 0;
}

function buttonsOf(reply: DigestReply): Button[] {
  const { did, digest, undo, save, isElsewhere = false } = reply;
  const { number, status } = digest;
  const run = { label: 'Run now', line: `digest run ${number}` };
  const show = { label: 'Show it', line: `digest show ${number}` };
  const back = undo === undefined ? [] : [{ label: 'Undo', line: undo }];
  const edit = (label = 'Edit') => [editDigestButton(digest.id, label)];
  if (isElsewhere)
    return [
      button({ id: digestActionIds.remove, label: 'Undo', value: digest.id }),
      button({ id: digestActionIds.run, label: 'Run now', value: digest.id }),
      ...edit(),
    ];
  switch (did) {
    case 'added':
    case 'changed':
    case 'handed-over':
    case 'resumed':
    case 'restored':
      return [...lineButtons([...back, run]), ...edit()];
    case 'paused':
    case 'removed':
      return lineButtons(back);
    case 'would-be-added':
      return save === undefined ? [] : lineButtons([{ label: 'Save it', line: save }]);
    case 'shown':
      return [
        ...lineButtons([run]),
        ...edit(),
        ...lineButtons(
          [switchOf({ number, status }), { label: 'Remove', line: `digest remove ${number}` }],
          1,
        ),
      ];
    case 'how-to-edit':
      return [...edit('Open the form'), ...lineButtons([show])];
    case 'running':
      return lineButtons([show]);
  }
}

const switchOf = ({ number, status }: Pick<DigestReply['digest'], 'number' | 'status'>) =>
  status === 'active'
    ? { label: 'Pause', line: `digest pause ${number}` }
    : { label: 'Resume', line: `digest resume ${number}` };
