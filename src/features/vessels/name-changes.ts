import type { AuditEntry } from '../../workspaces/audit.ts';

/** Where names come from. `first`: a new workspace gets them; they are in no audit log, as nobody chose them. */
export type Source = { kind: 'typed' } | { kind: 'file'; fileName: string } | { kind: 'first' };

export interface NameChange {
  imo: number;
  /** Null if the vessel had no name. */
  before: string | null;
  after: string;
}

/** An entry of the audit log, without person and time. */
export type Note = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>;

/** The log holds at most so many names per change, and counts all of them. */
const maxNamesNoted = 100;

/** The names that are new, or differ from before. */
export function compareNames(
  before: ReadonlyMap<number, string>,
  vessels: readonly { imo: number; name: string }[],
): NameChange[] {
  return vessels
    .filter(({ imo, name }) => before.get(imo) !== name)
    .map(({ imo, name }) => ({ imo, before: before.get(imo) ?? null, after: name }));
}

/** Undefined if nothing has changed; a file is noted anyway. `total`: how many names it has. */
export function savedNote(changes: readonly NameChange[], source: Source, total: number): Note | undefined {
  const noted = changes.slice(0, maxNamesNoted);
  if (source.kind === 'file') {
    const added = changes.filter(({ before }) => before === null).length;
    const after = { names: total, added, renamed: changes.length - added, changes: noted };
    return { action: 'vessel.import', subject: source.fileName, after };
  }
  if (source.kind === 'first' || changes.length === 0) return undefined;
  const before = noted.flatMap(({ imo, before: name }) => (name === null ? [] : [{ imo, name }]));
  return {
    action: 'vessel.name',
    subject: subjectOf(changes),
    ...(before.length > 0 && { before: { names: before } }),
    after: { names: noted.map(({ imo, after: name }) => ({ imo, name })) },
  };
}

export function forgottenNote(names: readonly { imo: number; name: string }[]): Note | undefined {
  if (names.length === 0) return undefined;
  const before = { names: names.slice(0, maxNamesNoted) };
  return { action: 'vessel.forget', subject: subjectOf(names), before };
}

function subjectOf([first, ...others]: readonly { imo: number }[]): string {
  return others.length === 0 ? `IMO ${first?.imo}` : `${others.length + 1} vessels`;
}
