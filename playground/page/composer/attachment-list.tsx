import { Icon } from '../chrome/icons.tsx';
import { fileSize } from '../message/file-size.ts';
import type { Attachments } from './use-attachments.ts';

/** The files to send with the message, each with a button to remove it. */
export function AttachmentList({ attachments }: { attachments: Attachments }) {
  const { files, error, remove } = attachments;
  if (files.length === 0) return null;
  return (
    <>
      <ul className="attachments" aria-label="Attached files">
        {files.map(({ key, file }) => (
          <li key={key} className="file-card">
            <Icon name="file" />
            <span className="file-name">{file.name}</span>
            <span className="file-detail">{fileSize(file.size)}</span>
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove ${file.name}`}
              onClick={() => remove(key)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <p className="attachment-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}
