import { createSlackTool, orRefusal, type TokenRefused } from '../connection/check-tokens.ts';

/** The manifest of the app as Slack has it now. Needs an app configuration token. Throws if Slack gives no answer. */
export function exportManifest(options: {
  apiUrl: string;
  configToken: string;
  appId: string;
}): Promise<{ manifest: unknown } | TokenRefused> {
  const { apiUrl, configToken, appId } = options;
  return orRefusal(async () => {
    const client = createSlackTool({ apiUrl, token: configToken });
    const { manifest } = await client.apps.manifest.export({ app_id: appId });
    return { manifest };
  });
}
