import { createDigest } from './digests/command.ts';
import type { Command } from './feature.ts';
import { createLandfall } from './help/command.ts';
import { lane } from './lane/command.ts';
import { nextport } from './next-ports/command.ts';
import { parseLine } from './parse-line.ts';
import { portcalls } from './port-calls/command.ts';
import { usage } from './usage/command.ts';
import { vessel } from './vessels/command.ts';
import { watch } from './watches/command.ts';

/** THE registry: help, the manifest's slash commands, the docs and the playground's completion come from it. */
export const commands: readonly Command[] = [
  nextport,
  portcalls,
  lane,
  usage,
  watch,
  vessel,
  createDigest(parseLine),
  createLandfall(() => commands),
];
