import { personField, textBlock } from '../../../messages/fields.ts';
import { clip } from '../../../messages/limits.ts';
import type { Modal } from '../../../messages/message.ts';

import { reminderMinutes } from '../store/alert.ts';

export const assigneeField = 'assignee';

/** Asks who shall act on an alert. `assigneeId`: who shall do so now; '' for nobody. */
export const assignForm = ({ title, assigneeId }: { title: string; assigneeId: string }): Modal => ({
  title: 'Assign alert',
  submit: 'Assign',
  blocks: [
    textBlock(`${clip(title, 150)}: who takes this alert?`),
    personField({
      id: assigneeField,
      label: 'Person',
      hint: `Is named in the thread, and reminded once if nobody acknowledges a critical alert within ${reminderMinutes} minutes.`,
      userId: assigneeId,
    }),
  ],
});
