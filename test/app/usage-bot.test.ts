import type { PageMessage } from 'bolt-playground';
import { beforeAll, describe, expect, test } from 'vitest';
import { ada, ben, dmOf, eve, ops, shared, startBot } from '../support/bot.ts';
import { blockLines } from '../support/message-text.ts';
import { useBot } from '../support/use-bot.ts';
import { useStarted } from '../support/use-started.ts';

const chartering = 'C0CHARTER1';

const linesOf = ({ blocks }: PageMessage): string[] =>
  (blocks ?? []).flatMap(blockLines).map((line) => line.trim());
/** The rows `a | b` of the table by cause, and the lines by channel. */
const rowsOf = (message: PageMessage) => linesOf(message).filter((line) => /^\|.*\d/.test(line));
const channelsOf = (message: PageMessage): string[] =>
  linesOf(message)
    .flatMap((line) => line.split('\n'))
    .filter((line) => /^(?!\d).* · Calls [\d,]+ · Share \S+( \S+)?$/.test(line));
const callsIn = (lines: readonly string[], figure: RegExp) =>
  lines.reduce((sum, line) => sum + Number((figure.exec(line)?.[1] ?? 'NaN').replaceAll(',', '')), 0);
describe('after a day of use', () => {
  const bot = useStarted(() => startBot('http'));
  const sent = () => bot.sandbox.requests.total - bot.sandbox.requests.logins;
  const usageOf = (userId: string, channelId: string, line = '/usage bot') =>
    bot.say(userId, channelId, line);

  beforeAll(async () => {
    await bot.say(ada, ops, '/watch 9811000');
    await bot.say(ada, chartering, '/watch 9811000');
    await bot.say(ada, chartering, '/watch 9839430');
    await bot.say(ada, dmOf(ada), 'watch 9755933');
    await bot.say(ada, ops, '/digest add "Morning" every day 08:00: portcalls NLRTM; nextport 9755933');
    await bot.say(ada, chartering, '/digest add "Noon" every day 12:00: portcalls SGSIN');
    await bot.runDue();
    await bot.say(ada, ops, '/portcalls Hamburg');
    await bot.say(ada, chartering, '/portcalls Antwerp');
    await bot.say(ada, dmOf(ada), 'portcalls Genoa');
    await bot.forward(24);
  });

  test('every call is counted once, for what caused it, and a cached answer is not', async () => {
    const before = sent();
    const cached = await bot.say(ada, ops, '/portcalls Hamburg');
    expect(cached.text).toContain('Hamburg');
    const again = await bot.say(ada, ops, '/portcalls Hamburg');
    expect(again.text).toBe(cached.text);
    // A day has passed since the first question, and nothing since the second.
    expect(sent()).toBe(before + 1);

    const answer = await usageOf(ada, ops);
    const total = sent();
    expect(answer.text).toContain(`: Landfall made ${total.toLocaleString('en')} calls so far, about `);
    const rows = rowsOf(answer);
    expect(callsIn(rows, /^\| [^|]+ \| ([\d,]+) \|/)).toBe(total);
    expect(callsIn(channelsOf(answer), / · Calls ([\d,]+) /)).toBe(total);
    const causes = rows.map((row) => row.replace(/ \| .*/, '').slice(2));
    expect(causes.toSorted()).toEqual([
      '/portcalls',
      '/usage',
      '/watch',
      'EVER GIVEN (2 watches)',
      'MSC GULSUN (watch)',
      'Morning (digest)',
      'Noon (digest)',
      'Personal watches',
    ]);
    const rowOf = (cause: string) => rows.find((row) => row.startsWith(`| ${cause} |`)) ?? '';
    // Two in #ops, one in #chartering, one in the direct message.
    expect(rowOf('/portcalls')).toMatch(/^\| \/portcalls \| 4 \|/);
    expect(rowOf('Morning (digest)')).toMatch(/\| 2 \|/);
    expect(channelsOf(answer).map((line) => line.replace(/ · .*/, ''))).toEqual(
      expect.arrayContaining([
        `<#${ops}>`,
        `<#${chartering}>`,
        'Direct messages',
        'Polls shared by several channels',
      ]),
    );
    expect(linesOf(answer).join('\n')).toMatch(/Official report: [\d,]+ requests \(updated /);
  });

  test('of one channel: what was used for it, to those who may know of it', async () => {
    const answer = await usageOf(ada, ops, `/landfall costs of #chartering`);
    expect(answer.text).toMatch(/^November 2026, #?\S+: [\d,]+ of [\d,]+ calls of Landfall\b/);
    const rows = rowsOf(answer);
    expect(rows.map((row) => row.replace(/ \| .*/, '').slice(2)).toSorted()).toEqual([
      '/portcalls',
      '/watch',
      'EVER GIVEN (2 watches)',
      'MSC GULSUN (watch)',
      'Noon (digest)',
    ]);
    expect(rows.find((row) => row.startsWith('| /portcalls |'))).toMatch(/^\| \/portcalls \| 1 \|/);
    expect(linesOf(answer).join('\n')).toMatch(/polls of watches shared with other channels count in full/);
    expect((await usageOf(ada, ops, `/usage bot by digest of #chartering`)).text).toContain(
      'calls of Landfall for digests',
    );
    const inPublic = await usageOf(ada, ops, `/usage bot of #chartering public`);
    expect(inPublic.text).toContain('shows what was used for this channel only');
    await letGuestsSee();
    const toGuest = await usageOf(eve, ops, `/usage bot of #chartering`);
    expect(toGuest.text).toContain('You are not in that channel, or Landfall is not.');
  });

  /** By default, guests don't see it at all. */
  async function letGuestsSee(): Promise<void> {
    await bot.say(ada, dmOf(ada), '/landfall settings guests full');
    bot.advance(2_000);
  }

  test('a person learns nothing of channels that they are not in, and a channel nothing of others', async () => {
    await letGuestsSee();
    // Eve is a guest in #ops only.
    const answers = {
      guest: await usageOf(eve, ops),
      shared: await usageOf(ada, ops, '/usage bot public'),
      guestsDm: await usageOf(eve, dmOf(eve), 'usage bot'),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const shown = linesOf(answer).join('\n');
      expect(shown, name).not.toContain('Noon');
      expect(shown, name).not.toContain('MSC GULSUN');
      expect(shown, name).not.toContain('MSC DIANA');
      expect(shown, name).not.toContain(chartering);
      expect(shown, name).toContain('EVER GIVEN (watch)');
      expect(shown, name).toContain('Morning (digest)');
      expect(shown, name).toContain('Digests in other channels');
      expect(shown, name).toContain('Watches in other channels');
      expect(callsIn(rowsOf(answer), /^\| [^|]+ \| ([\d,]+) \|/), name).toBe(
        callsIn(channelsOf(answer), / · Calls ([\d,]+) /),
      );
    }
  });

  test('its export has the same rows, and what others may not know is not in it', async () => {
    await letGuestsSee();
    const file = async (userId: string) => {
      const { files = [] } = await bot.after(
        () => bot.playground.say({ userId, channelId: ops, text: '/usage bot as json' }),
        (message) => message.files !== undefined,
      );
      const url = `${bot.playground.url}/playground/files/${files[0]?.id}?user=${userId}`;
      return (await (await fetch(url)).json()) as { cause: string; calls: number; channel_ids: string }[];
    };
    const all = await file(ada);
    expect(all.reduce((sum, { calls }) => sum + calls, 0)).toBe(sent());
    expect(all).toContainEqual(expect.objectContaining({ cause: 'Noon (digest)', channel_ids: chartering }));
    const guests = await file(eve);
    expect(guests.reduce((sum, { calls }) => sum + calls, 0)).toBe(sent());
    expect(JSON.stringify(guests)).not.toMatch(/Noon|GULSUN|C0CHARTER1/);
  });
});

test('where outsiders read, nothing is shown; admins only, if the settings say so', async () => {
  const bot = await useBot('http', { env: { USAGE_FOR: 'admins' } });
  const refused = await bot.say(ada, shared, '/usage bot public');
  expect(refused.text).toContain(
    "This isn't shown in a channel that people from another organisation can read.",
  );
  expect((await bot.say(ben, ops, '/usage bot')).text).toContain('API usage is for workspace admins only.');
  expect((await bot.say(ada, ops, '/usage bot')).text).toMatch(/^\w+ \d{4}: Landfall made /);
});
