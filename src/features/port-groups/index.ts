import { ownLines, type UserError } from '../../errors.ts';
import { joinWords, quote, wordsError } from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { expandPorts, maxPorts, parsePorts } from '../../grammar/port.ts';
import type { Locode } from '../../reference/codes.ts';
import { readAbout } from '../bot-topics.ts';
import { command, type VariantLine, variant } from '../command.ts';
import type { ParseContext, Question } from '../ctx.ts';
import { groupsTable, listGroups, runChange, showGroup, unknownGroupHere } from './answer.ts';
import {
  checkName,
  formatChange,
  formatGroup,
  formatGroups,
  type GroupChange,
  groupExample,
  helpFor,
  readName,
} from './words.ts';

const reads = { effect: 'reads', of: 'workspace' } as const;

const list = variant<Record<never, never>>({
  ...reads,
  format: formatGroups,
  tables: [groupsTable],
  run: (_, ctx) => listGroups(ctx),
});

const shown = variant<{ name: string }>({
  ...reads,
  format: ({ name }) => formatGroup(name),
  run: showGroup,
});

const changed = variant<GroupChange>({
  ...{ effect: 'changes', of: 'workspace', format: formatChange },
  confirmation: ({ change }) => `Yes, ${change} it`,
  run: runChange,
});

const questions: readonly Question[] = [
  {
    example: 'Which groups of ports do we have?',
    asked: [
      '(?:(?:which|what)(?: are)? |list |show )?(?:the |our )?(?:groups of ports|port groups)(?: (?:do|have) (?:you|we)(?: know| have| got)?| are there)?',
    ],
    words: '',
  },
  {
    example: 'Which ports are in ports:ARA?',
    asked: ["(?:which|what)(?: ports)?(?:'s| is| are) (?:in )?ports ?: ?(?<group>\\S+)"],
    words: '{group} show',
  },
];

/** `make a group PLATE = Buenos Aires + Montevideo`, `group of ports called East Med with Piraeus and Limassol`. */
function madeGroupIn({ text }: Pick<Mentions, 'text'>): string | undefined {
  const [, name, members] = makesGroup.exec(text) ?? [];
  return name === undefined ? undefined : joinWords(name.replaceAll(' ', '-').toUpperCase(), members);
}

const makesGroup =
  /\b(?:make|create|define|set up|new|save|add|need)\b.{0,12}\b(?:ports? group|group(?: of ports)?)(?: (?:called|named|for))?:? "?(\p{L}[\p{L}\p{N} -]{1,30}?)"?(?:\s*[=:]\s*|,? (?:with|of|from|containing|including)(?: the ports?)? )(.+)$/iu;

const asked = readAbout('port groups');

export const portsCommand = command({
  name: 'ports',
  isUnderLandfall: true,
  summary: 'Groups of ports: a name such as ARA works wherever a port does',
  usage: '[<name> [<ports> | add|remove <ports> | forget]]',
  examples: [
    groupExample,
    ownLines.ports,
    `${ownLines.ports} ARA add Zeebrugge`,
    `${ownLines.ports} ARA forget`,
  ],
  options: [
    { typed: 'ARA Rotterdam, Antwerp', help: `makes the group, or replaces its ports; up to ${maxPorts}` },
    { typed: 'ARA add Zeebrugge', help: 'also “remove”' },
    { typed: 'ARA forget', help: 'removes the group' },
  ],
  optionsNote:
    'Everybody in the workspace may use a group, as `ports:ARA`, or `ARA` where no port has that name. Watches of a group follow its ports',
  questions,
  ...asked,
  readText: (mentions) => madeGroupIn(mentions) ?? asked.readText(mentions),
  meanings: [{ name: 'make port group', of: / ports \S+ ./, words: madeGroupIn }, ...asked.meanings],
  variants: [list, shown, changed],
  parse,
});

/** Throws UserError. */
function parse(words: string, context: ParseContext): VariantLine {
  // `ports add ARA Rotterdam`, `ports forget ARA`, as people also write it.
  const typed = words
    .trim()
    .replace(/^(add|remove)\s+(.+)\s+(?:to|from|in)\s+(\S+)$/is, '$3 $1 $2')
    .replace(/^(\S+)\s+(?:\+|and|plus|also)\s*(?=\S)/i, '$1 add ')
    .replace(/^(\S+)\s+(?:-|minus|without|except)\s*(?=\S)/i, '$1 remove ')
    .replace(/^(add|set|create|remove|delete|forget)\s+(\S+)/i, (_, verb, name) =>
      /^(?:set|create)$/i.test(verb) ? name : `${name} ${verb}`,
    );
  const [, first = '', rest = ''] = /^("[^"]*"|\S+)\s*(.*)$/s.exec(typed.replace(/^ports\s*:\s*/i, '')) ?? [];
  if (/^(?:list|all)?$/i.test(first)) {
    if (rest !== '') throw notUnderstood(typed);
    return list.of({});
  }
  const name = readName(first);
  const [, verb = 'set', named = rest] =
    /^(add|remove|replace|forget|delete|show)(?![^\s,])\s*(.*)$/is.exec(rest) ?? [];
  const change = verb.toLowerCase();
  if (rest === '' || change === 'show') {
    // Plain words may begin with `ports`, and nothing else tells them from the name of a group.
    if (rest === '' && !context.vessels.portsOf(name)) throw unknownGroupHere(name, context.vessels);
    return shown.of({ name });
  }
  if (change === 'forget' || change === 'delete' || (change === 'remove' && named === '')) {
    if (named !== '') throw notUnderstood(named);
    return changed.of({ name, change: 'forget', ports: [] });
  }
  const kind = change === 'add' || change === 'remove' || change === 'replace' ? change : 'set';
  if (kind !== 'remove' && !context.vessels.portsOf(name)) checkName(name, context);
  return changed.of({ name, change: kind, ports: parseMembers(named, { name, change: kind }, context) });
}

/** The ports of a group that is named among them are copied: a group doesn't follow another. */
function parseMembers(
  typed: string,
  { name, change }: Pick<GroupChange, 'name' | 'change'>,
  { vessels: groups }: ParseContext,
): Locode[] {
  const help = { ...helpFor(name, change), groups, isForGroup: true };
  return expandPorts(parsePorts(typed, help), help);
}

const notUnderstood = (words: string): UserError =>
  wordsError(
    'unexpected-words',
    `I don't understand ${quote(words)} here.`,
    { line: (fixed) => fixed, example: groupExample },
    { choices: [{ label: 'List the groups', line: formatGroups() }] },
  );

/** Groups of ports. */
export const portGroups = { commands: [portsCommand] };
