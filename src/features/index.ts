import type { Intent } from '../answers/answer.ts';
import { account } from './account/index.ts';
import { assistants } from './assistants/index.ts';
import { audit } from './audit/index.ts';
import type { Command } from './command.ts';
import type { FollowFleets, WorkCtx } from './ctx.ts';
import { digests, dueDigests, forgetRemovedDigests } from './digests/index.ts';
import type { Feature } from './feature.ts';
import { help } from './help/index.ts';
import { forgetHistory } from './history/index.ts';
import { lane } from './lane/index.ts';
import { limits } from './limits/index.ts';
import { links } from './links/index.ts';
import { nextPorts } from './next-ports/index.ts';
import { overview } from './overview/index.ts';
import { pausing } from './owned/index.ts';
import { createParseLine } from './parse-line.ts';
import { portCalls } from './port-calls/index.ts';
import { portGroups } from './port-groups/index.ts';
import { forgetPastPromises } from './promises/index.ts';
import { settings } from './settings/index.ts';
import { forgetFinishedCalls } from './stability/index.ts';
import { storedData } from './stored-data/index.ts';
import { usage } from './usage/index.ts';
import { forgetImports, vessels, vesselsHere } from './vessels/index.ts';
import { duePolls, dueReminders, watches } from './watches/index.ts';

/**
 * The registry. A new feature is one folder and one line here. Help, the manifest and the docs use its order; the first
 * three commands with questions are suggested where a question isn't understood.
 */
export const features: readonly Feature[] = [
  nextPorts,
  portCalls,
  lane,
  links,
  usage,
  limits,
  watches,
  digests,
  pausing,
  vessels,
  portGroups,
  help,
  settings,
  account,
  assistants,
  audit,
  overview,
  storedData,
];

export const commands: readonly Command[] = features.flatMap((feature) => feature.commands);

export const parseLine = createParseLine(commands, lineOf);

/** What a feature knows of the others. */
export const registry: Omit<WorkCtx['registry'], 'askLine'> = {
  ...{ lineOf, commands, parseLine, vessels: vesselsHere },
  pausables: features.flatMap(({ pausable }) => pausable ?? []),
  followFleets: (...change) => followWith('onFleetsChanged', change),
  followPortGroups: (...change) => followWith('onPortGroupsChanged', change),
};

async function followWith(
  hook: 'onFleetsChanged' | 'onPortGroupsChanged',
  change: Parameters<FollowFleets>,
): ReturnType<FollowFleets> {
  const followed = await Promise.all(features.map((feature) => feature[hook]?.(...change)));
  return new Map(followed.flatMap((watches) => [...(watches ?? [])]));
}

/** The line of the feature that fulfils the intent. */
function lineOf<Kind extends Intent['kind']>(intent: Extract<Intent, { kind: Kind }>): string | undefined {
  const kind: Kind = intent.kind;
  for (const { fulfils } of features) {
    const line = fulfils?.[kind]?.(intent);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Each deletes a feature's data from before a time, of all workspaces, as long as it may go on. */
export const forgetBefore = [
  forgetHistory,
  forgetFinishedCalls,
  forgetRemovedDigests,
  forgetPastPromises,
  forgetImports,
] as const;

/** By the name of the job that does the work: where it is, for `dueWorkspaces`. */
export const dueRows = { polls: duePolls, reminders: dueReminders, digests: dueDigests } as const;
