import { type FormEvent, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { FieldValues, PageView } from '../../src/page-api/page-api.ts';
import { Icon } from '../chrome/icons.tsx';
import { BlockList } from '../message/block-list.tsx';
import { plainText } from '../message/plain-text.ts';
import { withoutError } from '../model/field-values.ts';
import { usePage } from '../model/page-context.ts';
import { ViewSurface } from './view-surface.tsx';

interface Props {
  view: PageView;
  /** True if there is another modal below. */
  isPushed: boolean;
  values: FieldValues;
  onValues: (change: (before: FieldValues) => FieldValues) => void;
}

/** A modal like Slack's: the focus stays inside, Escape and the close button close it, Enter submits. */
export function Modal({ view, isPushed, values, onValues }: Props) {
  const { submitView, closeView } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [errors, setErrors] = useState<Record<string, string>>({});
  useOpenDialog(dialog);
  useFocusFirstError(dialog, errors);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !view.submit) return;
    setBusy(true);
    const reply = await submitView(view.id, values);
    setBusy(false);
    setErrors(reply.ok ? {} : (reply.errors ?? {}));
    setError(reply.ok ? undefined : reply.error || undefined);
  };
  // A field's error no longer applies once the field has changed.
  const clearError = useCallback(
    (blockId: string) => setErrors((before) => withoutError(before, blockId)),
    [],
  );
  const title = view.title && plainText(view.title);
  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby={titleId}
      // The server closes the modal, on all pages of this user.
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        void closeView(view.id, false);
      }}
    >
      <form onSubmit={submit} noValidate>
        <header className="modal-header">
          {isPushed && (
            <button
              type="button"
              className="icon-button"
              aria-label="Back"
              onClick={() => void closeView(view.id, false)}
            >
              <Icon name="back" />
            </button>
          )}
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            className="icon-button"
            aria-label="Close all"
            onClick={() => void closeView(view.id, true)}
          >
            <Icon name="close" />
          </button>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
        <section className="modal-body" aria-label={title} tabIndex={0}>
          {error && (
            <p className="view-error" role="alert">
              <Icon name="warn" /> {error}
            </p>
          )}
          <ViewSurface {...{ view, values, errors, onValues }} onChanged={clearError} onError={setError}>
            <BlockList blocks={view.blocks} />
          </ViewSurface>
        </section>
        <footer className="modal-footer">
          <span className="modal-app">
            <Icon name="eye" /> Only visible to you
          </span>
          <button type="button" className="block-button" onClick={() => void closeView(view.id, false)}>
            {view.close ? plainText(view.close) : 'Close'}
          </button>
          {view.submit && (
            <button type="submit" className="block-button primary" disabled={busy} aria-busy={busy}>
              {plainText(view.submit)}
            </button>
          )}
        </footer>
      </form>
    </dialog>
  );
}

type DialogRef = { current: HTMLDialogElement | null };

const ANY_FIELD = '.modal-body :is(input, textarea)';

/** Opens the dialog, with the focus in the field that the app chose, or else in the first one. */
function useOpenDialog(dialog: DialogRef): void {
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const first =
      element?.querySelector<HTMLElement>('[data-autofocus]') ??
      element?.querySelector<HTMLElement>(ANY_FIELD);
    (first ?? element?.querySelector<HTMLElement>('.modal-footer [type=submit]'))?.focus();
    return () => element?.close();
  }, [dialog]);
}

function useFocusFirstError(dialog: DialogRef, errors: Record<string, string>): void {
  const [first] = Object.keys(errors);
  useEffect(() => {
    if (first === undefined) return;
    const block = dialog.current?.querySelector(`[data-block="${CSS.escape(first)}"]`);
    block?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [dialog, first]);
}
