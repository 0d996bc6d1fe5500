import { type ReactNode, useMemo } from 'react';
import type { ElementValue } from '../../blocks/element-values.ts';
import type { FieldValues, PageView } from '../../page-api/page-api.ts';
import { withValue } from '../model/field-values.ts';
import { usePage } from '../model/page-context.ts';
import { type Surface, SurfaceContext } from '../model/surface.ts';

interface Props {
  view: PageView;
  values: FieldValues;
  onValues: (change: (before: FieldValues) => FieldValues) => void;
  errors?: Record<string, string>;
  /** Something was typed or chosen in this block. */
  onTouched?: (blockId: string) => void;
  /** What failed is said where the view is. */
  onTrouble: (text: string | undefined) => void;
  children: ReactNode;
}

/** What stands around the blocks of a modal or of the Home tab. */
export function ViewSurface({ view, values, onValues, errors, onTouched, onTrouble, children }: Props) {
  const { actInView } = usePage();
  const surface = useMemo<Surface>(
    () => ({
      valueOf: (blockId, actionId) => values[blockId]?.[actionId],
      set(blockId, actionId, value) {
        onValues((before) => withValue(before, { blockId, actionId, value }));
        onTouched?.(blockId);
      },
      async act({ blockId, actionId, value }) {
        const now = value === undefined ? values : withValue(values, { blockId, actionId, value });
        const chosen: { value?: ElementValue } = value === undefined ? {} : { value };
        onTrouble(await actInView({ viewId: view.id, blockId, actionId, ...chosen, values: now }));
      },
      errorOf: (blockId) => errors?.[blockId],
      channelId: view.channelId,
    }),
    [view.id, view.channelId, values, onValues, errors, onTouched, onTrouble, actInView],
  );
  return <SurfaceContext value={surface}>{children}</SurfaceContext>;
}
