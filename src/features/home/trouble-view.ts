import type { KnownBlock } from '@slack/types';
import { homeActionIds } from '../../messages/action-ids.ts';
import { actions, button, sections } from '../../messages/blocks.ts';
import type { Reader } from '../../messages/message.ts';
import { type ServiceState, stateLines } from '../help/status-view.ts';

/** The Home tab that can't be drawn: what is wrong, the way to try again, and what is known without the store. */
export function homeTroubleView(
  trouble: readonly KnownBlock[],
  { place, state }: { place: string; state: ServiceState },
  reader: Reader,
): KnownBlock[] {
  const again = button({ id: homeActionIds.goTo(place), label: 'Try again', value: place });
  return [...trouble, ...actions([again]), { type: 'divider' }, ...sections(stateLines(state, reader))];
}
