import { useCallback, useState } from 'react';
import type { FieldValues, PageView } from '../../page-api/page-api.ts';
import { Modal } from './modal.tsx';

/** The highest of the open modals. Those below keep what was typed in them. */
export function ModalStack({ views }: { views: PageView[] }) {
  const [typed, setTyped] = useState<Record<string, FieldValues>>({});
  const top = views.at(-1);
  const id = top?.id;
  const onValues = useCallback(
    (change: (before: FieldValues) => FieldValues) => {
      if (id) setTyped((before) => ({ ...before, [id]: change(before[id] ?? {}) }));
    },
    [id],
  );
  if (!top) return null;
  return (
    <Modal
      key={top.id}
      view={top}
      isPushed={views.length > 1}
      values={typed[top.id] ?? NOTHING}
      onValues={onValues}
    />
  );
}

const NOTHING: FieldValues = {};
