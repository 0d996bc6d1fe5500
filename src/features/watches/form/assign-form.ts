import { z } from 'zod';
import { UserError } from '../../../errors.ts';
import { readFields, rethrowBeside } from '../../../messages/field-errors.ts';
import { defineForm } from '../../form.ts';
import { actorIn } from '../../run-context.ts';
import type { WatchesServices } from '../service/watch-service.ts';
import { assigneeField, assignForm } from '../views/assign-form.ts';

interface State {
  messageId: string;
  title: string;
  assigneeId: string;
}

/** “Assign …” under an alert. The target is the outbox id of its message. */
export const assign = defineForm<{ messageId: string }, State, WatchesServices>({
  name: 'assign',
  target: z.object({ messageId: z.string() }),
  async open({ messageId }, context) {
    const { title, assigneeId = '' } = await context.watches.getToAssign(messageId, actorIn(context));
    return { messageId, title, assigneeId };
  },
  instead: () => 'watch assign 9461477 @ann',
  view: (state) => assignForm(state),
  memo: ({ title }) => title,
  read: (filled, { target, memo }) => ({
    ...target,
    title: String(memo),
    assigneeId: filled.text(assigneeField),
  }),
  async submit({ messageId, assigneeId }, context) {
    readFields({
      [assigneeField]: () => {
        if (assigneeId !== '') return;
        throw new UserError({ code: 'bad-owner', message: 'Choose a person.' });
      },
    });
    await context.watches
      .assignMessage(messageId, assigneeId, actorIn(context))
      .catch(rethrowBeside(assigneeField));
    return undefined;
  },
});
