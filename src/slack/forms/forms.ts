import type { App, BlockAction, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { FieldErrors } from '../../answers/fields.ts';
import { createCache } from '../../cache.ts';
import { UserError } from '../../errors.ts';
import { privateReader } from '../../features/ctx.ts';
import type { BoundAction } from '../../features/feature.ts';
import type { StateKey } from '../../features/services.ts';
import { actionOf, buttonClickOf, type Click } from '../buttons/action-of.ts';
import { userOf } from '../connection/installation.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { slackCode } from '../posting/slack-errors.ts';
import {
  type ClickReplies,
  createClickReplies,
  createSharedAck,
  createSubmitReplies,
  type SubmitAck,
} from './form-replies.ts';
import { fieldValues, formPattern, formView, readMetadata } from './modal-view.ts';
import { findForm, openView } from './open-form.ts';

type View = NonNullable<BlockAction['view']>;
type Submission = Pick<ViewSubmitAction, 'trigger_id' | 'user' | 'enterprise' | 'view'>;

const sharedAck: StateKey<ReturnType<typeof createSharedAck>> = { name: 'acknowledgements of forms' };

export function listenToForms(app: App): void {
  app.view({ callback_id: formPattern, type: 'view_submission' }, async ({ ack, body, context }) => {
    const slack = slackFor(context);
    // The constraint allows only `view_submission`.
    const submission = body as ViewSubmitAction;
    const key = `submit ${submission.trigger_id}`;
    const shareAck = slack.ctx.services.state(sharedAck, createSharedAck);
    const { answer, answered } = shareAck(key, (response) => (response ? ack(response) : ack()));
    const done = runOnce(key, () => submit(submission, answer, slack), slack);
    await Promise.all([done, slack.inFlight.track(answered)]);
  });
}

async function submit(submission: Submission, ack: SubmitAck, slack: SlackContext): Promise<void> {
  const { trigger_id, view } = submission;
  const user = userOf(submission);
  const metadata = readMetadata(view.private_metadata, user);
  const { channelId, onForm = false, formId = trigger_id } = metadata;
  // Random: two instances may work on the same submission.
  const externalId = `working ${slack.ctx.services.newId()}`;
  const where = { ack, onForm, externalId, userId: user.id, channelId };
  const { replies, close, answerOf } = createSubmitReplies(where, slack);
  const name = nameOf(view.callback_id);
  const line: BoundAction = {
    name: `form ${name} submit`,
    async run(context) {
      const filled = { ...metadata, values: fieldValues(view.state.values) };
      return await answerOf(findForm(name, slack).submit(filled, context));
    },
  };
  // A form that is submitted again after an error has the same key.
  await dispatch({ surface: 'form', key: `form ${formId}`, line, user, channelId }, replies, slack);
  await close();
  await slack.runDue();
}

/** A form handles its clicks itself; a click in a message runs a line or an action, or opens a form. */
export async function pressInModal(click: Click, view: View, slack: SlackContext): Promise<void> {
  const { user, triggerId } = click;
  const { channelId } = readMetadata(view.private_metadata, user);
  const isForm = formPattern.test(view.callback_id);
  const externalId = `working ${triggerId}`;
  const shown = { view: { id: view.id, isForm }, triggerId, externalId, userId: user.id, channelId };
  const clickReplies = createClickReplies(shown, slack);
  const clicked = buttonClickOf(click, channelId);
  const line = isForm
    ? formClick(click, view, { clickReplies, slack })
    : (actionOf(clicked, slack, { onTop: true }) ?? clicked.value);
  const { allowsOutsidersIn } = clicked;
  // Two clicks on one Yes add one thing.
  const key = allowsOutsidersIn === undefined ? {} : { key: `outsiders ${view.id}`, allowsOutsidersIn };
  await dispatch({ surface: 'form', line, user, channelId, ...key }, clickReplies.replies, slack);
}

function formClick(
  { triggerId, id, value, user, actionTs }: Click,
  view: View,
  { clickReplies: { begin }, slack }: { clickReplies: ClickReplies; slack: SlackContext },
): BoundAction {
  const formName = nameOf(view.callback_id);
  const metadata = readMetadata(view.private_metadata, user);
  const { channelId, onForm, formId } = metadata;
  return {
    name: `form ${formName} ${id}`,
    repeatable: true,
    async run(context) {
      const form = findForm(formName, slack);
      const filled = { ...metadata, values: fieldValues(view.state.values) };
      const reader = privateReader(context);
      const step = await form.act({ id, value }, filled, context, reader).catch(rethrowAsUserError);
      switch (step?.kind) {
        case undefined:
          return undefined;
        case 'form': {
          const next = findForm(step.name, slack);
          const opened = await next.open(step.target, context, reader);
          const place = { channelId, onForm: true, formId: slack.ctx.services.newId() };
          const instead = next.instead(opened.target);
          await openView(formView(next.name, opened, place), { triggerId, onTop: true, instead }, slack);
          return undefined;
        }
        case 'state':
          await changeForm(
            { view, actionTs },
            formView(form.name, step.state, { channelId, onForm, formId }),
            slack,
          );
          return undefined;
        case 'slow':
          await begin(step.title, form.instead(metadata.target));
          return await step.run();
      }
    },
  };
}

const newestClicks: StateKey<ReturnType<typeof createCache<string>>> = { name: 'newest clicks in forms' };

/** Slack sends a click for every few letters typed. The newest click has all of them, so its update wins. */
async function changeForm(
  { view: { id, hash }, actionTs }: { view: View; actionTs: string },
  changed: ModalView,
  { clients, ctx }: SlackContext,
): Promise<void> {
  const newest = ctx.services.state(newestClicks, () => createCache<string>({ max: 1_000 }));
  if (actionTs > (newest.get(id) ?? '')) newest.set(id, actionTs);
  const update = (ifUnchanged: { hash?: string }) =>
    clients.posts.views.update({ view_id: id, view: changed, ...ifUnchanged });
  try {
    await update({ hash });
  } catch (error) {
    const code = slackCode(error);
    // The form has been closed.
    if (code === 'not_found') return;
    if (code !== 'hash_conflict') throw error;
    if (newest.get(id) === actionTs) await update({});
  }
}

const nameOf = (callbackId: string): string => formPattern.exec(callbackId)?.[1] ?? '';

/** Slack shows field errors only for a submission, so a click gets them as one message. */
function rethrowAsUserError(error: unknown): never {
  if (!(error instanceof FieldErrors)) throw error;
  throw new UserError({ code: 'unexpected-words', message: error.message });
}
