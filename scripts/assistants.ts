// docs/assistants.md, derived from the tools of the registry: scripts/manifest.ts writes it, test/drift.test.ts checks it.
import { z } from 'zod';
import { callLimits } from '../src/app/assistant-limits.ts';
import { mcpPath } from '../src/app/assistant-route.ts';
import type { CommandTool } from '../src/features/command.ts';
import { factsOf } from '../src/features/fields.ts';
import { commands } from '../src/features/index.ts';
import { maxAssistantTokens } from '../src/workspaces/assistant-tokens.ts';

const config = {
  mcpServers: {
    landfall: {
      command: 'node',
      args: ['--env-file-if-exists=/path/to/landfall/.env', '/path/to/landfall/dist/mcp.js'],
    },
  },
};

const effects: Record<CommandTool['effect'], string> = {
  reads: 'It only reads.',
  adds: 'It adds something.',
  removes: 'It ends something.',
};

const httpConfig = {
  mcpServers: {
    landfall: {
      url: `https://your.host${mcpPath}`,
      headers: { Authorization: 'Bearer lf_…' },
    },
  },
};

const { maxAtOnce, maxWaitingOfPerson, maxWaiting } = callLimits;

const overHttp: readonly string[] = [
  '## Other assistants, over HTTP',
  '',
  `The bot serves other assistants at \`POST ${mcpPath}\` too (Streamable HTTP, without sessions), also in Socket Mode. Set \`PUBLIC_URL\` to the address at which they reach it. Such an assistant needs a token. A workspace admin types \`/landfall assistants\` in Slack, presses **New token …**, says what it is for, and chooses when it expires, and whether the assistant may only ask or also add and stop that admin's watches.`,
  '',
  "The token is shown once, with the address to use, in a window that Slack doesn't store. For many assistants, this is the configuration:",
  '',
  '```json',
  JSON.stringify(httpConfig, null, 2),
  '```',
  '',
  `The assistant asks as the admin who created the token: it sees what that person may see in Slack, by their rights at the time of the question. Slack is asked who they are at least once a minute: whoever has left gets no answer, and while Slack doesn't say, nobody does. \`/landfall assistants\` lists the tokens with their last use, and revokes them: from then on the assistant gets the status 401. A workspace can have ${maxAssistantTokens} tokens. Landfall stores only a hash of each, and the audit log says who created and revoked which.`,
  '',
];

export function assistantsPage(): string {
  const tools = commands.flatMap((command) => command.tools);
  return [
    '# Assistants (MCP)',
    '',
    'Landfall is also a server of the Model Context Protocol: an assistant asks the same questions as people in Slack, with named fields instead of a command line, and gets the answer as text and as data. The same parser reads both, so names, UN/LOCODEs, periods and their misspellings work alike.',
    '',
    '## A desktop assistant',
    '',
    "`npm run mcp` serves one assistant over stdin and stdout, with the account from the settings; without an account, with the sandbox. It starts neither the playground nor a store, and logs to stderr. Most assistants start it themselves: add this to their configuration, with your own path and the path of Node 24 or newer if `node` isn't.",
    '',
    '```json',
    JSON.stringify(config, null, 2),
    '```',
    '',
    'With npm as the command, its arguments are `--prefix /path/to/landfall run mcp --silent`: without `--silent`, npm itself writes to stdout, which belongs to the protocol.',
    '',
    '## Slackbot',
    '',
    "Slackbot asks Landfall where the app is delivered over HTTP (`PUBLIC_URL` with https): the manifest of `npm run manifest -- https://your.host` declares `https://your.host/mcp` with the person's Slack identity, and the scope `mcp:connect`. Slack signs each request and says for whom it is, so nobody needs a token: people see and may do what they may in Slack, outsiders get nothing, and guests may only ask. Before the first call Slack asks the person for consent. Answers come as text, as data and as Block Kit.",
    '',
    ...overHttp,
    '## How many calls at once',
    '',
    `The bot answers ${maxAtOnce} calls of assistants at a time, and people take turns. ${maxWaitingOfPerson} more calls of a person may wait, and ${maxWaiting} in all, or one of each person beyond that; the others are refused, and asked to try again in a few seconds. \`npm run mcp\` has no such limit: it serves one person.`,
    '',
    '## What an answer holds',
    '',
    '- `note`: next ports and ETAs are “predicted, not reported”; the figures of a trade lane are “counted in the past, not predicted”.',
    '- `fetchedAt` and `ageSeconds`: how old the data is. `staleSince` is set if the service has not answered since then. `faults` counts records that could not be read.',
    '- `source`: with the sandbox, `invented` is true and the text says “invented data”.',
    '- `question`: the command line that people can type in Slack.',
    '- Times are in UTC; `etaLocal` is the same time by the clock of the port, with its offset. Probabilities run from 0 to 1. `null` means that the service gave nothing.',
    '',
    'An error names the field, says what is wrong with it, and gives the nearest values that are right; or the tool that answers such a question. For an unexpected one it gives a reference that is in the log.',
    '',
    '## Resources',
    '',
    '`landfall://ports` lists the countries with ports known here, `landfall://countries/{country}/ports` the ports of one, `landfall://ports/{locode}` is one port, and `landfall://carriers` lists the carriers with their SCAC.',
    '',
    '## Tools',
    '',
    ...tools.map(toolSection),
  ].join('\n');
}

function toolSection({ name, title, description, effect, needsSlack, input }: CommandTool): string {
  const { required = [] } = z.toJSONSchema(input, { io: 'input' });
  const rows = [...factsOf(input)].map(([field, facts]) => {
    const { type, description: about, enum: values, examples = [], default: fallback } = facts;
    const kind = values ? values.map(code).join(', ') : type;
    const leftOut = fallback === undefined ? '' : `; left out: ${code(String(fallback))}`;
    const shown = `${examples.length > 0 ? `; for example ${examples.map(code).join(', ')}` : ''}${leftOut}`;
    const need = required.includes(field) ? ' (needed)' : '';
    return `| \`${field}\`${need} | ${kind} | ${`${about}${shown}`.replaceAll('|', '\\|')} |`;
  });
  return [
    `### ${name}`,
    '',
    `${title}. ${description}${needsSlack ? ' In Slack only.' : ''} ${effects[effect]}`,
    '',
    '| field | type | what it holds |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const code = (text: string): string => `\`${text}\``;
