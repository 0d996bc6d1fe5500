import { beforeAll, expect, test } from 'vitest';
import { useStarted } from '../support/use-started.ts';
import { createWatchCommands } from '../support/watch-commands.ts';

const actor = { userId: 'U0WATCHER1', isAdmin: false, zone: undefined };

const commands = useStarted(createWatchCommands);
beforeAll(() => commands.show('watch 9461477', { actor }));

const saidOf = async (line: string) => (await commands.show(line, { actor })).text;
const nothing = "Slack isn't giving me your time zone right now, so nothing was saved.";

test.each([
  [
    'digest add daily 08:00: usage',
    'Type the time zone after the time, or try again in a minute. For example: /digest add weekdays 08:00 Europe/Berlin: portcalls Rotterdam next 3 days',
  ],
  [
    'watch 9755933 quiet 22:00-06:00',
    'Type the time zone after the time, or try again in a minute. For example: /watch 9461477 quiet 22:00-06:00 Europe/Berlin',
  ],
  [
    'watch snooze 9461477 until tomorrow 08:00',
    'Try again in a minute, or snooze it for some hours or days. For example: /watch snooze 9461477 8h',
  ],
])('%s needs the zone of the person: where Slack does not say, nothing is saved', async (line, advice) => {
  expect(await saidOf(line)).toBe(`${nothing} ${advice}`);
});

test('a line that names its zone or needs none still works', async () => {
  expect(await saidOf('watch 9755933 quiet 22:00-06:00 Europe/Berlin')).toMatch(/^Watching MSC DIANA/);
  expect(await saidOf('watch snooze 9461477 8h')).toMatch(/^Snoozed/);
  expect(await saidOf('watch list')).toContain('DS CYPRESS');
  expect(await saidOf('usage')).toMatch(/^\w+ 20\d\d: [\d,]+ requests/);
});
