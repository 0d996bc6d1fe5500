import type { PageModel } from './page-model.ts';

const KEY = 'playground-read';

type ReadMarks = Pick<PageModel, 'openedAt' | 'lastRead'>;

/** What has been read in this browser, so that a reload neither marks messages as read nor as new. */
export function savedReadMarks(): ReadMarks {
  try {
    // Only saveReadMarks writes it.
    return { ...none, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<ReadMarks>) };
  } catch {
    return none;
  }
}

/** Another tab may have read further. */
export function saveReadMarks({ openedAt, lastRead }: ReadMarks): void {
  const saved = savedReadMarks();
  const newest = { ...saved.lastRead };
  for (const [key, ts] of Object.entries(lastRead)) if (ts > (newest[key] ?? '')) newest[key] = ts;
  try {
    localStorage.setItem(KEY, JSON.stringify({ openedAt: saved.openedAt ?? openedAt, lastRead: newest }));
  } catch {
    // Without storage, all that was posted before a reload counts as read.
  }
}

const none: ReadMarks = { openedAt: undefined, lastRead: {} };
