import { useContext } from 'react';
import type { PageMessage } from '../../src/page-api/page-api.ts';
import { AgentContext, useStatus } from './agent-context.ts';

/** What the app is doing, below the messages of an open thread. It is always there, so that changes are announced. */
export function ThreadStatus({ channelId, threadTs }: { channelId: string; threadTs: string }) {
  const status = useStatus(channelId, threadTs);
  return <output className="status status-thread">{status && <StatusLine text={status} />}</output>;
}

/** The same below a message whose thread isn't open. */
export function RootStatus({ message: { channelId, ts } }: { message: PageMessage }) {
  const { openThreadTs } = useContext(AgentContext);
  const status = useStatus(channelId, ts);
  if (!status || openThreadTs === ts) return null;
  return (
    <output className="status">
      <StatusLine text={status} />
    </output>
  );
}

function StatusLine({ text }: { text: string }) {
  return (
    <>
      <span className="status-sign" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>{text}</span>
    </>
  );
}
