import { afterAll, beforeAll, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { isPersonal } from '../../src/features/ctx.ts';
import { parseLine, commands as registry } from '../support/registry.ts';
import { vessels } from '../support/run-command.ts';
import { createWatchCommands, type WatchCommands } from '../support/watch-commands.ts';

const here = 'C0WATCHED1';
const elsewhere = 'C0WATCHED2';
const ada = { userId: 'U0WATCHER1', isAdmin: true, zone: 'Europe/Berlin' };
const ben = { userId: 'U0WATCHER2', isAdmin: false, zone: 'Europe/Berlin' };

let commands: WatchCommands;
beforeAll(async () => {
  commands = await createWatchCommands();
  // Ada has a watch of her own, and one in a channel where Ben is not.
  commands.channels.set(ada.userId, new Set([here, elsewhere]));
  commands.channels.set(ben.userId, new Set([here]));
  await commands.show('vessel fleet NORTH add 9461477, 9755933', { actor: ada });
  await commands.show('watch 9461477', { actor: ben });
  await commands.show('watch 9755933', {
    actor: ada,
    place: { channelId: elsewhere, destination: 'channel' },
  });
  await commands.show('watch 9811000', {
    actor: ada,
    place: { channelId: 'D0WATCHER1', destination: 'direct-message' },
  });
});
afterAll(() => commands.close());

const prepared = (line: string) => {
  try {
    return parseLine(line, { vessels });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
};

const readLines = registry
  .flatMap(({ examples }) => examples)
  .concat(['nextport fleet:NORTH', 'vessel fleets', 'nextport watched', 'watch list page 2'])
  .map((line) => prepared(line))
  // Digests have no store here.
  .filter((one) => one?.repeatable && one.command.name !== 'digest');

test.each(
  readLines.filter((one) => one && !isPersonal(one)).map((one) => [one?.line ?? '']),
)('%s shows the same to everybody in the channel', async (line) => {
  const [toAda, toBen] = [
    await commands.show(line, { actor: ada }),
    await commands.show(line, { actor: ben }),
  ];
  expect(toAda).toEqual(toBen);
});

test.each([
  ['watch list', 'open'],
  ['watch list page 2', 'open'],
  ['watch list all', 'not-public'],
  ['watch list mine', 'not-public'],
  [`watch list in <#${elsewhere}>`, 'not-public'],
  ['watch changes', 'open'],
  ['watch changes since monday page 2', 'open'],
  ['watch changes mine', 'not-public'],
  ['watch stability', 'open'],
  ['watch stability 9461477', 'open'],
  ['watch stability Rotterdam Hamburg mine', 'not-public'],
  [`watch stability in <#${elsewhere}>`, 'not-public'],
  ['watch changes all', 'not-public'],
  [`watch changes in <#${elsewhere}>`, 'not-public'],
  [`watch stop 9461477 in <#${elsewhere}>`, 'personal'],
  ['watch stop 9461477', 'on-request'],
  ['digest list', 'open'],
  ['digest show 2', 'open'],
  ['digest list all', 'not-public'],
  ['digest list mine', 'not-public'],
  ['digest add daily 08:00 to me: usage', 'personal'],
  ['nextport watched', 'open'],
  ['usage', 'internal'],
  ['usage bot', 'internal'],
  ['landfall settings', 'personal'],
  ['landfall audit', 'never-shared'],
  ['landfall overview', 'never-shared'],
  ['landfall overview hand over <@U0BEN0001> to <@U0ADA0001>', 'never-shared'],
  ['landfall status', 'on-request'],
])('%s is %s', (line, privacy) => {
  expect(prepared(line)?.privacy).toBe(privacy);
});
