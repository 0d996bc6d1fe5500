import type { PageFile } from '../../src/page-api/page-api.ts';
import { Icon } from '../chrome/icons.tsx';
import { api } from '../model/api.ts';
import { usePage } from '../model/page-context.ts';
import { fileSize } from './file-size.ts';

/** The files of a message, with download links. */
export function FileList({ files }: { files: PageFile[] }) {
  const { world } = usePage();
  return (
    <ul className="files" aria-label="Files">
      {files.map((file) => (
        <li key={file.id}>
          {file.isGone ? (
            <span className="file-card">
              <Icon name="file" />
              <span className="file-name">{file.title}</span>
              <span className="file-detail">no longer stored</span>
            </span>
          ) : (
            <a
              className="file-card"
              href={api.fileUrl(file.id, world.me.id)}
              download={file.name}
              aria-label={`Download ${file.name}`}
            >
              <Icon name="file" />
              <span className="file-name">{file.title}</span>
              <span className="file-detail">
                {file.mimetype.split('/').at(-1)} · {fileSize(file.size)}
              </span>
              <Icon name="down" />
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
