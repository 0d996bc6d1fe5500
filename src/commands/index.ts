import type { Command } from './define-command.ts';
import { createDigest } from './digest.ts';
import { createLandfall } from './landfall.ts';
import { lane } from './lane.ts';
import { nextport } from './nextport.ts';
import { portcalls } from './portcalls.ts';
import { prepareLine } from './prepare-line.ts';
import { usage } from './usage.ts';
import { vessel } from './vessel.ts';
import { watch } from './watch.ts';

/** THE registry: help, the manifest's slash commands, the docs and the playground's completion come from it. */
export const commands: readonly Command[] = [
  nextport,
  portcalls,
  lane,
  usage,
  watch,
  vessel,
  createDigest(prepareLine),
  createLandfall(() => commands),
];
