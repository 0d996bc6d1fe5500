import { expect, test } from 'vitest';
import { askLine } from '../../src/app/terminal.ts';
import { createConfig } from '../../src/config/config.ts';

const config = createConfig({ ANALYTICS_BASE_URL: 'https://service.example' });
const ask = (line: string) => askLine(line, { config, zone: 'UTC' });

test('in the terminal, settings without an account answer help, and say what a question needs', async () => {
  expect(await ask('help')).toMatchObject({ kind: 'answered' });
  const { kind, text } = await ask('nextport 9461477');
  expect(kind).toBe('wrongInput');
  expect(text({ styled: false })).toMatchInlineSnapshot(
    `"The settings have no account of the analytics service. Set ANALYTICS_API_KEY, ANALYTICS_USER_ID and ANALYTICS_PASSWORD, or ask in Slack."`,
  );
});

test('a line that corrects one fault is offered even if it has another', async () => {
  const { text } = await ask('lane Portlnd Hamilton');
  expect(text({ styled: false })).toContain('lane USPDX to Hamilton');
});
