import type { Button } from '@slack/types';
import { formActionId, formOption } from '../../../messages/action-ids.ts';
import { button } from '../../../messages/blocks.ts';

/** Opens the form of a digest that is there. */
export const editDigestButton = (digestId: string, label = 'Edit'): Button =>
  button({ id: formActionId('digest'), label, value: JSON.stringify({ digestId }) });

/** The same in a menu. */
export const editDigestOption = (digestId: string) => ({
  label: 'Edit',
  value: formOption('digest', { digestId }),
});

/** Opens the form of a new digest. */
export const planDigestButton = (): Button =>
  button({ id: formActionId('digest'), label: 'Plan a digest …', value: '{}' });
