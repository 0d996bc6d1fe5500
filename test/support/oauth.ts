import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Playground, PlaygroundOptions } from 'bolt-playground';
import { afterAll } from 'vitest';
import { twoWorkspaces } from '../../src/app/playground-world.ts';

export const FREIGHT = 'T0FREIGHT1';
export const NORDERNEY = 'T0NORDERN1';
export const ORGANISATION = 'E0COASTAL1';
/** The admins of Harbour Freight and of Norderney Lines. */
export const MAYA = 'U0HFMAYA';
export const INES = 'U0NLINES';

const manifest = `display_information: { name: Landfall, description: Where a vessel calls next. }
features:
  slash_commands: [{ command: /nextport, should_escape: true }]
  app_home: { home_tab_enabled: true }
oauth_config:
  scopes: { bot: [commands, chat:write, users:read, channels:read], bot_optional: [files:read, channels:history] }
settings:
  event_subscriptions: { bot_events: [app_mention, message.im, app_uninstalled, tokens_revoked] }
`;

/** Two workspaces without Landfall, whose manifest has optional scopes. Removes its files after the tests. */
export function oauthOptions(): PlaygroundOptions & { mode: 'http'; manifest: string; dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'landfall-oauth-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  return { mode: 'http', manifest, workspaces: twoWorkspaces(), dir };
}

export function oauthOf({ oauth }: Playground) {
  if (!oauth) throw new Error('this local Slack has one workspace');
  return oauth;
}
