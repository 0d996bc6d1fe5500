import { useRef } from 'react';
import { Icon } from '../chrome/icons.tsx';

/** Lets the reader attach files from their machine. */
export function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Attach a file"
        title="Attach a file"
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          // Allows the same file to be attached again after its removal.
          event.target.value = '';
        }}
      />
    </>
  );
}
