import type { Button } from '@slack/types';
import { actions, button, sections } from '../../../messages/blocks.ts';
import { zonedTime } from '../../../messages/formatting/times.ts';
import { counted } from '../../../messages/formatting/words.ts';
import { lineButtons } from '../../../messages/frame/answer-actions.ts';
import { joinWithin, limits } from '../../../messages/limits.ts';
import type { Message, Piece, Reader } from '../../../messages/message.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import { type Digest, isPersonalDigest } from '../digest.ts';
import { requestsPerRun } from '../requests.ts';
import { digestActionIds, digestButton, editDigestButton } from './digest-buttons.ts';
import { digestLines, nextInWords } from './digest-list.ts';

const verdicts = {
  added: 'Digest saved:',
  changed: 'Digest changed:',
  'handed-over': 'Digest handed over:',
  'how-to-edit': 'Change what you like in this line:',
  paused: 'Digest paused:',
  resumed: 'Digest resumed:',
  removed: 'Digest removed:',
  restored: 'Digest restored:',
  shown: 'Digest',
  running: 'On its way:',
} as const;

export interface DigestReply {
  kind: 'digest';
  digest: Digest;
  did: keyof typeof verdicts;
  /** The next runs; none if it is paused. */
  runs: readonly Date[];
  /** The line that sets the digest to its current settings, for people to edit. */
  edit: string;
  undo?: string;
  /** The digest was added to another channel. In this channel, its number may mean another digest. */
  isElsewhere?: boolean;
}

/** A digest as it would be posted now. */
export interface DigestDryRun {
  kind: 'dry-run';
  digest: Digest;
  /** The line that saves it. */
  save: string;
  view: (parts: { note: string; end: readonly Piece[] }) => Message;
}

/** For the person who typed the command. */
export function dryRunView({ digest, save, view }: DigestDryRun): Message {
  const note = [
    'Nothing is saved or posted yet.',
    sentTo(digest, 'To be sent'),
    ...costOf(digest).map((cost) => `${cost}.`),
  ].join(' ');
  return view({ note, end: actions(lineButtons([{ label: 'Save it', line: save }])) });
}

/** For the person who typed the command: what was done, the digest, its runs, and a button that undoes it. */
export function digestReplyView(reply: DigestReply, reader: Reader): Message {
  const { digest, did } = reply;
  const heading = `${verdictOf(reply, reader)} ${escaped(digest.title)}`;
  const isRemoved = did === 'removed';
  // The digest's own line names it in bold.
  const hasOwnLine = !isRemoved && did !== 'how-to-edit' && did !== 'running';
  const verdict = hasOwnLine ? verdictOf(reply, reader).replace(/:$/, '') : heading;
  const bold = did === 'shown' ? [] : [`*${verdict}*`];
  const parts = [
    heading,
    ...(isRemoved ? [] : [nextInWords(digest, reader.now)]),
    ...digest.lines.map(escaped),
  ];
  return {
    text: joinWithin(parts, '; ', limits.messageText),
    blocks: [
      ...sections([...bold, ...(isRemoved ? [] : detailsOf(reply, reader))]),
      ...actions(buttonsOf(reply)),
    ],
  };
}

/** In a channel, a mention would notify the new owner. */
function verdictOf({ did, digest }: DigestReply, { audience }: Reader): string {
  if (did !== 'handed-over' || audience !== 'private') return verdicts[did];
  return `Digest handed over to ${personMention(digest.ownerId)}:`;
}

/** Longer commands don't fit into Slack's message field; the form is offered instead. */
const maxEditLength = 2_500;

function detailsOf(reply: DigestReply, reader: Reader): string[] {
  const { digest, did, runs, edit, isElsewhere = false } = reply;
  if (did === 'how-to-edit')
    return [
      edit.length <= maxEditLength ? `\`/${escaped(edit)}\`` : 'It is too long to type in one line.',
      'Each part works on its own: a title in quotes, days and times, `only news` or `always`, and the lines after a colon.',
    ];
  if (did === 'running')
    return ["It will be posted as soon as its lines are answered. Its schedule doesn't change."];
  const isPersonal = isPersonalDigest(digest);
  const there = isPersonal ? 'in your direct messages' : 'there';
  const later = runs.slice(1).map((run) => zonedTime(run, digest.zone, reader.now));
  return [
    ...digestLines(isElsewhere ? { ...digest, number: 0 } : digest, reader, 2_500),
    ...(later.length > 0 ? [`Then ${later.join(', ')}`] : []),
    [
      `${sentTo(digest).slice(0, -1)}${isElsewhere ? `; ${there} it is digest ${digest.number}` : ''}`,
      ...(did === 'added' ? costOf(digest) : []),
    ].join(' · '),
  ];
}

const sentTo = (digest: Digest, sent = 'Sent'): string =>
  `${sent} ${isPersonalDigest(digest) ? 'to you by direct message' : `in ${channelMention(digest.channelId)}`}.`;

function costOf({ lines }: Digest): string[] {
  const requests = requestsPerRun(lines);
  if (requests === 0) return [];
  const hasGroup = lines.some((line) => /^nextport (?:watched|fleet:)/.test(line));
  const more = hasGroup ? ', and one more for each further vessel that is watched or in the fleet' : '';
  return [`Each run uses ${counted(requests, 'API call')}${more}`];
}

function buttonsOf(reply: DigestReply): Button[] {
  const { did, digest, undo, isElsewhere = false } = reply;
  const { id, number, status } = digest;
  if (isElsewhere)
    return [
      button({ id: digestActionIds.remove, label: 'Undo', value: id }),
      digestButton('run', id),
      editDigestButton(id),
    ];
  const lineFor = (label: string, verb: string) => ({ label, line: `digest ${verb} ${number}` });
  const run = lineFor('Run now', 'run');
  const show = lineFor('Show it', 'show');
  const undoButton = undo === undefined ? [] : [{ label: 'Undo', line: undo }];
  switch (did) {
    case 'added':
    case 'changed':
    case 'handed-over':
    case 'resumed':
    case 'restored':
      return [...lineButtons([...undoButton, run]), editDigestButton(id)];
    case 'paused':
    case 'removed':
      return lineButtons(undoButton);
    case 'shown': {
      const pauseOrResume = status === 'active' ? lineFor('Pause', 'pause') : lineFor('Resume', 'resume');
      const rest = lineButtons([pauseOrResume, lineFor('Remove', 'remove')], 1);
      return [...lineButtons([run]), editDigestButton(id), ...rest];
    }
    case 'how-to-edit':
      return [editDigestButton(id, 'Open the form'), ...lineButtons([show])];
    case 'running':
      return lineButtons([show]);
  }
}
