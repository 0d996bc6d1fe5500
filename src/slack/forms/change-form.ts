import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { slackCode } from '../posting/post-errors.ts';
import type { ViewClick } from './view-click.ts';

/** Updates an open form after a click in it. */
export type ChangeForm = (click: Pick<ViewClick, 'view' | 'actionTs'>, changed: ModalView) => Promise<void>;

const maxForms = 1_000;

/**
 * Slack sends a click for every few letters typed, each with the form's hash at that time. Only the newest click has
 * everything that was filled in, so its update wins, whatever the order of arrival.
 */
export function createChangeForm(client: WebClient): ChangeForm {
  const newest = new LRUCache<string, string>({ max: maxForms });
  return async ({ view: { id, hash }, actionTs }, changed) => {
    if (actionTs > (newest.get(id) ?? '')) newest.set(id, actionTs);
    const update = (known: { hash?: string }) =>
      client.views.update({ view_id: id, view: changed, ...known });
    try {
      await update({ hash });
    } catch (error) {
      const code = slackCode(error);
      // The form has been closed.
      if (code === 'not_found') return;
      if (code !== 'hash_conflict') throw error;
      if (newest.get(id) === actionTs) await update({});
    }
  };
}
