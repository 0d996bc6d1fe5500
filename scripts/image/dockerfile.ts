import { z } from 'zod';

export interface Instruction {
  name: string;
  /** All that follows the name, on one line. */
  text: string;
}

export interface Stage {
  /** Of `FROM image AS name`; empty for the last stage. */
  name: string;
  base: string;
  instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, in order. Throws for what isn't an instruction. */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const instructions = lines.map((line): Instruction => {
    const [, name, rest] = /^([A-Z]+)\s+(.+)$/.exec(line) ?? [];
    if (!name || !rest) throw new Error(`not an instruction: ${line}`);
    return { name, text: rest };
  });
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') {
      const [base = '', , name = ''] = instruction.text.split(/\s+/);
      stages.push({ name, base, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`${instruction.name} before FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** `A=1 B=2`, without quotes. */
export function assignments(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(/\s+/).map((word) => {
      const at = word.indexOf('=');
      if (at < 1 || /["']/.test(word)) throw new Error(`ENV ${text}: only NAME=VALUE is understood`);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

/** The command in exec form, `["node", "main.js"]`, that stands after `prefix`. */
export function execForm(text: string, prefix = ''): string[] {
  if (!text.startsWith(prefix)) throw new Error(`${text}: expected ${prefix}[…]`);
  return z
    .array(z.string())
    .nonempty()
    .parse(JSON.parse(text.slice(prefix.length)));
}
