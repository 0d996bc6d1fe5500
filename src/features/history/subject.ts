import { type Imo, isImo, isLocode, type Locode } from '../../reference/codes.ts';

/** What a watch follows. It is polled once, however many watches of the workspace follow it. */
export type Subject =
  | { kind: 'vessel'; imo: Imo }
  | { kind: 'shiplist'; name: string }
  | { kind: 'port'; port: Locode };

/** How a subject is stored. */
export interface SubjectColumns {
  kind: string;
  key: string;
}

export function toColumns(subject: Subject): SubjectColumns {
  switch (subject.kind) {
    case 'vessel':
      return { kind: 'vessel', key: String(subject.imo) };
    case 'shiplist':
      return { kind: 'shiplist', key: subject.name };
    case 'port':
      return { kind: 'port', key: subject.port };
  }
}

/** Undefined if a newer version wrote a kind that this one doesn't know. */
export function fromColumns({ kind, key }: SubjectColumns): Subject | undefined {
  const imo = Number(key);
  if (kind === 'vessel' && isImo(imo)) return { kind, imo };
  if (kind === 'shiplist') return { kind, name: key };
  if (kind === 'port' && isLocode(key)) return { kind, port: key };
  return undefined;
}

/** `vessel 9461477`: unique to a subject. */
export const columnsKey = ({ kind, key }: SubjectColumns): string => `${kind} ${key}`;

export const subjectKey = (subject: Subject): string => columnsKey(toColumns(subject));
