import { expect, test } from 'vitest';
import { hasValidCheckDigit, isImo } from '../../../src/reference/codes.ts';
import { ada, ops, startBot } from '../../support/bot.ts';
import { driveForms } from '../../support/form-driver.ts';
import { useStarted } from '../../support/use-started.ts';

const bot = useStarted(() => startBot('http'));
const form = driveForms(bot, ada);
const say = (line: string) => bot.say(ada, ops, line, { match: ({ ephemeralTo }) => ephemeralTo === ada });

const imos = Array.from({ length: 600 }, (_, index) => 9_300_000 + index)
  .filter(isImo)
  .filter(hasValidCheckDigit);
const pasted = (count: number) => imos.slice(0, count).map((imo) => `SHIP ${imo % 100}\t${imo}\tROTTERDAM`);

test('a pasted table of 50 vessels becomes a fleet', async () => {
  const refused = await say(['/nextport Vessel\tIMO\tPort', ...pasted(50)].join('\n'));
  expect(refused.text).toContain('50 vessels are too many for one question: at most 20.');
  await bot.playground.click({
    ...{ userId: ada, channelId: ops, messageTs: refused.ts },
    actionId: 'form:fleet',
  });
  await form.see('# Make a fleet');
  expect(form.read()).toContain(`✓ 50: IMO ${imos[0]}, IMO ${imos[1]}, `);
  await form.fill('vessels', `${imos.slice(0, 50).join('\n')}\nEVER GIVN`);
  await form.see("🟠 I don't know EVER GIVN. What's its IMO number?");
  await form.fill('name', 'Asia loop');
  expect(await form.submit()).toMatchObject({
    errors: { vessels: expect.stringContaining('EVER GIVEN (9811000)') },
  });
  await form.fill('vessels', imos.slice(0, 50).join('\n'));
  expect(await form.submit()).toEqual({ ok: true });
  await form.see('Fleet Asia loop, 50 vessels');
  expect((await say('/vessel fleet asia loop')).text).toContain('Fleet Asia loop, 50 vessels');
});

test('more than a fleet can have are not offered as one', async () => {
  const refused = await say(['/nextport', ...pasted(51)].join('\n'));
  expect(refused.text).toContain('51 vessels are too many');
  expect(JSON.stringify(refused.blocks)).not.toContain('form:fleet');
});
