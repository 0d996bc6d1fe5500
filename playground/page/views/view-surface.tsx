import { type ReactNode, useMemo } from 'react';
import type { ElementValue } from '../../src/blocks/element-values.ts';
import type { FieldValues, PageView } from '../../src/page-api/page-api.ts';
import { withValue } from '../model/field-values.ts';
import { usePage } from '../model/page-context.ts';
import { type Surface, SurfaceContext } from '../model/surface.ts';

interface Props {
  view: PageView;
  values: FieldValues;
  onValues: (change: (before: FieldValues) => FieldValues) => void;
  errors?: Record<string, string>;
  /** A value in this block has changed. */
  onChanged?: (blockId: string) => void;
  /** Receives the message of a failed action, or undefined on success. */
  onError: (text: string | undefined) => void;
  children: ReactNode;
}

/** The surface of a modal or of the Home tab. */
export function ViewSurface({ view, values, onValues, errors, onChanged, onError, children }: Props) {
  const { actInView } = usePage();
  const surface = useMemo<Surface>(
    () => ({
      valueOf: (blockId, actionId) => values[blockId]?.[actionId],
      set(blockId, actionId, value) {
        onValues((before) => withValue(before, { blockId, actionId, value }));
        onChanged?.(blockId);
      },
      async act({ blockId, actionId, value }) {
        const allValues = value === undefined ? values : withValue(values, { blockId, actionId, value });
        const action: { value?: ElementValue } = value === undefined ? {} : { value };
        onError(await actInView({ viewId: view.id, blockId, actionId, ...action, values: allValues }));
      },
      errorOf: (blockId) => errors?.[blockId],
      channelId: view.channelId,
    }),
    [view.id, view.channelId, values, onValues, errors, onChanged, onError, actInView],
  );
  return <SurfaceContext value={surface}>{children}</SurfaceContext>;
}
