import type { AuditEntry } from '../../workspaces/audit.ts';

/** Where names come from; nobody's change are the first ones of a new workspace. */
export type Source = { kind: 'typed' } | { kind: 'file'; fileName: string } | { kind: 'first' };

export interface NameChange {
  imo: number;
  /** Null where the vessel had none. */
  before: string | null;
  after: string;
}

/** What is in the audit log, without who and when. */
type Note = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>;

/** So many of the names changed at once are in the log; all of them are counted. */
const maxNamesNoted = 100;

/** Those that are new, or another name than before. */
export function compareNames(
  before: ReadonlyMap<number, string>,
  vessels: readonly { imo: number; name: string }[],
): NameChange[] {
  return vessels
    .filter(({ imo, name }) => before.get(imo) !== name)
    .map(({ imo, name }) => ({ imo, before: before.get(imo) ?? null, after: name }));
}

/** A file is noted even where nothing in it was new; `total`: how many names were given. */
export function noteOf(changes: readonly NameChange[], source: Source, total: number): Note | undefined {
  switch (source.kind) {
    case 'first':
      return undefined;
    case 'file': {
      const added = changes.filter(({ before }) => before === null).length;
      const counts = { names: total, added, renamed: changes.length - added };
      const after = { ...counts, changes: changes.slice(0, maxNamesNoted) };
      return { action: 'vessel.import', subject: source.fileName, after };
    }
    case 'typed': {
      const noted = changes.slice(0, maxNamesNoted);
      const before = noted.flatMap(({ imo, before: name }) => (name === null ? [] : [{ imo, name }]));
      return changes.length === 0
        ? undefined
        : {
            action: 'vessel.name',
            subject: subjectOf(changes),
            ...(before.length > 0 && { before: { names: before } }),
            after: { names: noted.map(({ imo, after: name }) => ({ imo, name })) },
          };
    }
  }
}

export function forgottenNote(gone: readonly { imo: number; name: string }[]): Note | undefined {
  if (gone.length === 0) return undefined;
  const before = { names: gone.slice(0, maxNamesNoted) };
  return { action: 'vessel.forget', subject: subjectOf(gone), before };
}

function subjectOf([first, ...others]: readonly { imo: number }[]): string {
  return others.length === 0 ? `IMO ${first?.imo}` : `${others.length + 1} vessels`;
}
