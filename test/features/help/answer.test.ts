import { expect, test } from 'vitest';
import { allCommands, oneCommand, type ShownCommand } from '../../../src/features/help/answer.ts';
import { watchRules } from '../../../src/features/rules/registry.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { commands as all, parseLine } from '../../support/registry.ts';
import { vessels } from '../../support/run-command.ts';
import { reader } from '../../support/view-fixtures.ts';

const commands = all.filter(({ isUnderLandfall }) => !isUnderLandfall);

const asHelp = (command: (typeof all)[number]): ShownCommand => ({
  ...command,
  runs: command.examples
    .slice(0, 1)
    .filter((line) => parseLine(line, { vessels }).repeatable)
    .map((line) => ({ label: line, line })),
});

function helpFor(name: string): string {
  const [command] = commands.filter((each) => each.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return asRead(messageOf(oneCommand(asHelp(command)), `landfall help ${name}`));
}

test('help that everybody in a channel reads has the buttons too', () => {
  const shown = messageOf(allCommands(commands.map(asHelp)), 'landfall', { ...reader, audience: 'channel' });
  expect(JSON.stringify(shown.blocks)).toMatch(/"form:watch\b.*"form:digest\b/);
});

test('help for watches names every rule', () => {
  const shown = helpFor('watch');
  const { all, limits } = watchRules;
  for (const { typed } of [...all, { typed: 'only' }, ...limits]) {
    expect(shown).toContain(`\n| ${typed} | `);
  }
});
