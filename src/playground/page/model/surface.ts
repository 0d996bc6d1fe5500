import { createContext, useContext } from 'react';
import type { ElementValue } from '../../blocks/element-values.ts';

/** What stands around blocks: a message, a modal or the Home tab. It knows what was chosen, and tells the app. */
export interface Surface {
  /** Undefined: as the app has put it. */
  valueOf: (blockId: string, actionId: string) => ElementValue | undefined;
  set: (blockId: string, actionId: string, value: ElementValue) => void;
  /** Resolves when the app has answered or failed; what failed is said where the reader looks. */
  act: (action: { blockId: string; actionId: string; value?: ElementValue }) => Promise<void>;
  /** What is wrong with an input block. */
  errorOf: (blockId: string) => string | undefined;
  /** The conversation it was opened from. */
  channelId: string | undefined;
}

export const SurfaceContext = createContext<Surface | undefined>(undefined);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('useSurface outside of SurfaceContext');
  return surface;
}
