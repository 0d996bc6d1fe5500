import { formOption, pressOption } from '../../messages/action-ids.ts';
import { rowWithMenu } from '../../messages/frame/menu-row.ts';
import type { Reader } from '../../messages/message.ts';
import type { HomeSection } from '../feature.ts';
import { actorIn } from '../run-context.ts';
import { digestActionIds } from './action-ids.ts';
import { formatSchedule } from './schedule-words.ts';
import type { DigestService } from './service.ts';
import { digestLines, placeOf, type ShownDigest } from './views/digest-list.ts';

export const digestsOnHome = (service: DigestService): HomeSection => ({
  name: 'digests',
  label: 'Digests',
  opener: { form: 'digest', label: 'Plan a digest …' },
  firstStep: '*Plan a digest.* The answers that you need each morning, with what is new on top.',
  empty: 'No digests here yet. For example: `/digest add weekdays 08:00: portcalls NLRTM next 3 days`',
  hasOwners: true,
  async read({ scope, ...page }, context) {
    const { digests, total } = await service.list(scope, actorIn(context), page);
    const shown = digests.map((digest) => ({ digest, when: formatSchedule(digest) }));
    return { total, rows: (reader) => shown.map((one) => digestRow(one, reader)) };
  },
});

function digestRow(shown: ShownDigest, reader: Reader) {
  const { id, status } = shown.digest;
  const [title = '', ...lines] = digestLines(shown, reader, 500);
  return rowWithMenu([`${title} · ${placeOf(shown.digest)}`, ...lines], id, [
    pressOption('Run now', digestActionIds.run, id),
    { label: 'Edit …', value: formOption('digest', { digestId: id }) },
    status === 'active'
      ? pressOption('Pause', digestActionIds.pause, id)
      : pressOption('Resume', digestActionIds.resume, id),
    pressOption('Remove …', digestActionIds.askToRemove, id),
  ]);
}
