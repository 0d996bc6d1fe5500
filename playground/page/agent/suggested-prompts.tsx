import { useContext, useId, useRef } from 'react';
import type { PageChannel } from '../../src/page-api/page-api.ts';
import { isWithApp } from '../model/app-user.ts';
import { usePage } from '../model/page-context.ts';
import { AgentContext } from './agent-context.ts';

/** What the app suggests to ask in its direct message. A click sends it as the reader's own message. */
export function SuggestedPrompts({ channel }: { channel: PageChannel }) {
  const { world, say } = usePage();
  const { title, prompts = [] } = useContext(AgentContext).prompts ?? {};
  const titleId = useId();
  const isSending = useRef(false);
  if (!isWithApp(channel, world) || prompts.length === 0) return null;
  const send = async (text: string) => {
    // A double click asks once.
    if (isSending.current) return;
    isSending.current = true;
    await say({ channelId: channel.id, text });
    isSending.current = false;
  };
  return (
    <section className="prompts" aria-labelledby={titleId}>
      <h3 id={titleId}>{title ?? 'Suggested prompts'}</h3>
      <ul>
        {prompts.map((prompt) => (
          <li key={`${prompt.title} ${prompt.message}`}>
            <button type="button" title={prompt.message} onClick={() => void send(prompt.message)}>
              {prompt.title}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
