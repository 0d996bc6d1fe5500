import type { Button } from '@slack/types';
import { formActionId, formOption, pressOption } from '../../../messages/action-ids.ts';
import { button } from '../../../messages/blocks.ts';
import type { Digest } from '../digest.ts';

export const digestActionIds = {
  run: 'digest:run',
  pause: 'digest:pause',
  resume: 'digest:resume',
  remove: 'digest:remove',
  /** Asks for a confirmation; the button under the question is `remove`. */
  askToRemove: 'digest:ask-to-remove',
} as const;

const labels = { run: 'Run now', pause: 'Pause', resume: 'Resume' } as const;

/** The button names the digest by its id, so it works in any channel. */
export const digestButton = (action: keyof typeof labels, digestId: string): Button =>
  button({ id: digestActionIds[action], label: labels[action], value: digestId });

export const digestOption = (action: keyof typeof labels, digestId: string) =>
  pressOption(labels[action], digestActionIds[action], digestId);

export const pauseOrResumeOption = ({ id, status }: Pick<Digest, 'id' | 'status'>) =>
  digestOption(status === 'active' ? 'pause' : 'resume', id);

export const editDigestButton = (digestId: string, label = 'Edit'): Button =>
  button({ id: formActionId('digest'), label, value: JSON.stringify({ digestId }) });

export const editDigestOption = (digestId: string, label = 'Edit') => ({
  label,
  value: formOption('digest', { digestId }),
});

export const addDigestButton = (): Button =>
  button({ id: formActionId('digest'), label: 'Add a digest …', value: '{}' });
