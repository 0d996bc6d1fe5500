import type { NamedVessel } from '../../grammar/vessel-directory.ts';
import { formOption } from '../../messages/action-ids.ts';
import { rowWithMenu } from '../../messages/blocks.ts';
import { referenceNote } from '../../messages/formatting/references.ts';
import { clip } from '../../messages/limits.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { HomeSection } from '../feature.ts';
import { directoryFor } from '../run-context.ts';
import { fleetsByVessel } from './answer.ts';
import type { VesselsServices } from './vessels-context.ts';

/** The names that the workspace gives its vessels. */
export const namesOnHome = ({ names, fleets }: VesselsServices): HomeSection => ({
  name: 'names',
  label: 'Vessel names',
  opener: { form: 'name', label: 'Name a vessel …' },
  firstStep: '*Name a vessel.* Then write its name wherever an IMO number goes.',
  empty: 'No vessel names yet. For example: `/vessel name 9461477 DS CYPRESS`',
  hasOwners: false,
  async read({ limit, offset }, { actor }) {
    const [named, stored, directory] = await Promise.all([names.list(), fleets.list(), names.directory()]);
    const { referencesOf } = directoryFor(actor, directory);
    const fleetsOf = fleetsByVessel(stored);
    const shown = named.slice(offset, offset + limit);
    return {
      total: named.length,
      rows: () => shown.map((vessel) => nameRow(vessel, fleetsOf(vessel.imo), referencesOf(vessel.imo))),
    };
  },
});

function nameRow({ imo, name }: NamedVessel, fleets: readonly string[], references: readonly string[]) {
  const listed = fleets.length > 0 ? ` · fleet ${escaped(clip(fleets.join(', '), 200))}` : '';
  const notes = referenceNote(references).map((text) => ` · ${escaped(text)}`);
  return rowWithMenu([`*${escaped(clip(name, 100))}* · IMO ${imo}${listed}${notes.join('')}`], String(imo), [
    { label: 'Rename …', value: formOption('name', { imo }) },
    { label: 'Where does it call next?', value: `nextport ${imo}` },
    { label: 'Forget the name', value: `vessel forget ${imo}` },
  ]);
}
