import type { Overflow, SectionBlock } from '@slack/types';
import {
  digestActionIds,
  formOption,
  homeActionIds,
  pressOption,
  watchActionIds,
} from '../../messages/action-ids.ts';
import { overflow, sections } from '../../messages/blocks.ts';
import { clip, limits } from '../../messages/limits.ts';
import type { Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Imo } from '../../reference/imo.ts';
import { digestLines, placeOf, type ShownDigest } from '../digests/views/digest-list.ts';
import type { WatchWithFollowings } from '../watches/store/watch-list.ts';
import { watchLines } from '../watches/views/watch-list.ts';

interface Choice {
  label: string;
  value: string;
}

/** A watch with its baseline, and what can be done to it. */
export function watchRow(watch: WatchWithFollowings, reader: Reader): SectionBlock {
  const { id, status, news, acknowledgement, snooze } = watch;
  const isOpen = news !== null && acknowledgement === null;
  return row(watchLines(watch, { scope: 'all' }, reader), id, [
    ...(isOpen ? [pressOption('Acknowledge', watchActionIds.acknowledge, id)] : []),
    ...(status === 'paused' ? [pressOption('Resume', watchActionIds.resume, id)] : []),
    ...(status === 'active' ? snoozes(id, { isSnoozed: snooze !== null, room: isOpen ? 1 : 2 }) : []),
    ...(status === 'ended' ? [] : [{ label: 'Edit …', value: formOption('watch', { watchId: id }) }]),
    pressOption('Stop …', homeActionIds.sure, `watch ${id}`),
  ]);
}

/** Slack's menus hold five. */
function snoozes(id: string, { isSnoozed, room }: { isSnoozed: boolean; room: number }): Choice[] {
  const until = { label: 'Snooze until …', value: formOption('snooze', { watchId: id }) };
  const now = isSnoozed
    ? pressOption('Wake now', watchActionIds.snooze, `wake ${id}`)
    : pressOption('Snooze 1 hour', watchActionIds.snooze, `1h ${id}`);
  return [now, until].slice(0, room);
}

export function digestRow(shown: ShownDigest, reader: Reader): SectionBlock {
  const { id, status } = shown.digest;
  const [title = '', ...lines] = digestLines(shown, reader, 500);
  return row([`${title} · ${placeOf(shown.digest)}`, ...lines], id, [
    pressOption('Run now', digestActionIds.run, id),
    { label: 'Edit …', value: formOption('digest', { digestId: id }) },
    status === 'active'
      ? pressOption('Pause', digestActionIds.pause, id)
      : pressOption('Resume', digestActionIds.resume, id),
    pressOption('Remove …', homeActionIds.sure, `digest ${id}`),
  ]);
}

export function nameRow({
  imo,
  name,
  fleets,
}: {
  imo: Imo;
  name: string;
  fleets: readonly string[];
}): SectionBlock {
  const listed = fleets.length > 0 ? ` · fleet ${escaped(clip(fleets.join(', '), 200))}` : '';
  return row([`*${escaped(clip(name, 100))}* · IMO ${imo}${listed}`], String(imo), [
    { label: 'Rename …', value: formOption('name', { imo }) },
    { label: 'Where does it call next?', value: `nextport ${imo}` },
    { label: 'Forget the name', value: `vessel forget ${imo}` },
  ]);
}

function row(lines: readonly string[], id: string, choices: readonly Choice[]): SectionBlock {
  const menu: Overflow = overflow(homeActionIds.menu, choices.slice(0, limits.overflowOptions));
  const [section = { type: 'section' } satisfies SectionBlock] = sections([
    clip(lines.join('\n'), limits.sectionText),
  ]);
  return { ...section, block_id: `row ${id}`, accessory: menu };
}
