import type { AuditEntry } from '../../workspaces/audit.ts';
import type { ChangedReferences } from './vessel-references.ts';

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

/** What is saved with names. */
interface Saved {
  /** The number of names that were given, also unchanged ones. */
  names: number;
  fleets: readonly { name: string }[];
  references: readonly ChangedReferences[];
}

/** None if no name has changed. An import always gets one entry, with its names, fleets and references. */
export function savedNotes(changes: readonly NameChange[], source: Source, saved: Saved): Note[] {
  if (source.kind === 'file') return [importNote(changes, source.fileName, saved)];
  const notes = source.kind === 'first' || changes.length === 0 ? [] : [nameNote(changes)];
  return [...notes, ...referenceNotes(saved.references)];
}

function nameNote(changes: readonly NameChange[]): Note {
  const listed = changes.slice(0, maxNamesListed);
  const before = listed.flatMap(({ imo, before: name }) => (name === null ? [] : [{ imo, name }]));
  return {
    action: 'vessel.name',
    subject: subjectOf(changes),
    ...(before.length > 0 && { before: { names: before } }),
    after: { names: listed.map(({ imo, after: name }) => ({ imo, name })) },
  };
}

function importNote(changes: readonly NameChange[], fileName: string, saved: Saved): Note {
  const { names, fleets, references } = saved;
  const added = changes.filter(({ before }) => before === null).length;
  const texts = references.flatMap(({ imo, added: texts }) =>
    texts.map((reference) => `${reference} (IMO ${imo})`),
  );
  const after = {
    ...{ names, added, renamed: changes.length - added, changes: changes.slice(0, maxNamesListed) },
    ...(fleets.length > 0 && { fleets: fleets.map(({ name }) => name).slice(0, maxNamesListed) }),
    ...(texts.length > 0 && { newReferences: texts.length, references: texts.slice(0, maxNamesListed) }),
  };
  return { action: 'vessel.import', subject: fileName, after };
}

/** An entry for what each vessel got, and one for what it lost. */
export const referenceNotes = (changed: readonly ChangedReferences[]): Note[] =>
  changed.flatMap(({ imo, added, removed }) => {
    const subject = `IMO ${imo}`;
    return [
      ...(added.length > 0 ? [{ action: 'reference.add', subject, after: { references: added } }] : []),
      ...(removed.length > 0
        ? [{ action: 'reference.remove', subject, before: { references: removed } }]
        : []),
    ];
  });

/** None if there was no such name. */
export const forgottenNotes = (names: readonly { imo: number; name: string }[]): Note[] =>
  names.length === 0
    ? []
    : [
        {
          action: 'vessel.forget',
          subject: subjectOf(names),
          before: { names: names.slice(0, maxNamesListed) },
        },
      ];

function subjectOf([first, ...others]: readonly { imo: number }[]): string {
  return others.length === 0 ? `IMO ${first?.imo}` : `${others.length + 1} vessels`;
}
