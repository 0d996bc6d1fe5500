import { useCallback, useEffect, useState } from 'react';
import type { FieldValues, PageView } from '../../src/page-api/page-api.ts';
import { savedValues, saveValues, type ValuesOfViews } from '../model/saved-values.ts';
import { Modal } from './modal.tsx';

/** The topmost open modal. The values of those below are preserved, and after a reload of the page those of all. */
export function ModalStack({ views }: { views: PageView[] }) {
  const [allValues, setAllValues] = useState<ValuesOfViews>(savedValues);
  useEffect(() => {
    const isOpen = (viewId: string) => views.some((view) => view.id === viewId);
    saveValues(Object.fromEntries(Object.entries(allValues).filter(([viewId]) => isOpen(viewId))));
  }, [allValues, views]);
  const top = views.at(-1);
  const id = top?.id;
  const onValues = useCallback(
    (change: (before: FieldValues) => FieldValues) => {
      if (id) setAllValues((before) => ({ ...before, [id]: change(before[id] ?? {}) }));
    },
    [id],
  );
  if (!top) return null;
  return (
    <Modal
      key={top.id}
      view={top}
      isPushed={views.length > 1}
      values={allValues[top.id] ?? NO_VALUES}
      onValues={onValues}
    />
  );
}

const NO_VALUES: FieldValues = {};
