import { commands, features } from '../../src/features/index.ts';

/** What the registry has and the corpus lacks: examples of commands, tools, and kinds of messages. */
export function missingFrom({
  lines,
  calls,
  kinds,
}: {
  /** As typed. */
  lines: readonly string[];
  /** Each begins with the tool's name. */
  calls: readonly string[];
  kinds: readonly string[];
}): string[] {
  const typed = new Set(lines);
  const called = new Set(calls.map((call) => call.split(' ', 1)[0]));
  const examples = commands.flatMap(({ examples: some, questions }) => [
    ...some.map((example) => `/${example}`),
    ...questions.map(({ example }) => example),
  ]);
  const tools = commands.flatMap(({ tools: some = [] }) => some.map(({ name }) => name));
  const outgoing = features.flatMap(({ outgoing: some = [] }) => some.map(({ kind }) => kind));
  return [
    ...examples.filter((example) => !typed.has(example)).map((example) => `no line is: ${example}`),
    ...tools.filter((name) => !called.has(name)).map((name) => `no call of the tool ${name}`),
    ...outgoing
      .filter((kind) => !kinds.includes(kind))
      .map((kind) => `no message of the kind ${kind} is sent`),
  ];
}
