import type { ExportTable } from '../../answers/export-table.ts';
import type { KnownVessel } from '../../messages/formatting/vessel-label.ts';
import type { Reader } from '../../messages/message.ts';
import { defineTable, vesselColumns } from '../table.ts';
import type { ListedVessel, VesselNamesAnswer } from './view.ts';

/** Undefined for an answer that is not a list. */
export function vesselsTable(
  answer: VesselNamesAnswer,
  { audience }: Pick<Reader, 'audience'>,
): ExportTable | undefined {
  switch (answer.kind) {
    case 'vessel-list': {
      // Which cargo is on which vessel is for the workspace alone.
      const hideReferences = audience !== 'private' && { references: [] };
      return names.of({ rows: answer.vessels.map((vessel) => ({ ...vessel, ...hideReferences })) });
    }
    case 'fleets':
      return fleets.of({ rows: answer.fleets });
    case 'fleet':
      return fleet.of({
        rows: answer.vessels.map((vessel) => ({ fleet: answer.name, vessel })),
        subject: [answer.name],
      });
    case 'vessel-references': {
      if (audience === 'outside') return undefined;
      const { vessel, shared } = answer;
      return references.of({
        rows: answer.references.map((reference) => ({
          vessel,
          reference,
          others: shared.find((one) => one.reference === reference)?.vessels ?? [],
        })),
        subject: [String(vessel.imo)],
      });
    }
    default:
      return undefined;
  }
}

/** Several names in one cell, as in the file for `vessel import`. */
const joined = (texts: readonly (string | number)[]): string => texts.join(' | ');

const names = defineTable<ListedVessel>({
  name: 'vessel-names',
  about: 'A vessel with a name or references in this workspace. For a file to import again: `/vessel export`',
  columns: [
    ...vesselColumns<ListedVessel>((vessel) => vessel),
    { key: 'fleets', about: 'its fleets, separated by ` | `', value: (vessel) => joined(vessel.fleets) },
    {
      key: 'references',
      about: 'its references, the newest first, separated by ` | `',
      value: (vessel) => joined(vessel.references),
    },
  ],
});

const fleets = defineTable<{ name: string; vessels: number }>({
  name: 'fleets',
  about: 'A fleet of this workspace',
  columns: [
    { key: 'fleet', about: 'its name', value: ({ name }) => name },
    { key: 'vessels', about: 'the number of its vessels', value: ({ vessels }) => vessels },
  ],
});

interface Member {
  fleet: string;
  vessel: KnownVessel;
}

const fleet = defineTable<Member>({
  name: 'fleet',
  about: 'A vessel of the fleet',
  columns: [
    { key: 'fleet', about: 'name of the fleet', value: (member) => member.fleet },
    ...vesselColumns<Member>(({ vessel }) => vessel),
  ],
});

interface Reference {
  vessel: KnownVessel;
  reference: string;
  others: readonly KnownVessel[];
}

const references = defineTable<Reference>({
  name: 'references',
  about: 'A reference of the vessel, the newest first',
  columns: [
    ...vesselColumns<Reference>(({ vessel }) => vessel),
    { key: 'reference', about: 'such as a booking number', value: ({ reference }) => reference },
    {
      key: 'also_of_imo',
      about: 'IMO numbers of other vessels with the same reference, separated by ` | `',
      value: ({ others }) => joined(others.map(({ imo }) => imo)),
    },
  ],
});

export const vesselsTables = [names, fleets, fleet, references];
