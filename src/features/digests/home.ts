import { pressOption } from '../../messages/action-ids.ts';
import { rowWithMenu } from '../../messages/blocks.ts';
import type { Reader } from '../../messages/message.ts';
import type { HomeSection } from '../feature.ts';
import { actorIn } from '../run-context.ts';
import type { Digest } from './digest.ts';
import type { DigestService } from './service.ts';
import {
  digestActionIds,
  digestOption,
  editDigestOption,
  pauseOrResumeOption,
} from './views/digest-buttons.ts';
import { digestLines, placeOf } from './views/digest-list.ts';

export const digestsOnHome = (service: DigestService): HomeSection => ({
  name: 'digests',
  label: 'Digests',
  opener: { form: 'digest', label: 'Add a digest …' },
  firstStep: '*Add a digest.* The answers that you need each morning, with what is new on top.',
  empty: 'No digests here yet. For example: `/digest add weekdays 08:00: portcalls NLRTM next 3 days`',
  hasOwners: true,
  async read({ scope, ...page }, context) {
    const { digests, total } = await service.list(scope, actorIn(context), page);
    return { total, rows: (reader) => digests.map((digest) => digestRow(digest, reader)) };
  },
});

function digestRow(digest: Digest, reader: Reader) {
  const { id } = digest;
  const [title = '', ...lines] = digestLines(digest, reader, 500);
  return rowWithMenu([`${title} · ${placeOf(digest)}`, ...lines], id, [
    digestOption('run', id),
    editDigestOption(id, 'Edit …'),
    pauseOrResumeOption(digest),
    pressOption('Remove …', digestActionIds.askToRemove, id),
  ]);
}
