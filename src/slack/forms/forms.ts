import type { App, ViewSubmitAction } from '@slack/bolt';
import { UserError } from '../../errors.ts';
import type { BoundAction } from '../../features/feature.ts';
import type { FilledForm, OpenedForm } from '../../features/form.ts';
import { privateReader } from '../../features/run-context.ts';
import { FieldErrors } from '../../messages/field-errors.ts';
import { actionOf, readAllowed } from '../buttons/action-of.ts';
import { userOf } from '../connection/installation.ts';
import { type EdgeParts, partsOf } from '../edge-parts.ts';
import {
  type ClickReplies,
  createClickReplies,
  createSubmitReplies,
  type SubmitReplies,
} from './form-replies.ts';
import { fieldValues, formPattern, formView, readMetadata } from './modal-view.ts';
import { checkOpened } from './open-form.ts';
import { listenToViewClicks, type ViewClick } from './view-click.ts';

type Submission = Pick<ViewSubmitAction, 'trigger_id' | 'user' | 'enterprise' | 'view'>;
type Acknowledge = ReturnType<EdgeParts['shareAck']>['answer'];

/** Form submissions, and clicks in open modals. */
export function listenToForms(app: App): void {
  app.view({ callback_id: formPattern, type: 'view_submission' }, async ({ ack, body, context }) => {
    const parts = partsOf(context);
    // The constraint allows only `view_submission`.
    const submission = body as ViewSubmitAction;
    const key = `submit ${submission.trigger_id}`;
    const { answer, answered } = parts.shareAck(key, (response) => (response ? ack(response) : ack()));
    const done = parts.runOnce(key, () => submit(submission, answer, parts));
    await Promise.all([done, parts.inFlight.track(answered)]);
  });
  listenToViewClicks(app, 'modal', (click, parts) => parts.runOnce(click.key, () => press(click, parts)));
}

async function submit(submission: Submission, ack: Acknowledge, parts: EdgeParts): Promise<void> {
  const { trigger_id, view } = submission;
  const user = userOf(submission);
  const metadata = readMetadata(view.private_metadata, { userId: user.id });
  const { channelId, onForm = false, formId = trigger_id } = metadata;
  const submitReplies = createSubmitReplies({
    ack,
    client: parts.client,
    channelId,
    // Random: two instances may work on the same submission.
    externalId: `working ${parts.newId()}`,
    onForm,
    sendPrivately: (message) => parts.messenger.sendPrivately({ userId: user.id, channelId }, message),
  });
  const line = submitAction(view, metadata, { submitReplies, parts });
  // A form that is submitted again after an error has the same key.
  const ask = { surface: 'form', key: `form ${formId}`, line, user, channelId } as const;
  await parts.dispatch(ask, submitReplies.replies);
  await submitReplies.close();
  await parts.runDue();
}

function submitAction(
  { callback_id, state }: Submission['view'],
  metadata: Omit<FilledForm, 'values'>,
  {
    submitReplies: { setErrors, setChannel, setWithoutWindow },
    parts,
  }: { submitReplies: SubmitReplies; parts: EdgeParts },
): BoundAction {
  const name = nameOf(callback_id);
  return {
    name: `form ${name} submit`,
    async run(context) {
      const filled = { ...metadata, values: fieldValues(state.values) };
      try {
        const done = await parts.findForm(name).submit(filled, context);
        if (done?.channelId !== undefined) setChannel(done.channelId);
        setWithoutWindow(done?.withoutWindow);
        return done;
      } catch (error) {
        if (!(error instanceof FieldErrors)) throw error;
        setErrors(error);
        return undefined;
      }
    },
  };
}

/** A form handles its clicks itself; a click in a message runs a line or an action, or opens a form. */
async function press(click: ViewClick, parts: EdgeParts): Promise<void> {
  const { user, view, triggerId } = click;
  const { channelId } = readMetadata(view.private_metadata, { userId: user.id });
  const isForm = formPattern.test(view.callback_id);
  const clickReplies = createClickReplies({
    client: parts.client,
    channelId,
    externalId: `working ${triggerId}`,
    view: { id: view.id, isForm },
    triggerId,
    sendPrivately: (message) => parts.messenger.sendPrivately({ userId: user.id, channelId }, message),
  });
  const clicked = { ...readAllowed(click.id), value: click.value, triggerId, channelId };
  const line = isForm
    ? formClick(click, clickReplies, parts)
    : (actionOf(clicked, parts, { onTop: true }) ?? click.value);
  const { allowsOutsidersIn } = clicked;
  // Two clicks on one Yes add one thing.
  const key = allowsOutsidersIn === undefined ? {} : { key: `outsiders ${view.id}`, allowsOutsidersIn };
  await parts.dispatch({ surface: 'form', line, user, channelId, ...key }, clickReplies.replies);
}

function formClick(click: ViewClick, { begin }: ClickReplies, parts: EdgeParts): BoundAction {
  const { view, triggerId, id, value, user } = click;
  const formName = nameOf(view.callback_id);
  const metadata = readMetadata(view.private_metadata, { userId: user.id });
  const { channelId, onForm, formId } = metadata;
  const push = async (name: string, opened: OpenedForm) => {
    const pushed = formView(name, opened, { channelId, onForm: true, formId: parts.newId() });
    const opening = parts.client.views.push({ trigger_id: triggerId, view: pushed });
    await checkOpened(opening, parts.findForm(name).instead(opened.target));
  };
  return {
    name: `form ${formName} ${id}`,
    repeatable: true,
    async run(context) {
      const form = parts.findForm(formName);
      const filled = { ...metadata, values: fieldValues(view.state.values) };
      const reader = privateReader(context);
      const step = await form.act({ id, value }, filled, context, reader).catch(rethrowAsUserError);
      switch (step?.kind) {
        case undefined:
          return undefined;
        case 'form':
          await push(step.name, await parts.findForm(step.name).open(step.target, context, reader));
          return undefined;
        case 'state':
          await parts.changeForm(click, formView(form.name, step.state, { channelId, onForm, formId }));
          return undefined;
        case 'slow':
          await checkOpened(begin(step.title), form.instead(metadata.target));
          return await step.run();
      }
    },
  };
}

const nameOf = (callbackId: string): string => formPattern.exec(callbackId)?.[1] ?? '';

/** Slack shows field errors only for a submission, so a click gets them as one message. */
function rethrowAsUserError(error: unknown): never {
  if (!(error instanceof FieldErrors)) throw error;
  throw new UserError({ code: 'unexpected-words', message: error.message });
}
