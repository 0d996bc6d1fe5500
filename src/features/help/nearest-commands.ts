import { nearest } from '../../reference/nearest.ts';
import type { Command } from '../command.ts';

/** The slash commands whose names are nearest to a misspelt one, best first. */
export function nearestCommands(name: string, commands: readonly Command[]): string[] {
  const names = commands
    .filter(({ isUnderLandfall }) => !isUnderLandfall)
    .map((command) => ({ key: command.name, value: command.name }));
  return nearest(name, names, 3);
}
