import { legacyCommand } from '../command.ts';
import { answerVesselLine } from './answer.ts';
import { vesselsTable, vesselsTables } from './tables.ts';
import type { VesselsServices } from './vessels-context.ts';
import { type VesselNamesAnswer, vesselNamesView } from './view.ts';
import { formatVesselLine, parseVesselLine, type VesselArgs, vesselExample } from './words.ts';

export const vessel = legacyCommand<VesselArgs, VesselNamesAnswer, VesselsServices>({
  name: 'vessel',
  summary: 'Names, references and fleets: each works wherever an IMO number does',
  usage:
    'name <IMO> <name> | list | forget <vessel> | ref <vessel> [add|remove <references> | forget] | fleet <name> [add|remove <vessels> | forget] | fleets | import | export',
  examples: [
    vesselExample,
    'vessel list',
    'vessel forget 9461477',
    'vessel ref 9461477 BK123, MEDU4711',
    'vessel ref 9461477 remove BK123',
    'vessel fleet NORTH add 9461477, 9755933',
    'vessel fleet NORTH',
    'vessel import',
    'vessel export',
  ],
  repeatable: isQuestion,
  // `vessel export` writes the file that `vessel import` reads.
  isExportable: (args) => isQuestion(args) && args.kind !== 'export' && args.kind !== 'import',
  // References and the file that has them are for the workspace alone.
  privacy: (args) => {
    if (args.kind === 'ref' || args.kind === 'export') return 'internal';
    return isQuestion(args) ? 'open' : 'on-request';
  },
  needsSlack: ({ kind }) => kind !== 'import',
  parse: parseVesselLine,
  format: formatVesselLine,
  run: answerVesselLine,
  view: vesselNamesView,
  tables: vesselsTables,
  table: vesselsTable,
});

function isQuestion(args: VesselArgs): boolean {
  if (args.kind === 'fleet' || args.kind === 'ref') return args.change === 'show';
  return ['list', 'export', 'fleets', 'import'].includes(args.kind);
}
