import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icons.tsx';

interface Props {
  className: string;
  title: string;
  onClose: () => void;
  /** Makes the whole window a form. */
  onSubmit?: (event: FormEvent) => void;
  children: (close: () => void) => ReactNode;
}

/** A window over the page, with a title and a button that closes it. The first field has the focus. */
export function Dialog({ className, title, onClose, onSubmit, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('input[type=text]')?.focus();
  }, []);
  const close = () => dialog.current?.close();
  const content = (
    <>
      <header className="modal-header">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children(close)}
    </>
  );
  return (
    <dialog
      ref={dialog}
      className={`modal ${className}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {onSubmit ? (
        <form onSubmit={onSubmit} noValidate>
          {content}
        </form>
      ) : (
        content
      )}
    </dialog>
  );
}

export function DialogBody({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
    <section className="modal-body" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
