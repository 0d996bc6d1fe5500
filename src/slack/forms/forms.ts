import { randomUUID } from 'node:crypto';
import type { App, BlockAction, BlockElementAction, ViewSubmitAction } from '@slack/bolt';
import { UserError } from '../../errors.ts';
import type { BoundAction } from '../../features/feature.ts';
import type { FilledForm, Opened } from '../../features/form.ts';
import { privateReader } from '../../features/run-context.ts';
import { FieldErrors } from '../../messages/field-errors.ts';
import type { Message } from '../../messages/message.ts';
import { bindAction } from '../buttons/bind-action.ts';
import type { Pressed } from '../buttons/click.ts';
import { homeOf } from '../connection/installation.ts';
import { destinationOf } from '../destination-of.ts';
import type { EdgeParts } from '../edge-parts.ts';
import { type ChangeForm, createChangeForm } from './change-form.ts';
import { filledOf } from './filled.ts';
import {
  type ClickReplies,
  createClickReplies,
  createSubmitReplies,
  type SubmitAck,
  type SubmitReplies,
} from './form-replies.ts';
import { formPattern, formView, readMetadata } from './modal-view.ts';
import { type FindForm, formAction, refuseLate } from './open-form.ts';
import { createSameAnswer } from './same-answer.ts';
import { readViewClick, type ViewClick } from './view-click.ts';

interface ClickParts extends EdgeParts {
  changeForm: ChangeForm;
}

/** Form submissions, and clicks in open forms. */
export function listenToForms(app: App, parts: EdgeParts): void {
  const { deduplicate, inFlight } = parts;
  const sameAnswer = createSameAnswer();
  const clickParts = { ...parts, changeForm: createChangeForm(parts.client) };
  app.view({ callback_id: formPattern, type: 'view_submission' }, async ({ ack, body }) => {
    // The constraint says `view_submission`.
    const submission = body as ViewSubmitAction;
    const key = `submit ${submission.trigger_id}`;
    const { answer, answered } = sameAnswer(key, (response) => (response ? ack(response) : ack()));
    const work = () => submit(submission, answer, parts);
    await inFlight.track(Promise.all([deduplicate(key, work), answered]));
  });
  app.action(/.*/, async ({ ack, body, action }) => {
    if (body.type !== 'block_actions' || body.view?.type !== 'modal') return;
    await ack();
    // The actions of a `block_actions` body are these.
    const click = readViewClick(body as BlockAction, action as BlockElementAction);
    if (!click) return;
    const key = `click ${click.triggerId} ${click.actionTs} ${click.id}`;
    await inFlight.track(deduplicate(key, () => press(click, clickParts)));
  });
}

async function submit(
  { trigger_id, user, enterprise, view }: ViewSubmitAction,
  ack: SubmitAck,
  { client, dispatch, findForm, installation, sendPrivately, runDue }: EdgeParts,
): Promise<void> {
  const metadata = readMetadata(view.private_metadata, { userId: user.id });
  const { channelId } = metadata;
  const answer = createSubmitReplies({
    ack,
    client,
    channelId,
    // Random: two instances may work on the same submission.
    externalId: `working ${randomUUID()}`,
    onForm: metadata.onForm ?? false,
    sendPrivately: (message) => sendPrivately({ userId: user.id, channelId }, message),
  });
  const ask = {
    surface: 'form' as const,
    // A form that is submitted again after an error has the same key.
    key: `form ${metadata.formId ?? trigger_id}`,
    line: submitAction(view, metadata, { answer, findForm }),
    userId: user.id,
    channelId,
    destination: destinationOf({ channelId, userId: user.id }),
    home: homeOf({ teamId: user.team_id, enterpriseId: enterprise?.id }, installation),
    visibility: 'private' as const,
  };
  await dispatch(ask, answer.replies);
  await answer.close();
  await runDue();
}

function submitAction(
  { callback_id, state }: ViewSubmitAction['view'],
  metadata: Omit<FilledForm, 'filled'>,
  { answer: { setErrors, setChannel }, findForm }: { answer: SubmitReplies; findForm: FindForm },
): BoundAction {
  const name = nameOf(callback_id);
  return {
    name: `form ${name} submit`,
    async run(context) {
      const filled = { ...metadata, filled: filledOf(state.values) };
      try {
        const done = await findForm(name).submit(filled, context);
        if (done?.channelId !== undefined) setChannel(done.channelId);
        return done;
      } catch (error) {
        if (!(error instanceof FieldErrors)) throw error;
        setErrors(error);
        return undefined;
      }
    },
  };
}

/** In a form the form handles the click; in a message the click runs a line, an action or opens a form. */
async function press(click: ViewClick, parts: ClickParts): Promise<void> {
  const { user, view, triggerId } = click;
  const { channelId } = readMetadata(view.private_metadata, { userId: user.id });
  const isForm = formPattern.test(view.callback_id);
  const pressed = { actionId: click.id, line: click.value, triggerId, userId: user.id, channelId };
  const sendPrivately = (message: Message) => parts.sendPrivately({ userId: user.id, channelId }, message);
  const place = { client: parts.client, channelId, triggerId, sendPrivately };
  const replies = createClickReplies({ ...place, view: { id: view.id, isForm } });
  const ask = {
    surface: 'form' as const,
    line: isForm ? clickAction(click, replies, parts) : (actionOf(pressed, parts) ?? click.value),
    userId: user.id,
    channelId,
    destination: destinationOf({ channelId, userId: user.id }),
    home: homeOf(user, parts.installation),
    visibility: 'private' as const,
  };
  await parts.dispatch(ask, replies);
}

const actionOf = (pressed: Pressed, parts: EdgeParts): BoundAction | undefined =>
  bindAction(pressed, parts, { onTop: true }) ?? formAction(pressed, { ...parts, onTop: true });

function clickAction(click: ViewClick, { begin }: ClickReplies, parts: ClickParts): BoundAction {
  const { view, triggerId, id, value, user } = click;
  const formName = nameOf(view.callback_id);
  const metadata = readMetadata(view.private_metadata, { userId: user.id });
  const { channelId, onForm, formId } = metadata;
  const push = async (name: string, opened: Opened) => {
    const pushed = formView(name, opened, { channelId, onForm: true, formId: randomUUID() });
    const opening = parts.client.views.push({ trigger_id: triggerId, view: pushed });
    await opening.catch(refuseLate(parts.findForm(name).instead(opened.target)));
  };
  return {
    name: `form ${formName} ${id}`,
    repeatable: true,
    async run(context) {
      const form = parts.findForm(formName);
      const filled = { ...metadata, filled: filledOf(view.state.values) };
      const reader = privateReader(context);
      const step = await form.act({ id, value }, filled, context, reader).catch(asOneError);
      switch (step?.kind) {
        case undefined:
          return undefined;
        case 'message':
          return step;
        case 'form':
          await push(step.name, await parts.findForm(step.name).open(step.target, context, reader));
          return undefined;
        case 'state':
          await parts.changeForm(click, formView(form.name, step.state, { channelId, onForm, formId }));
          return undefined;
        case 'slow':
          await begin(step.title).catch(refuseLate(form.instead(metadata.target)));
          return await step.run();
      }
    },
  };
}

const nameOf = (callbackId: string): string => formPattern.exec(callbackId)?.[1] ?? '';

/** Slack shows field errors only for a submission, so a click gets them as one message. */
function asOneError(error: unknown): never {
  if (!(error instanceof FieldErrors)) throw error;
  throw new UserError({ code: 'unexpected-words', message: error.message });
}
