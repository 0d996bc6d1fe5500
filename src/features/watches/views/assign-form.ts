import { personField, textBlock } from '../../../messages/fields.ts';
import { clip } from '../../../messages/limits.ts';
import type { Modal } from '../../../messages/message.ts';

import { reminderMinutes } from '../store/alert.ts';

export const assigneeField = 'assignee';

/** Asks who shall act on an alert. `what`: the alert in words; `assigneeId`: who shall do so now; '' for nobody. */
export const assignForm = ({ what, assigneeId }: { what: string; assigneeId: string }): Modal => ({
  title: 'Assign alert',
  submit: 'Assign',
  blocks: [
    textBlock(`Who takes this? ${clip(what, 300)}`),
    personField({
      id: assigneeField,
      label: 'Person',
      hint: `Is named in the thread, and reminded once if nobody acknowledges a critical alert within ${reminderMinutes} minutes.`,
      userId: assigneeId,
    }),
  ],
});
