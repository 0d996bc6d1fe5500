import type { KnownBlock } from '@slack/types';
import { memo, useMemo, useState } from 'react';
import type { FieldValues, PageMessage } from '../../page-api/page-api.ts';
import { withValue } from '../model/field-values.ts';
import { usePage } from '../model/page-context.ts';
import { SurfaceContext } from '../model/surface.ts';
import { BlockList } from './block-list.tsx';
import { FileList } from './file-list.tsx';

/** The blocks of a message, or its text if it has none. */
export const MessageBody = memo(function MessageBody({ message }: { message: PageMessage }) {
  const { click } = usePage();
  const [values, setValues] = useState<FieldValues>({});
  const { channelId, ts: messageTs, threadTs } = message;
  const surface = useMemo(
    () => ({
      valueOf: (blockId: string, actionId: string) => values[blockId]?.[actionId],
      set: (blockId: string, actionId: string, value: FieldValues[string][string]) =>
        setValues((before) => withValue(before, { blockId, actionId, value })),
      act: (action: { blockId: string; actionId: string; value?: FieldValues[string][string] }) =>
        click({ channelId, messageTs, ...action }, threadTs),
      errorOf: () => undefined,
      channelId,
    }),
    [values, click, channelId, messageTs, threadTs],
  );
  const textBlocks: KnownBlock[] = message.text
    ? [{ type: 'section', text: { type: 'mrkdwn', text: message.text } }]
    : [];
  return (
    <SurfaceContext value={surface}>
      <div className="message-body">
        <BlockList blocks={message.blocks?.length ? message.blocks : textBlocks} />
        {message.files && <FileList files={message.files} />}
        {message.editedTs && <span className="edited">(edited)</span>}
      </div>
    </SurfaceContext>
  );
});
