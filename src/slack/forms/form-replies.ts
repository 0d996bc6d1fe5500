import type { ModalView } from '@slack/types';
import { FieldErrors } from '../../answers/fields.ts';
import type { Message } from '../../answers/message.ts';
import { sections } from '../../answers/slack/blocks.ts';
import { escaped } from '../../answers/slack/mrkdwn.ts';
import { workingNotice } from '../../answers/slack/notices.ts';
import { createCache } from '../../cache.ts';
import type { Form } from '../../features/form.ts';
import type { SlackContext } from '../context.ts';
import type { Replies } from '../dispatch/ask.ts';
import { slackCode } from '../posting/slack-errors.ts';
import { messageView } from './modal-view.ts';
import { openView } from './open-form.ts';

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

export type ClickReplies = ReturnType<typeof createClickReplies>;

/** The answers to a click in an open modal. They are pushed on top of a form, and replace a message. */
export function createClickReplies(
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
