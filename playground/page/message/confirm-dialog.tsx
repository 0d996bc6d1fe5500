import type { ConfirmationDialog } from '@slack/types';
import { useEffect, useId, useRef } from 'react';
import { plainText } from './plain-text.ts';

interface Props {
  confirm: ConfirmationDialog;
  onConfirm: () => void;
  onDeny: () => void;
}

/** The confirmation dialog of an element's `confirm`. */
export function ConfirmDialog({ confirm, onConfirm, onDeny }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="confirm"
      aria-labelledby={id}
      onClose={onDeny}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 id={id}>{confirm.title ? plainText(confirm.title) : 'Are you sure?'}</h2>
      <p>{plainText(confirm.text)}</p>
      <div className="confirm-buttons">
        <button type="button" className="block-button" onClick={onDeny}>
          {confirm.deny ? plainText(confirm.deny) : 'Cancel'}
        </button>
        <button
          type="button"
          className={`block-button ${confirm.style === 'danger' ? 'danger' : 'primary'}`}
          onClick={onConfirm}
        >
          {confirm.confirm ? plainText(confirm.confirm) : 'Yes'}
        </button>
      </div>
    </dialog>
  );
}
