import { expect, test } from 'vitest';
import { allCommands, oneCommand, type ShownCommand } from '../../../src/features/help/answer.ts';
import { type ServiceState, statusAnswer } from '../../../src/features/help/status.ts';
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

const status: ServiceState = {
  version: '0.1.0',
  service: {
    lastSuccessAt: new Date('2026-11-21T09:04:00Z'),
    latencyMs: 51.4,
    token: { state: 'live' },
    inFlight: 1,
    queued: 0,
  },
  tokenAgeMinutes: 135,
  tokenLeftMinutes: 465,
};

test.each<[words: string, service: Partial<ServiceState['service']>]>([
  ['The analytics service answers', {}],
  [
    'The analytics service has not answered since 08:12 UTC',
    { failingSince: new Date('2026-11-21T08:12:00Z') },
  ],
  ['The analytics service is limiting our calls; next call in 40 s', { pausedMs: 40_000 }],
  ["🟠 The analytics service doesn't accept the account", { token: { state: 'refused' } }],
])('%s', (words, service) => {
  const state = { ...status, service: { ...status.service, ...service } };
  expect(messageOf(statusAnswer(state, reader), 'landfall status').text).toContain(words);
});

test('a service that was never called', () => {
  const service = { token: { state: 'refused' }, inFlight: 0, queued: 0 } as const;
  expect(asRead(messageOf(statusAnswer({ ...status, service }, reader), 'landfall status'))).toContain(
    '| Last successful call | none yet |\n| Last response time | not measured yet |\n| Login | refused; user id, password and API key need checking |',
  );
});
