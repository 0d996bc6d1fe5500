import type { App, BlockAction, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { FieldErrors } from '../../answers/fields.ts';
import type { Message } from '../../answers/message.ts';
import { sections } from '../../answers/slack/blocks.ts';
import { workingNotice } from '../../answers/slack/notices.ts';
import { escaped } from '../../answers/text.ts';
import { createCache } from '../../cache.ts';
import { UserError } from '../../errors.ts';
import { privateReader } from '../../features/ctx.ts';
import type { BoundAction, Form } from '../../features/feature.ts';
import type { StateKey } from '../../features/services.ts';
import { actionOf, buttonClickOf, type Click } from '../buttons/action-of.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { dispatch, type Replies } from '../dispatch.ts';
import { userOf } from '../people/lookups.ts';
import { slackCode } from '../posting/deliver.ts';
import {
  fieldValues,
  findForm,
  formPattern,
  formView,
  messageView,
  onlyAsks,
  openView,
  readMetadata,
} from './open-form.ts';

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
    onlyAsks: onlyAsks(name, slack),
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

type SubmitResponse =
  | { response_action: 'errors'; errors: Record<string, string> }
  | { response_action: 'update' | 'push'; view: ModalView }
  | undefined;

export type SubmitAck = (response?: SubmitResponse) => Promise<void>;

interface Where {
  userId: string;
  channelId: string;
  /** Identifies “Working on it …”, so that the answer can replace it. */
  externalId: string;
}

export type SubmitReplies = ReturnType<typeof createSubmitReplies>;

/**
 * A quick answer acknowledges the form. A slow one replaces “Working on it …”, which is pushed on top of the form. `onForm`: the
 * form was opened from another form, which shows again afterwards.
 */
export function createSubmitReplies(
  options: Where & { ack: SubmitAck; onForm: boolean },
  { clients, messenger }: Pick<SlackContext, 'clients' | 'messenger'>,
) {
  const { externalId, onForm, userId } = options;
  /** Where buttons under the answer act. */
  let { channelId } = options;
  let stage: 'begun' | 'working' | 'answered' = 'begun';
  let errors: FieldErrors | undefined;
  let withoutWindow: Message | undefined;

  /** Reaches a person who has closed the modal. */
  const sendPrivately = (message: Message) =>
    messenger.sendPrivately({ userId, channelId: options.channelId }, message);
  /** If the acknowledgement fails, since the connection is lost or the bot stops, sends the message privately. */
  const ack = async (response: SubmitResponse, message: Message) =>
    options.ack(response).catch(() => sendPrivately(message));

  const show = async (message: Message, { done }: { done: boolean }) => {
    const replacesNotice = stage === 'working';
    stage = 'answered';
    const view = messageView(message, { channelId, clears: done && !onForm });
    const sent = (done && withoutWindow) || message;
    if (replacesNotice) {
      await clients.posts.views.update({ external_id: externalId, view }).catch(async (error: unknown) => {
        if (slackCode(error) !== 'not_found') throw error;
        await sendPrivately(sent);
      });
    } else if (!done) await ack({ response_action: 'push', view }, sent);
    else if (onForm) await ack(undefined, sent);
    else await ack({ response_action: 'update', view }, sent);
  };

  const replies: Replies = {
    async working() {
      stage = 'working';
      const view = messageView(workingNotice, { channelId, externalId });
      await options.ack({ response_action: 'push', view });
    },
    answer: (message) => show(message, { done: true }),
    failure: (message) => show(message, { done: false }),
  };

  return {
    replies,
    /** Stores what the form says of its answer; for `close`, its field errors. */
    async answerOf(submitting: ReturnType<Form['submit']>): Promise<Awaited<typeof submitting>> {
      try {
        const answer = await submitting;
        if (answer?.channelId !== undefined) channelId = answer.channelId;
        withoutWindow = answer?.withoutWindow;
        return answer;
      } catch (error) {
        if (!(error instanceof FieldErrors)) throw error;
        errors = error;
        return undefined;
      }
    },
    /** Acknowledges a submission without an answer: the form closes, or shows its field errors. */
    async close(): Promise<void> {
      if (stage === 'answered') return;
      const lines = errors ? Object.values(errors.fields) : ['Done.'];
      const message = { text: lines.join(' '), blocks: sections(lines.map(escaped)) };
      if (stage === 'working') await show(message, { done: !errors });
      else if (errors) await ack({ response_action: 'errors', errors: { ...errors.fields } }, message);
      else await ack(undefined, message);
    },
  };
}

/** In characters of JSON: a view has up to 250 kB. */
const maxResponsesSize = 4_000_000;

/** Copies of one delivery get the same acknowledgement, although the work is done once. */
export function createSharedAck() {
  const responses = createCache<PromiseWithResolvers<SubmitResponse>>({
    max: maxResponsesSize,
    sizeOf: () => 1_000,
  });
  return (key: string, ack: SubmitAck): { answer: SubmitAck; answered: Promise<void> } => {
    const shared = responses.get(key) ?? Promise.withResolvers<SubmitResponse>();
    responses.set(key, shared);
    const acknowledged = shared.promise.then(ack);
    return {
      answered: acknowledged.catch(() => undefined),
      answer(response) {
        shared.resolve(response);
        // LRUCache weighs an entry when it is set, and not the same value again.
        const size = 1_000 + (JSON.stringify(response)?.length ?? 0);
        responses.set(key, { ...shared }, { size });
        return acknowledged;
      },
    };
  };
}

type ClickReplies = ReturnType<typeof createClickReplies>;

/** The answers to a click in an open modal. They are pushed on top of a form, and replace a message. */
function createClickReplies(
  options: Where & { view: { id: string; isForm: boolean }; triggerId: string },
  { clients, messenger }: Pick<SlackContext, 'clients' | 'messenger'>,
) {
  const { userId, channelId, externalId, view, triggerId } = options;
  const { views } = clients.posts;
  let workingModal: { title: string } | undefined;

  const show = async (message: Message, { onTop }: { onTop: boolean }) => {
    const shown = messageView(message, { channelId, ...workingModal });
    try {
      if (workingModal) await views.update({ external_id: externalId, view: shown });
      else if (onTop) await views.push({ trigger_id: triggerId, view: shown });
      else await views.update({ view_id: view.id, view: shown });
    } catch (error) {
      // A person who has closed “Working on it …” no longer waits for the answer.
      if (!workingModal || slackCode(error) !== 'not_found')
        await messenger.sendPrivately({ userId, channelId }, message);
    }
  };

  const replies: Replies = {
    working: async () => undefined,
    answer: (message) => show(message, { onTop: view.isForm }),
    failure: (message) => show(message, { onTop: true }),
  };

  return {
    replies,
    /** Pushes “Working on it …” while the click's trigger is valid; the answer replaces it. */
    async begin(title: string, instead: string): Promise<void> {
      const modal = messageView(workingNotice, { channelId, externalId, title });
      await openView(modal, { triggerId, onTop: true, instead }, { clients });
      workingModal = { title };
    },
  };
}
