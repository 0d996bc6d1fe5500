import { defineCommand } from '../command.ts';
import { answerVesselLine, type VesselsServices } from './answer.ts';
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
  needsSlack: ({ kind }) => kind !== 'import',
  parse: parseVesselLine,
  format: formatVesselLine,
  run: answerVesselLine,
  view: vesselNamesView,
});
