import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { sections } from '../../messages/blocks.ts';
import type { FieldErrors } from '../../messages/field-errors.ts';
import type { Message } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Replies } from '../dispatch/ask.ts';
import { slackCode } from '../posting/post-errors.ts';
import { messageView, workingView } from './modal-view.ts';

export interface SubmitReplies {
  replies: Replies;
  /** Stores field errors for `close`. */
  setErrors(errors: FieldErrors): void;
  /** The channel in which buttons under the answer act. */
  setChannel(channelId: string): void;
  /** Acknowledges a submission without an answer: the form closes, or shows its field errors. */
  close(): Promise<void>;
}

export type SubmitAck = (
  response?:
    | { response_action: 'errors'; errors: Record<string, string> }
    | { response_action: 'update' | 'push'; view: ModalView },
) => Promise<void>;

/**
 * The answers to a submitted form. A quick answer is the acknowledgement itself. A slow one replaces «Working on
 * it …», which is pushed on top of the form, so that the filled-in form stays below.
 */
export function createSubmitReplies(options: {
  ack: SubmitAck;
  client: WebClient;
  channelId: string;
  externalId: string;
  /** The form was opened from another form, which shows again afterwards. */
  onForm: boolean;
  /** For a person who has closed the modal. */
  sendPrivately(message: Message): Promise<void>;
}): SubmitReplies {
  const { client, externalId, onForm, sendPrivately } = options;
  let { channelId } = options;
  let stage: 'begun' | 'working' | 'answered' = 'begun';
  let errors: FieldErrors | undefined;

  /** Sends the message instead if the connection is lost or the bot stops. */
  const ack = async (response: Parameters<SubmitAck>[0], message: Message) =>
    options.ack(response).catch(() => sendPrivately(message));

  const show = async (message: Message, { done }: { done: boolean }) => {
    const isLate = stage === 'working';
    stage = 'answered';
    const view = messageView(message, { channelId, clears: done && !onForm });
    if (isLate) {
      await client.views.update({ external_id: externalId, view }).catch(async (error: unknown) => {
        if (slackCode(error) !== 'not_found') throw error;
        await sendPrivately(message);
      });
    } else if (!done) await ack({ response_action: 'push', view }, message);
    else if (onForm) await ack(undefined, message);
    else await ack({ response_action: 'update', view }, message);
  };

  return {
    setErrors(found) {
      errors = found;
    },
    setChannel(id) {
      channelId = id;
    },
    async close() {
      if (stage === 'answered') return;
      const lines = errors ? Object.values(errors.fields) : ['Done.'];
      const message = { text: lines.join(' '), blocks: sections(lines.map(escaped)) };
      if (stage === 'working') await show(message, { done: !errors });
      else if (errors) await ack({ response_action: 'errors', errors: { ...errors.fields } }, message);
      else await ack(undefined, message);
    },
    replies: {
      async working() {
        stage = 'working';
        await options.ack({ response_action: 'push', view: workingView({ channelId, externalId }) });
      },
      answer: (message) => show(message, { done: true }),
      failure: (message) => show(message, { done: false }),
      decline: (message) => show(message, { done: false }),
    },
  };
}

export interface ClickReplies extends Replies {
  /** Pushes «Working on it …» while the click's trigger is valid; the answer replaces it. */
  begin(title: string): Promise<void>;
}

/** The answers to a click in an open modal: pushed on top of a form, replacing a message. */
export function createClickReplies(options: {
  client: WebClient;
  channelId: string;
  view: { id: string; isForm: boolean };
  triggerId: string;
  sendPrivately(message: Message): Promise<void>;
}): ClickReplies {
  const { client, channelId, view, triggerId, sendPrivately } = options;
  const externalId = `working ${triggerId}`;
  let begun: { title: string } | undefined;

  const put = async (message: Message, { onTop }: { onTop: boolean }) => {
    const shown = messageView(message, { channelId, ...begun });
    if (begun) {
      return client.views.update({ external_id: externalId, view: shown }).catch(async (error: unknown) => {
        // A person who has closed the modal waits for nothing.
        if (slackCode(error) !== 'not_found') await sendPrivately(message);
      });
    }
    const put = onTop
      ? client.views.push({ trigger_id: triggerId, view: shown })
      : client.views.update({ view_id: view.id, view: shown });
    return put.catch(() => sendPrivately(message));
  };
  const show = async (message: Message, place: { onTop: boolean }) => void (await put(message, place));
  return {
    async begin(title) {
      await client.views.push({
        trigger_id: triggerId,
        view: workingView({ channelId, externalId, title }),
      });
      begun = { title };
    },
    working: async () => undefined,
    answer: (message) => show(message, { onTop: view.isForm }),
    failure: (message) => show(message, { onTop: true }),
    decline: (message) => show(message, { onTop: true }),
  };
}
