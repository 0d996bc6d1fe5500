import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { createCache } from '../../cache.ts';
import { slackCode } from '../posting/slack-errors.ts';

interface ChangedForm {
  view: { id: string; hash: string };
  actionTs: string;
}

/** Slack sends a click for every few letters typed. The newest click has all of them, so its update wins. */
export function createChangeForm(client: WebClient) {
  const newest = createCache<string>({ max: 1_000 });
  return async ({ view: { id, hash }, actionTs }: ChangedForm, changed: ModalView): Promise<void> => {
    if (actionTs > (newest.get(id) ?? '')) newest.set(id, actionTs);
    const update = (ifUnchanged: { hash?: string }) =>
      client.views.update({ view_id: id, view: changed, ...ifUnchanged });
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
