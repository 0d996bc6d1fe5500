import { wordsError } from '../../grammar/line-help.ts';
import { joinWords } from '../../grammar/options.ts';
import { parseVessel } from '../../grammar/vessel.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { splitReferences } from '../../grammar/vessel-reference.ts';
import type { Imo } from '../../reference/imo.ts';
import type { ParseContext } from '../line.ts';

export type ReferenceArgs =
  | { kind: 'ref'; imo: Imo; change: 'add' | 'remove'; references: readonly string[] }
  | { kind: 'ref'; imo: Imo; change: 'show' | 'forget' };

export const referenceExample = 'vessel ref 9461477 BK123';

/** `9461477 BK123, MEDU4711`, `DS CYPRESS remove BK123`, `9461477 forget`, `BK123`. */
export function parseReferenceLine(words: string, { vessels }: ParseContext): ReferenceArgs {
  const { vessel, verb, rest } = split(words.trim(), vessels);
  const help = {
    line: (fixed: string) => joinWords('vessel ref', fixed, verb === 'show' ? '' : verb, rest),
    example: referenceExample,
    vessels,
  };
  const imo = parseVessel(vessel, help);
  if (verb === 'show' || verb === 'forget') return { kind: 'ref', imo, change: verb };
  const references = splitReferences(rest);
  if (references.length > 0) return { kind: 'ref', imo, change: verb, references };
  throw wordsError('missing-argument', `Which reference should I ${verb}?`, {
    ...help,
    line: (fixed) => `vessel ref ${imo} ${fixed}`,
    example: `vessel ref ${imo} ${verb} BK123`,
  });
}

type Verb = ReferenceArgs['change'];

function split(words: string, vessels: VesselDirectory): { vessel: string; verb: Verb; rest: string } {
  const [, number, afterNumber = ''] = /^((?:imo[\s:]*)?\d{7})(?!\S)\s*,?\s*(.*)$/i.exec(words) ?? [];
  if (number !== undefined) return { vessel: number, ...verbOf(afterNumber) };
  const parts = words.split(/\s+/);
  // The longest run of words that is a vessel: `DS CYPRESS BK 123`.
  for (let count = parts.length; count > 0; count -= 1) {
    const vessel = parts.slice(0, count).join(' ').replace(/,$/, '');
    const rest = verbOf(parts.slice(count).join(' '));
    if (vessels.named(vessel).length + vessels.referenced(vessel).length > 0) return { vessel, ...rest };
  }
  const [, before = words, verb = '', after = ''] =
    /^(.*?)\s+(add|remove|delete|forget)(?:\s+(.*))?$/i.exec(words) ?? [];
  return { vessel: before, ...verbOf(joinWords(verb, after)) };
}

function verbOf(words: string): { verb: Verb; rest: string } {
  if (words === '') return { verb: 'show', rest: '' };
  if (/^(?:forget|clear)$/i.test(words)) return { verb: 'forget', rest: '' };
  const [, typed, rest = ''] = /^(add|remove|delete)(?:\s+(.*))?$/i.exec(words) ?? [];
  if (typed === undefined) return { verb: 'add', rest: words };
  return { verb: /^add$/i.test(typed) ? 'add' : 'remove', rest };
}

export function formatReferenceLine(args: ReferenceArgs): string {
  const verb = args.change === 'show' ? '' : args.change;
  const references = 'references' in args ? args.references.join(', ') : '';
  return joinWords('vessel ref', String(args.imo), verb, references);
}
