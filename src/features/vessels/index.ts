import { nextPortsOf, type Row } from '../../answers/answer.ts';
import { referenceNote } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import { joined } from '../../answers/text.ts';
import { createVesselDirectory, type VesselDirectory } from '../../grammar/vessel-directory.ts';
import { exampleVessels } from '../../reference/codes.ts';
import { DeadlineError, type WorkCtx, withinDeadline } from '../ctx.ts';
import type { Feature, HomeSection } from '../feature.ts';
import type { StateKey } from '../services.ts';
import { vesselCommand } from './command.ts';
import { fleetForm } from './fleet-form.ts';
import { nameForm } from './form.ts';
import { importShown, takeFile, takeText } from './import.ts';
import { importForm } from './import-form.ts';
import { type ListedVessel, readAll } from './name-answers.ts';
import { undoImport } from './undo-import.ts';
import { readDirectory } from './vessel-names.ts';
import { formatFleetChange, formatForget, formatReferencesChange, vesselExample } from './words.ts';

export { forgetImports } from './pending-imports.ts';
export { changeNames, readPortGroups } from './vessel-names.ts';
export { formatPromise } from './words.ts';

const home: HomeSection = {
  name: 'names',
  label: 'Vessel names',
  opener: { form: 'name', label: 'Name a vessel …' },
  firstStep: { strong: 'Name a vessel.', rest: ' Then write its name wherever an IMO number goes.' },
  empty: ['No vessel names yet. For example: ', { code: `/${vesselExample}` }],
  hasOwners: false,
  async read({ limit, offset }, ctx) {
    const { named, rowOf } = await readAll(ctx);
    const shown = [...named.keys()].slice(offset, offset + limit);
    return { total: named.size, rows: shown.map((imo) => homeRow(rowOf(imo))) };
  },
};

const homeRow = ({ imo, name = '', fleets, references }: ListedVessel): Row => ({
  lines: [
    joined([
      { strong: clip(name, 100) },
      `IMO ${imo}`,
      ...(fleets.length > 0 ? [`fleet ${clip(fleets.join(', '), 200)}`] : []),
      ...referenceNote(references),
    ]),
  ],
  menu: [
    { label: 'Rename …', form: 'name', target: { imo } },
    { label: 'Where does it call next?', intent: nextPortsOf(imo) },
    { label: 'Forget the name', line: formatForget([imo]) },
  ],
});

/** Names for vessels, references and fleets. */
export const vessels: Feature = {
  commands: [vesselCommand],
  fulfils: {
    'add-to-fleet': ({ fleet, imos }) => formatFleetChange({ name: fleet, change: 'add', imos }),
    'add-reference': ({ imo, reference }) =>
      formatReferencesChange({ imo, change: 'add', references: [reference] }),
  },
  forms: [nameForm, fleetForm, importForm],
  actions: [importShown, undoImport],
  ...{ home, takeFile, takeText },
};

const maxWaitMs = 1_000;

interface LastRead {
  directory: VesselDirectory;
  pending?: Promise<VesselDirectory> | undefined;
}

const lastReadKey: StateKey<LastRead> = { name: 'vessel names read last' };

/** The current names; if the store does not answer within a second, those read last. */
export async function vesselsHere(ctx: WorkCtx): Promise<VesselDirectory> {
  const last = ctx.services.state(
    lastReadKey,
    (): LastRead => ({ directory: createVesselDirectory(exampleVessels) }),
  );
  last.pending ??= readDirectory(ctx).finally(() => {
    last.pending = undefined;
  });
  const { pending } = last;
  try {
    last.directory = await withinDeadline(maxWaitMs, () => pending);
  } catch (error) {
    if (!(error instanceof DeadlineError))
      ctx.services.logger.warn({ err: error }, "vessel names can't be read; the names read last stay in use");
  }
  return last.directory;
}
