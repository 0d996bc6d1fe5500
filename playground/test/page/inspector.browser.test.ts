import { describe, expect, it } from 'vitest';
import type { ServiceCall } from '../../src/delivery/service-calls.ts';
import { registerPageApp } from '../support/page-app.ts';
import { noBrowser } from '../support/page-browser.ts';
import { pageSession } from '../support/page-session.ts';

const ADA = 'U0ADA0001';
const OPS = 'C0OPS00001';

const call: ServiceCall = {
  method: 'GET',
  path: '/lookup/ship/9461477',
  requestHeaders: { authorization: 'Bearer abc' },
  requestBody: '',
  status: 200,
  responseHeaders: {},
  responseBody: '{"records":[{"locode":"NLRTM"}]}',
  isComplete: true,
  tookMs: 12,
};

describe.skipIf(noBrowser)(`the inspector${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const listeners = new Set<(call: ServiceCall) => void>();
  const began: string[] = [];
  const session = pageSession(
    {
      rateLimit: false,
      service: {
        observe(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        faults: [
          {
            id: 'slow',
            label: 'The service is slow',
            begin() {
              began.push('slow');
              return () => began.push('fast');
            },
          },
        ],
      },
    },
    registerPageApp,
  );
  const { slack, page, button } = session;
  const record = (over: Partial<ServiceCall> = {}) => {
    for (const listener of listeners) listener({ ...call, ...over });
  };
  const inspector = () => page().getByRole('region', { name: 'Inspector' });
  const lines = () => inspector().getByRole('list', { name: 'Calls' }).getByRole('button');
  const detail = () => inspector().getByRole('region', { name: /^Details of/ });

  const open = async () => {
    await button(/^Inspector/).click();
    // Those from before come a moment after the page.
    await lines().first().waitFor();
    await button('Clear').click();
    await slack().playground.say({ userId: ADA, channelId: OPS, text: '/lookup 9461477' });
    record();
    record({ path: '/lookup/port/NLRTM', status: 500, responseBody: 'broken', tookMs: 8012 });
    await expect.poll(() => lines().count()).toBe(4);
  };

  it('lists calls of Slack and of the service together, with no number at its name', async () => {
    await open();
    // The rest is the button's label.
    expect(await button(/^Inspector/).innerText()).toBe('Inspector');
    expect(await lines().filter({ hasText: '/lookup/port' }).innerText()).toMatch(
      /bot → service\s+GET \/lookup\/port\/NLRTM\s+500\s+8\.0 s$/,
    );
    await lines().filter({ hasText: 'GET /lookup/ship' }).click();
    await detail().getByText('"locode": "NLRTM"').waitFor();
    await detail().getByText('Headers').click();
    await detail().getByText('"authorization": "(hidden)"').waitFor();
  });

  it('filters by direction, by errors and by text', async () => {
    await open();
    await inspector().getByLabel('bot → service').check();
    await expect.poll(() => lines().count()).toBe(2);
    await inspector().getByLabel('Errors only').check();
    await expect.poll(() => lines().allInnerTexts()).toEqual([expect.stringContaining('/lookup/port')]);
    await inspector().getByLabel('All', { exact: true }).check();
    await inspector().getByLabel('Errors only').uncheck();
    // In an answer.
    await inspector().getByLabel('Filter by any text').fill('nlrtm locode');
    await expect.poll(() => lines().allInnerTexts()).toEqual([expect.stringContaining('/lookup/ship')]);
    await inspector().getByLabel('Filter by any text').fill('nothing like this');
    await inspector().getByText('No call matches the filter.').waitFor();
  });

  it('goes from line to line with the arrow keys', async () => {
    await open();
    await lines().first().focus();
    await page().keyboard.press('ArrowDown');
    const focused = page().locator('button:focus');
    // A line changes once its call is answered.
    await expect
      .poll(async () => (await lines().nth(1).innerText()) === (await focused.innerText()))
      .toBe(true);
    expect(await focused.innerText()).toContain(
      await detail().getByRole('heading', { level: 3 }).innerText(),
    );
  });

  it('switches faults on and off, and shows while any is on', async () => {
    await button('Faults').click();
    const panel = page().getByRole('dialog', { name: 'Faults' });
    await panel.getByLabel('The service is slow').check();
    await panel.getByLabel('Slack refuses tables and charts').check();
    await page().getByText('2 faults are on').waitFor();
    expect(began).toEqual(['slow']);
    // Others, and the same page after a reload, see the same.
    await page().reload();
    await page().getByText('2 faults are on').waitFor();
    await button('Show').first().click();
    expect(await panel.getByLabel('The service is slow').isChecked()).toBe(true);
    await panel.getByLabel('The service is slow').uncheck();
    await page().getByText('1 fault is on: Slack refuses tables and charts').waitFor();
    await button('Close the faults').click();
    await button('Turn off').click();
    await page().getByText('1 fault is on').waitFor({ state: 'detached' });
    expect(began).toEqual(['slow', 'fast']);
    expect(
      slack()
        .playground.state()
        ?.faults.some(({ isOn }) => isOn),
    ).toBe(false);
  });
});
