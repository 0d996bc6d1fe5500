import type { Playground } from 'bolt-playground';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** One line that says where to go now. */
export function greet(options: {
  url: string;
  botUrl: string | undefined;
  /** Undefined for many workspaces. */
  team: string | undefined;
  playground: Playground | undefined;
  sandbox: Sandbox | undefined;
}): string {
  const { url, botUrl, team, playground, sandbox } = options;
  const data = sandbox ? ' All data is invented.' : '';
  if (playground && team) return `Landfall is ready. Open ${url} and type /nextport 9461477.${data}`;
  if (playground)
    return `Landfall is ready for two workspaces. Open ${url}, and install it from ${botUrl}.${data}`;
  return `Landfall is ready in ${team ?? 'the workspaces that install it'}. Health: ${url}/readyz.${data}`;
}
