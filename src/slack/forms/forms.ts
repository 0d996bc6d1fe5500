import { randomUUID } from 'node:crypto';
import type { App, BlockAction, BlockElementAction, ViewSubmitAction } from '@slack/bolt';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { UserError } from '../../errors.ts';
import type { FilledForm, Form, Opened } from '../../forms/define-form.ts';
import { FieldErrors } from '../../forms/field-errors.ts';
import { forms } from '../../forms/index.ts';
import { formActionPattern, formOptionPattern } from '../../views/action-ids.ts';
import type { Message } from '../../views/message.ts';
import { digestDeed } from '../buttons/digest-buttons.ts';
import { type Pressed, watchDeed } from '../buttons/watch-buttons.ts';
import { isOutside } from '../connection/installation.ts';
import type { Deed } from '../dispatch/dispatch.ts';
import type { EdgeParts } from '../edge.ts';
import { privateReader } from '../people/private-reader.ts';
import { slackCode } from '../posting/post-errors.ts';
import type { RehearseDigest } from '../rendering/rehearse-digest.ts';
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
import { createSameAnswer } from './same-answer.ts';
import { readViewClick, type ViewClick } from './view-click.ts';

/** What opens a form: a click or a shortcut. `channelId`: the person's own id where it came from no channel. */
export interface FormOpening {
  name: string;
  target: unknown;
  triggerId: string;
  channelId: string;
  /** It was clicked in a modal, which stays below. */
  onTop?: boolean;
}

export type OpenForm = (opening: FormOpening) => Deed;

/** Slack opens it for 3 s after the click. The deed throws UserError when it does not, or there is nothing to fill in. */
export function createOpenForm(client: WebClient): OpenForm {
  return ({ name, target, triggerId, channelId, onTop }) => ({
    name: `form ${name} open`,
    repeatable: true,
    async run(context) {
      const form = formNamed(name);
      const opened = await form.open(target, context, privateReader(context));
      const view = formView(name, opened, { channelId, formId: randomUUID() });
      const shown = { trigger_id: triggerId, view };
      const opening = onTop ? client.views.push(shown) : client.views.open(shown);
      await opening.catch(refuseLate(form.instead(target)));
      return undefined;
    },
  });
}

/** What a button `form:…`, or an option of a menu, opens; undefined for any other. */
export function formDeed(
  { actionId, line, triggerId, channelId }: Pressed,
  { openForm, onTop = false }: { openForm: OpenForm; onTop?: boolean },
): Deed | undefined {
  const byButton = formActionPattern.exec(actionId)?.[1];
  const [, name = byButton, target = line] = formOptionPattern.exec(line) ?? [];
  if (name === undefined) return undefined;
  return openForm({ name, target: targetIn(target), triggerId, channelId, onTop });
}

/** Of what is not ours nothing: the form then fails to open, with a reference. */
function targetIn(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

export interface FormParts extends EdgeParts {
  client: WebClient;
  rehearse: RehearseDigest;
}

interface ClickParts extends FormParts {
  changeForm: ChangeForm;
}

/** Forms that are sent, and clicks in open ones. */
export function listenToForms(app: App, parts: FormParts): void {
  const { once, inFlight } = parts;
  const sameAnswer = createSameAnswer();
  const clickParts = { ...parts, changeForm: createChangeForm(parts.client) };
  app.view({ callback_id: formPattern, type: 'view_submission' }, async ({ ack, body }) => {
    // Bolt gives what the constraint says.
    const submission = body as ViewSubmitAction;
    const key = `submit ${submission.trigger_id}`;
    const { answer, answered } = sameAnswer(key, (response) => (response ? ack(response) : ack()));
    const work = () => submit(submission, answer, parts);
    await inFlight.track(Promise.all([once(key, work), answered]));
  });
  app.action(/.*/, async ({ ack, body, action }) => {
    if (body.type !== 'block_actions' || body.view?.type !== 'modal') return;
    await ack();
    // The actions of a `block_actions` body are these.
    const click = readViewClick(body as BlockAction, action as BlockElementAction);
    if (!click) return;
    const key = `click ${click.triggerId} ${click.actionTs} ${click.id}`;
    await inFlight.track(once(key, () => press(click, clickParts)));
  });
}

async function submit(
  { trigger_id, user, enterprise, view }: ViewSubmitAction,
  ack: SubmitAck,
  { client, dispatch, installation, tell, work }: FormParts,
): Promise<void> {
  const metadata = readMetadata(view.private_metadata, { userId: user.id });
  const { channelId } = metadata;
  const answer = createSubmitReplies({
    ack,
    client,
    channelId,
    // Two instances may each have a copy of it.
    externalId: `working ${randomUUID()}`,
    onForm: metadata.onForm ?? false,
    tell: (message) => tell({ userId: user.id, channelId }, message),
  });
  const ask = {
    surface: 'form' as const,
    // Sent again after an error, it is still the same form.
    key: `form ${metadata.formId ?? trigger_id}`,
    line: submitDeed(view, metadata, answer),
    userId: user.id,
    channelId,
    isOutside: isOutside({ teamId: user.team_id, enterpriseId: enterprise?.id }, installation),
    visibility: 'private' as const,
  };
  await dispatch(ask, answer.replies);
  await answer.close();
  await work();
}

function submitDeed(
  { callback_id, state }: ViewSubmitAction['view'],
  metadata: Omit<FilledForm, 'filled'>,
  { wrong, standsIn }: SubmitReplies,
): Deed {
  const name = nameOf(callback_id);
  return {
    name: `form ${name} submit`,
    async run(context) {
      const filled = { ...metadata, filled: filledOf(state.values) };
      try {
        const done = await formNamed(name).submit(filled, context);
        if (done?.channelId !== undefined) standsIn(done.channelId);
        return done;
      } catch (error) {
        if (!(error instanceof FieldErrors)) throw error;
        wrong(error);
        return undefined;
      }
    },
  };
}

/** In a form what the form makes of it; under something read a line, or a button of a watch. */
async function press(click: ViewClick, parts: ClickParts): Promise<void> {
  const { user, view, triggerId } = click;
  const { channelId } = readMetadata(view.private_metadata, { userId: user.id });
  const isForm = formPattern.test(view.callback_id);
  const pressed = { actionId: click.id, line: click.value, triggerId, userId: user.id, channelId };
  const tell = (message: Message) => parts.tell({ userId: user.id, channelId }, message);
  const place = { client: parts.client, channelId, triggerId, tell };
  const replies = createClickReplies({ ...place, view: { id: view.id, isForm } });
  const ask = {
    surface: 'form' as const,
    line: isForm ? actDeed(click, replies, parts) : (deedOf(pressed, parts) ?? click.value),
    userId: user.id,
    channelId,
    isOutside: isOutside(user, parts.installation),
    visibility: 'private' as const,
  };
  await parts.dispatch(ask, replies);
}

const deedOf = (pressed: Pressed, parts: FormParts): Deed | undefined =>
  watchDeed(pressed, parts) ?? digestDeed(pressed) ?? formDeed(pressed, { ...parts, onTop: true });

function actDeed(click: ViewClick, { begin }: ClickReplies, parts: ClickParts): Deed {
  const { view, triggerId, id, value, user } = click;
  const formName = nameOf(view.callback_id);
  const metadata = readMetadata(view.private_metadata, { userId: user.id });
  const { channelId, onForm, formId } = metadata;
  const push = async (name: string, opened: Opened) => {
    const pushed = formView(name, opened, { channelId, onForm: true, formId: randomUUID() });
    const opening = parts.client.views.push({ trigger_id: triggerId, view: pushed });
    await opening.catch(refuseLate(formNamed(name).instead(opened.target)));
  };
  return {
    name: `form ${formName} ${id}`,
    repeatable: true,
    async run(context) {
      const form = formNamed(formName);
      const filled = { ...metadata, filled: filledOf(view.state.values) };
      const reader = privateReader(context);
      const step = await form.act({ id, value }, filled, context, reader).catch(asOne);
      switch (step?.kind) {
        case undefined:
          return undefined;
        case 'message':
          return step;
        case 'form':
          await push(step.name, await formNamed(step.name).open(step.target, context, reader));
          return undefined;
        case 'state':
          await parts.changeForm(click, formView(form.name, step.state, { channelId, onForm, formId }));
          return undefined;
        case 'slow':
          await begin(step.title).catch(refuseLate(form.instead(metadata.target)));
          return await step.run();
        case 'rehearsal':
          await begin('Preview').catch(refuseLate(form.instead(metadata.target)));
          return await parts.rehearse(step, { userId: context.actor.userId, now: context.now() });
      }
    },
  };
}

const nameOf = (callbackId: string): string => formPattern.exec(callbackId)?.[1] ?? '';

function formNamed(name: string): Form {
  const form = forms.find((candidate) => candidate.name === name);
  if (!form) throw new Error(`no such form: ${name}`);
  return form;
}

/** Slack shows what is wrong beside the fields only when a form is sent. */
function asOne(error: unknown): never {
  if (!(error instanceof FieldErrors)) throw error;
  throw new UserError({ code: 'unexpected-words', message: error.message });
}

/** A trigger lives 3 s, and is good for one modal; three of them can lie on each other. */
export function refuseLate(instead: string): (cause: unknown) => never {
  return (cause) => {
    const code = cause instanceof WebAPIRateLimitedError ? 'ratelimited' : slackCode(cause);
    if (code === 'ratelimited') {
      throw new UserError({
        code: 'too-late',
        message: 'Slack takes no more from Landfall for the moment, so nothing opened.',
        hint: 'Please press it again in a minute, or type it as a command.',
        example: instead,
      });
    }
    if (code === 'push_limit_reached') {
      throw new UserError({
        code: 'too-late',
        message: 'Slack opens no more than three windows on each other, so nothing opened.',
        hint: 'Close one of them first.',
      });
    }
    if (!code?.includes('trigger')) throw cause;
    throw new UserError({
      code: 'too-late',
      message: 'Slack waited too long for Landfall, so nothing opened.',
      hint: 'Please press it again, or type it as a command.',
      example: instead,
    });
  };
}
