import { createContext, useContext, useEffect, useRef } from 'react';
import type { PageUnfurl } from '../../src/page-api/page-api.ts';
import { Unfurl } from '../message/unfurl.tsx';
import { api } from '../model/api.ts';
import { type Surface, SurfaceContext } from '../model/surface.ts';

/** What the app shows of the links that the reader is writing, in any composer. */
export const PreviewsContext = createContext<readonly PageUnfurl[]>([]);

/** The text is sent only when the reader pauses. */
const PAUSE_MS = 400;

/** The previews of the links in the text. */
export function Previews({ userId, text }: { userId: string; text: string }) {
  const previews = useContext(PreviewsContext);
  useSendText(userId, text);
  const shown = previews.filter(({ url }) => text.includes(url.replace(/^https?:\/\//, '')));
  if (shown.length === 0) return null;
  return (
    <SurfaceContext value={inert}>
      <section className="previews" aria-label="Preview of the links">
        {shown.map((preview) => (
          <Unfurl key={preview.url} unfurl={withoutButtons(preview)} />
        ))}
      </section>
    </SurfaceContext>
  );
}

/** Nothing can be pressed before the message is sent. */
const withoutButtons = (preview: PageUnfurl): PageUnfurl =>
  preview.blocks ? { ...preview, blocks: preview.blocks.filter(({ type }) => type !== 'actions') } : preview;

const inert: Surface = {
  valueOf: () => undefined,
  set: () => {},
  act: async () => {},
  errorOf: () => undefined,
  channelId: undefined,
};

/** Only texts with an address matter, and the text after one, which may have none any more. */
function useSendText(userId: string, text: string): void {
  const hadAddress = useRef(false);
  const hasAddress = /\w\.\w+\//.test(text);
  useEffect(() => {
    if (!hasAddress && !hadAddress.current) return;
    const timer = setTimeout(() => {
      hadAddress.current = hasAddress;
      // Without a preview the message can be sent all the same.
      api.write({ userId, text: hasAddress ? text : '' }).catch(() => undefined);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [userId, text, hasAddress]);
}
