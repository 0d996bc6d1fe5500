import { defineCommand } from '../command.ts';
import {
  addToFleet,
  exportNames,
  forgetNames,
  listFleets,
  listNames,
  nameVessel,
  removeFromFleet,
  showFleet,
  type VesselsContext,
  type VesselsServices,
} from './answer.ts';
import { type VesselNamesAnswer, vesselNamesView } from './view.ts';
import { formatVesselLine, parseVesselLine, type VesselArgs, vesselExample } from './words.ts';

export const vessel = defineCommand<VesselArgs, VesselNamesAnswer, VesselsServices>({
  name: 'vessel',
  summary: 'Names for vessels, and fleets: both work wherever an IMO number does',
  usage:
    'name <IMO> <name> | list | forget <vessel> | fleet <name> [add|remove <vessels> | forget] | fleets | import | export',
  examples: [
    vesselExample,
    'vessel list',
    'vessel forget 9461477',
    'vessel fleet NORTH add 9461477, 9755933',
    'vessel fleet NORTH',
    'vessel import',
    'vessel export',
  ],
  repeatable: (args) =>
    ['list', 'export', 'fleets', 'import'].includes(args.kind) ||
    (args.kind === 'fleet' && args.change === 'show'),
  inSlack: ({ kind }) => kind !== 'import',
  parse: parseVesselLine,
  format: formatVesselLine,
  run,
  view: vesselNamesView,
});

async function run(args: VesselArgs, context: VesselsContext): Promise<VesselNamesAnswer> {
  switch (args.kind) {
    case 'name':
      return await nameVessel(args, context);
    case 'forget':
      return await forgetNames(args.imos, context);
    case 'list':
      return await listNames(args.page, context);
    case 'export':
      return await exportNames(args.page, context);
    case 'fleets':
      return await listFleets(args.page, context);
    case 'import':
      return { kind: 'how-to-import' };
    case 'fleet':
      if (args.change === 'add') return await addToFleet(args.name, args.imos, context);
      if (args.change === 'show') return await showFleet(args.name, context);
      return await removeFromFleet(args, context);
  }
}
