import type { AuditEntry } from '../../workspaces/audit.ts';

/** The origin of names. `first`: those that a new workspace starts with; nobody chose them, so no entry is written. */
export type Source = { kind: 'typed' } | { kind: 'file'; fileName: string } | { kind: 'first' };

export interface NameChange {
  imo: number;
  /** Null if the vessel had no name. */
  before: string | null;
  after: string;
}

/** An entry of the audit log, without person and time. */
export type Note = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>;

/** The most names that an entry of the audit log lists. */
const maxNamesListed = 100;

/** The names that are new or different. */
export function compareNames(
  before: ReadonlyMap<number, string>,
  vessels: readonly { imo: number; name: string }[],
): NameChange[] {
  return vessels
    .filter(({ imo, name }) => before.get(imo) !== name)
    .map(({ imo, name }) => ({ imo, before: before.get(imo) ?? null, after: name }));
}

/** Undefined if no name has changed, but an import always gets an entry. `total`: the number of names in its file. */
export function savedNote(changes: readonly NameChange[], source: Source, total: number): Note | undefined {
  const listed = changes.slice(0, maxNamesListed);
  if (source.kind === 'file') {
    const added = changes.filter(({ before }) => before === null).length;
    const after = { names: total, added, renamed: changes.length - added, changes: listed };
    return { action: 'vessel.import', subject: source.fileName, after };
  }
  if (source.kind === 'first' || changes.length === 0) return undefined;
  const before = listed.flatMap(({ imo, before: name }) => (name === null ? [] : [{ imo, name }]));
  return {
    action: 'vessel.name',
    subject: subjectOf(changes),
    ...(before.length > 0 && { before: { names: before } }),
    after: { names: listed.map(({ imo, after: name }) => ({ imo, name })) },
  };
}

export function forgottenNote(names: readonly { imo: number; name: string }[]): Note | undefined {
  if (names.length === 0) return undefined;
  const before = { names: names.slice(0, maxNamesListed) };
  return { action: 'vessel.forget', subject: subjectOf(names), before };
}

function subjectOf([first, ...others]: readonly { imo: number }[]): string {
  return others.length === 0 ? `IMO ${first?.imo}` : `${others.length + 1} vessels`;
}
