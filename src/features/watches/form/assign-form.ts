import { z } from 'zod';
import { type FormView, readFields, rethrowBeside } from '../../../answers/fields.ts';
import { counted } from '../../../answers/formatting/words.ts';
import { clip } from '../../../answers/message.ts';
import { UserError } from '../../../errors.ts';
import { reminderMinutes } from '../../alerts/index.ts';
import { form } from '../../feature.ts';
import { eventInWords } from '../../rules/index.ts';
import { assignMessage, getToAssign } from '../alerts.ts';

interface State {
  messageId: string;
  what: string;
  assigneeId: string;
}

/** “Assign …” under an alert. The target is the outbox id of its message. */
export const assign = form<{ messageId: string }, State>({
  name: 'assign',
  target: z.object({ messageId: z.string() }),
  async open({ messageId }, ctx) {
    const { alert, title } = await getToAssign(messageId, ctx);
    const [first, ...others] = alert.events.map((event) => eventInWords(event, ctx.vessels, ctx.now()));
    const what = first ? `${first.vessel ?? title}: ${first.headline}` : title;
    const more = others.length > 0 ? ` and ${counted(others.length, 'more change')}` : '';
    return { messageId, what: `${what}${more}`, assigneeId: alert.assignment?.assigneeId ?? '' };
  },
  instead: () => 'watch assign 9461477 @ann',
  view: (state) => assignForm(state),
  memo: ({ what }) => what,
  read: (filled, { target, memo }) => ({
    ...target,
    what: String(memo),
    assigneeId: filled.text(assigneeField),
  }),
  async submit({ messageId, assigneeId }, ctx) {
    readFields({
      [assigneeField]: () => {
        if (assigneeId !== '') return;
        throw new UserError({ code: 'bad-owner', message: 'Choose a person.' });
      },
    });
    await assignMessage(messageId, assigneeId, ctx).catch(rethrowBeside(assigneeField));
    return undefined;
  },
});

const assigneeField = 'assignee';

/** Asks who shall act on an alert. `what`: the alert in words; `assigneeId`: who shall do so now; '' for nobody. */
export const assignForm = ({ what, assigneeId }: { what: string; assigneeId: string }): FormView => ({
  title: 'Assign alert',
  submit: 'Assign',
  parts: [
    { kind: 'text', lines: [`Who takes this? ${clip(what, 300)}`] },
    {
      kind: 'person',
      id: assigneeField,
      label: 'Person',
      hint: `Is named in the thread, and reminded once if nobody acknowledges a critical alert within ${reminderMinutes} minutes.`,
      value: assigneeId,
    },
  ],
});
