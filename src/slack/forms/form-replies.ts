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
  /** Notes what is wrong with fields, for `close`. */
  wrong(errors: FieldErrors): void;
  /** What is pressed under the answer is pressed there. */
  standsIn(channelId: string): void;
  /** Ends a submission that said nothing: the form closes, or shows what is wrong with its fields. */
  close(): Promise<void>;
}

export type SubmitAck = (
  response?:
    | { response_action: 'errors'; errors: Record<string, string> }
    | { response_action: 'update' | 'push'; view: ModalView },
) => Promise<void>;

/**
 * The answers to a submitted form. While they come in time they are the acknowledgement itself; later they
 * take the place of «Working on it …», which was put on top of the form: what was filled in stays below.
 */
export function createSubmitReplies(options: {
  ack: SubmitAck;
  client: WebClient;
  channelId: string;
  externalId: string;
  /** It stands on another form, which is to be seen again. */
  onForm: boolean;
  /** For who has closed the modal meanwhile. */
  tell(message: Message): Promise<void>;
}): SubmitReplies {
  const { client, externalId, onForm, tell } = options;
  let { channelId } = options;
  let said: 'nothing' | 'working' | 'all' = 'nothing';
  let errors: FieldErrors | undefined;

  /** Where it can't be said in the form, since the connection went or the bot stops, it is said beside it. */
  const ack = async (response: Parameters<SubmitAck>[0], message: Message) =>
    options.ack(response).catch(() => tell(message));

  const show = async (message: Message, { done }: { done: boolean }) => {
    const isLate = said === 'working';
    said = 'all';
    const view = messageView(message, { channelId, clears: done && !onForm });
    if (isLate) {
      await client.views.update({ external_id: externalId, view }).catch(async (error: unknown) => {
        if (slackCode(error) !== 'not_found') throw error;
        await tell(message);
      });
    } else if (!done) await ack({ response_action: 'push', view }, message);
    else if (onForm) await ack(undefined, message);
    else await ack({ response_action: 'update', view }, message);
  };

  return {
    wrong(found) {
      errors = found;
    },
    standsIn(place) {
      channelId = place;
    },
    async close() {
      if (said === 'all') return;
      const lines = errors ? Object.values(errors.fields) : ['Done.'];
      const message = { text: lines.join(' '), blocks: sections(lines.map(escaped)) };
      if (said === 'working') await show(message, { done: !errors });
      else if (errors) await ack({ response_action: 'errors', errors: { ...errors.fields } }, message);
      else await ack(undefined, message);
    },
    replies: {
      async working() {
        said = 'working';
        await options.ack({ response_action: 'push', view: workingView({ channelId, externalId }) });
      },
      answer: (message) => show(message, { done: true }),
      failure: (message) => show(message, { done: false }),
      decline: (message) => show(message, { done: false }),
    },
  };
}

export interface ClickReplies extends Replies {
  /** Puts «Working on it …» on top at once, while the click may still do so; the answer takes its place. */
  begin(title: string): Promise<void>;
}

/** The answers to a click in an open modal: on top of a form, in the place of something read. */
export function createClickReplies(options: {
  client: WebClient;
  channelId: string;
  view: { id: string; isForm: boolean };
  triggerId: string;
  tell(message: Message): Promise<void>;
}): ClickReplies {
  const { client, channelId, view, triggerId, tell } = options;
  const externalId = `working ${triggerId}`;
  let begun: { title: string } | undefined;

  const put = async (message: Message, { onTop }: { onTop: boolean }) => {
    const shown = messageView(message, { channelId, ...begun });
    if (begun) {
      return client.views.update({ external_id: externalId, view: shown }).catch(async (error: unknown) => {
        // Who has closed it does not wait for it any more.
        if (slackCode(error) !== 'not_found') await tell(message);
      });
    }
    const put = onTop
      ? client.views.push({ trigger_id: triggerId, view: shown })
      : client.views.update({ view_id: view.id, view: shown });
    return put.catch(() => tell(message));
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
