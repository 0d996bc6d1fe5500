import { nextPortsOf } from '../../answers/answer.ts';
import { referenceNote } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import { escaped, formOption, rowWithMenu } from '../../answers/slack/blocks.ts';
import { createVesselDirectory, type VesselDirectory } from '../../grammar/vessel-directory.ts';
import { exampleVessels } from '../../reference/codes.ts';
import { DeadlineError, type WorkCtx, withinDeadline } from '../ctx.ts';
import type { Feature, HomeSection } from '../feature.ts';
import type { StateKey } from '../services.ts';
import { vesselCommand } from './command.ts';
import { nameForm } from './form.ts';
import { takeFile } from './import.ts';
import { type ListedVessel, readAll } from './name-answers.ts';
import { namesHere } from './vessel-names.ts';
import { formatFleetChange, formatForget, vesselExample } from './words.ts';

export { fleetsHere } from './fleets.ts';

const home: HomeSection = {
  name: 'names',
  label: 'Vessel names',
  opener: { form: 'name', label: 'Name a vessel …' },
  firstStep: '*Name a vessel.* Then write its name wherever an IMO number goes.',
  empty: `No vessel names yet. For example: \`/${vesselExample}\``,
  hasOwners: false,
  async read({ limit, offset }, ctx) {
    const { named, rowOf } = await readAll(ctx);
    const shown = [...named.keys()].slice(offset, offset + limit).map(rowOf);
    return { total: named.size, rows: () => shown.map((row) => homeRow(row, ctx)) };
  },
};

function homeRow({ imo, name = '', fleets, references }: ListedVessel, { registry }: WorkCtx) {
  const words = [
    `*${escaped(clip(name, 100))}*`,
    `IMO ${imo}`,
    ...(fleets.length > 0 ? [`fleet ${escaped(clip(fleets.join(', '), 200))}`] : []),
    ...referenceNote(references).map(escaped),
  ];
  const nextPort = registry.lineOf(nextPortsOf(imo));
  return rowWithMenu([words.join(' · ')], String(imo), [
    { label: 'Rename …', value: formOption('name', { imo }) },
    ...(nextPort === undefined ? [] : [{ label: 'Where does it call next?', value: nextPort }]),
    { label: 'Forget the name', value: formatForget([imo]) },
  ]);
}

/** Names for vessels, references and fleets. */
export const vessels: Feature = {
  commands: [vesselCommand],
  fulfils: { 'add-to-fleet': ({ fleet, imos }) => formatFleetChange({ name: fleet, change: 'add', imos }) },
  forms: [nameForm],
  ...{ home, takeFile },
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
  last.pending ??= namesHere(ctx)
    .directory()
    .finally(() => {
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
