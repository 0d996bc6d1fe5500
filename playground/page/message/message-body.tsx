import type { KnownBlock } from '@slack/types';
import { memo, useMemo, useState } from 'react';
import type { FieldValues, PageMessage } from '../../src/page-api/page-api.ts';
import { withValue } from '../model/field-values.ts';
import { usePage } from '../model/page-context.ts';
import { SurfaceContext } from '../model/surface.ts';
import { BlockList } from './block-list.tsx';
import { FileList } from './file-list.tsx';
import { Unfurl } from './unfurl.tsx';

/** The blocks of a message, or its text if it has none. */
export const MessageBody = memo(function MessageBody({ message }: { message: PageMessage }) {
  const { click } = usePage();
  const [values, setValues] = useState<FieldValues>({});
  const { channelId, ts: messageTs, threadTs } = message;
  const surfaceOf = useMemo(
    () => (unfurlUrl?: string) => ({
      valueOf: (blockId: string, actionId: string) => values[blockId]?.[actionId],
      set: (blockId: string, actionId: string, value: FieldValues[string][string]) =>
        setValues((before) => withValue(before, { blockId, actionId, value })),
      act: (action: { blockId: string; actionId: string; value?: FieldValues[string][string] }) =>
        click({ channelId, messageTs, ...(unfurlUrl && { unfurlUrl }), ...action }, threadTs),
      errorOf: () => undefined,
      channelId,
    }),
    [values, click, channelId, messageTs, threadTs],
  );
  const surface = useMemo(() => surfaceOf(), [surfaceOf]);
  const textBlocks: KnownBlock[] = message.text
    ? [{ type: 'section', text: { type: 'mrkdwn', text: message.text } }]
    : [];
  return (
    <SurfaceContext value={surface}>
      <div className="message-body">
        <BlockList blocks={message.blocks?.length ? message.blocks : textBlocks} />
        {message.files && <FileList files={message.files} />}
        {message.unfurls?.map((unfurl) => (
          <SurfaceContext key={unfurl.url} value={surfaceOf(unfurl.url)}>
            <Unfurl unfurl={unfurl} />
          </SurfaceContext>
        ))}
        {message.editedTs && <span className="edited">(edited)</span>}
      </div>
    </SurfaceContext>
  );
});
