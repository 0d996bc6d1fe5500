import { createContext, useContext } from 'react';
import type { ElementValue } from '../../src/blocks/element-values.ts';

/** A container of blocks: a message, a modal or the Home tab. Holds their values and sends actions to the app. */
export interface Surface {
  /** Undefined: the initial value. */
  valueOf: (blockId: string, actionId: string) => ElementValue | undefined;
  set: (blockId: string, actionId: string, value: ElementValue) => void;
  /** Resolves once the app has answered or failed. Failures are shown to the reader. */
  act: (action: { blockId: string; actionId: string; value?: ElementValue }) => Promise<void>;
  /** The error of an input block. */
  errorOf: (blockId: string) => string | undefined;
  /** The conversation from which it was opened. */
  channelId: string | undefined;
}

export const SurfaceContext = createContext<Surface | undefined>(undefined);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('useSurface outside of SurfaceContext');
  return surface;
}
