import type { webApi } from '@slack/bolt';
import type { FunctionExecutedEvent } from '@slack/types';
import { beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { violations } from '../support/page-axe.ts';
import { noBrowser } from '../support/page-browser.ts';
import { pageSession } from '../support/page-session.ts';

const field = (type: string, title: string) => ({ type, title, is_required: false });
const manifest = stringify({
  functions: {
    measure: {
      title: 'Measure',
      description: 'Measures a line',
      input_parameters: {
        line: field('string', 'Line'),
        person: field('slack#/types/user_id', 'For whom'),
      },
      output_parameters: {
        text: field('string', 'Answer'),
        at: field('slack#/types/timestamp', 'Time'),
        share: field('number', 'Share'),
      },
    },
  },
  oauth_config: { scopes: { bot: ['chat:write'] } },
  settings: { event_subscriptions: { bot_events: ['function_executed'] } },
});

interface Run {
  inputs: FunctionExecutedEvent['inputs'];
  complete(options: { outputs: Record<string, unknown> }): Promise<webApi.FunctionsCompleteSuccessResponse>;
  fail(options: { error: string }): Promise<webApi.FunctionsCompleteErrorResponse>;
}
let runs: Run[] = [];
beforeEach(() => {
  runs = [];
});

describe.skipIf(noBrowser)(`a custom step in a browser${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const session = pageSession({ manifest }, (app) => {
    app.event('function_executed', async ({ ack, event, complete, fail }) => {
      await ack();
      runs.push({ inputs: event.inputs, complete, fail });
    });
  });

  /** The newest run, once the app has it. */
  async function nthRun(count: number): Promise<Run> {
    await expect.poll(() => runs.length).toBe(count);
    const run = runs.at(-1);
    if (!run) throw new Error('no run');
    return run;
  }

  test('a step runs with what was filled in, and shows that it runs, its outputs and its error', async () => {
    const page = session.page();
    await session.button('Shortcuts').click();
    await page.getByRole('menuitem', { name: 'Run the step “Measure”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Measure' });
    await dialog.getByRole('textbox', { name: 'Line' }).fill('a line');
    await dialog.getByRole('button', { name: 'Run step' }).click();
    const first = await nthRun(1);
    expect(first.inputs).toEqual({ line: 'a line', person: 'U0ADA0001' });
    await dialog.getByText('Still running …').waitFor();

    await first.complete({ outputs: { text: 'six', at: 1_790_000_000 } });
    await dialog.getByText('The step completed').waitFor();
    expect(await dialog.locator('dl').innerText()).toMatch(
      /^Answer\s+six\s+Time\s+Mon, 21 Sept 2026, 16:13 CEST\s+Share\s+\(empty\)$/,
    );
    expect(await violations(page)).toEqual([]);

    await page.keyboard.press('Enter');
    await (await nthRun(2)).fail({ error: 'That line is too long.' });
    await dialog.getByText('The step failed').waitFor();
    expect(await dialog.getByText('That line is too long.').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'hidden' });
  });
});
