import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { slackCode } from '../posting/post-errors.ts';
import type { ViewClick } from './view-click.ts';

/** Gives an open form another face after a click in it. */
export type ChangeForm = (click: Pick<ViewClick, 'view' | 'actionTs'>, changed: ModalView) => Promise<void>;

const formsKnown = 1_000;

/**
 * What people type comes as a click for every few letters, each with the hash that the form had then. The newest
 * click holds all that was filled in, so it alone is right, whichever of the changes arrives first.
 */
export function createChangeForm(client: WebClient): ChangeForm {
  const newest = new LRUCache<string, string>({ max: formsKnown });
  return async ({ view: { id, hash }, actionTs }, changed) => {
    if (actionTs > (newest.get(id) ?? '')) newest.set(id, actionTs);
    const update = (known: { hash?: string }) =>
      client.views.update({ view_id: id, view: changed, ...known });
    try {
      await update({ hash });
    } catch (error) {
      const code = slackCode(error);
      // Who has closed the form waits for nothing.
      if (code === 'not_found') return;
      if (code !== 'hash_conflict') throw error;
      if (newest.get(id) === actionTs) await update({});
    }
  };
}
