import { parseArgs } from 'node:util';
import { loginIdOf } from '../../analytics/login.ts';
import type { Config } from '../../config/config.ts';
import { connectTool } from '../../database/connect.ts';
import { checkTables } from '../../database/migrate.ts';
import type { AllWorkspaces } from '../../database/workspace-store.ts';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { foldTight, nearest } from '../../reference/nearest.ts';
import { dayOf } from '../../workspaces/call-counts.ts';
import {
  forgetWorkspace,
  pauseWorkspace,
  readOverview,
  resumeWorkspace,
  type WorkspaceOverview,
} from '../../workspaces/workspaces.ts';

const program = 'npm run workspaces --';

const help = `Lists the workspaces that use this Landfall, and pauses, resumes or removes one.

  npm run workspaces                        all workspaces; with -- --json, as JSON
  ${program} pause ID            people read that Landfall is paused; nothing is polled or sent
  ${program} resume ID           all goes on; watches are polled at once
  ${program} remove ID           deletes all data of a workspace, after you have typed its name
  ${program} remove ID --yes     the same, without asking

It uses the store that the settings name, also while Landfall runs, which notices a change within a second.`;

/** Thrown for what was typed wrong; the message says what to type. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Outcome {
  text: string;
  /** What was asked for is not done. */
  isRefused?: true;
}

interface Tool {
  db: AllWorkspaces;
  ask(question: string): Promise<string | undefined>;
  now: Date;
}

/** What can be typed before the id of a workspace. */
const changes: Record<
  string,
  (workspace: WorkspaceOverview, tool: Tool, isSure: boolean) => Promise<Outcome>
> = {
  pause,
  resume,
  remove,
};

/** Runs one command of the operator. Throws UsageError, StoreError or StoreUnavailable. */
export async function operateWorkspaces(
  words: readonly string[],
  options: {
    /** Called only if the store is needed. */
    readConfig(): Config;
    /** Asks the operator; undefined if there is no answer. */
    ask(question: string): Promise<string | undefined>;
    now: Date;
    logger: Logger;
  },
): Promise<Outcome> {
  const { readConfig, ask, now, logger } = options;
  const { verb, id, isJson, isSure } = parse(words);
  if (verb === 'help') return { text: help };
  const config = readConfig();
  const { databaseUrl: url, storeDir: dataDir } = config;
  const change = changes[verb];
  const { db, close } = await connectTool({ url, dataDir, logger }, { isReadOnly: !change });
  try {
    await checkTables(db);
    const workspaces = await readOverview(db, { today: dayOf(now.getTime()), ...accountsOf(config) });
    if (!change) return { text: isJson ? JSON.stringify(workspaces, null, 2) : overviewTable(workspaces) };
    return await change(choose(id, verb, workspaces), { db, ask, now }, isSure);
  } finally {
    await close();
  }
}

function accountsOf({ analytics, accounts }: Config) {
  const { addresses, isShared } = accounts;
  if (analytics === undefined) return { addresses, operators: undefined };
  // The sandbox refuses nobody, and only its own process knows its credentials.
  if (analytics === 'sandbox') return { addresses, operators: { loginId: undefined, isShared } };
  const { baseUrl: address, apiKey, userId } = analytics;
  return { addresses, operators: { loginId: loginIdOf({ address, apiKey, userId }), isShared } };
}

function parse(words: readonly string[]) {
  const { values, positionals } = parseWords(words);
  const [verb = values.help ? 'help' : 'list', id = '', ...others] = positionals;
  const isKnown = verb === 'list' || verb === 'help' || Object.hasOwn(changes, verb);
  if (!isKnown) {
    const verbs = ['list', 'help', ...Object.keys(changes)].map((name) => ({ key: name, value: name }));
    const [near] = nearest(verb.toLowerCase(), verbs, 1);
    throw new UsageError(
      `There is no command ${plain(verb)}.${near ? ` Did you mean ${near}?` : ''}\n\n${help}`,
    );
  }
  if (values.help) return { verb: 'help', id, isJson: false, isSure: false };
  const isChange = Object.hasOwn(changes, verb);
  if (isChange && (id === '' || others.length > 0))
    throw new UsageError(`Name one workspace by its id. Example: ${program} ${verb} T024BE7LH`);
  if (!isChange && id !== '') throw new UsageError(`${plain(id)} is one word too many.\n\n${help}`);
  return { verb, id, isJson: values.json, isSure: values.yes };
}

function parseWords(words: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const options = { json: flag, yes: flag, help: { ...flag, short: 'h' } };
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n\n${help}`, { cause: error });
  }
}

function choose(id: string, verb: string, workspaces: readonly WorkspaceOverview[]): WorkspaceOverview {
  const found = workspaces.find((workspace) => workspace.id === id);
  if (found) return found;
  const names = workspaces.flatMap((workspace) =>
    [workspace.id, workspace.name].map((name) => ({ key: foldTight(name), value: workspace })),
  );
  const [near] = nearest(foldTight(id), names, 1);
  const unknown = `There is no workspace ${plain(id)}.`;
  if (near) throw new UsageError(`${unknown} Did you mean ${titleOf(near)}? ${program} ${verb} ${near.id}`);
  const [first] = workspaces;
  const example = first ? ` Example: ${program} ${verb} ${first.id}` : '';
  throw new UsageError(`${unknown} npm run workspaces lists the ids.${example}`);
}

async function pause(workspace: WorkspaceOverview, { db, now }: Tool): Promise<Outcome> {
  const title = titleOf(workspace);
  if (workspace.state === 'being removed') return beingRemoved(workspace);
  if (workspace.pausedAt)
    return { text: `${title} is paused already, since ${minuteText(workspace.pausedAt)} UTC.` };
  await pauseWorkspace(db, workspace.id, now);
  return {
    text: `${title} is paused: people read so, and nothing is polled or sent. To go on: ${program} resume ${workspace.id}`,
  };
}

async function resume(workspace: WorkspaceOverview, { db }: Tool): Promise<Outcome> {
  const title = titleOf(workspace);
  if (workspace.state === 'being removed') return beingRemoved(workspace);
  if (!workspace.pausedAt) return { text: `${title} is not paused.` };
  await resumeWorkspace(db, workspace.id);
  return { text: `${title} goes on: its watches are polled at once, and messages that are due are sent.` };
}

function beingRemoved(workspace: WorkspaceOverview): Outcome {
  const text = `${titleOf(workspace)} is being removed, which can't be undone. To finish it now: ${program} remove ${workspace.id} --yes`;
  return { text, isRefused: true };
}

async function remove(
  workspace: WorkspaceOverview,
  { db, ask, now }: Tool,
  isSure: boolean,
): Promise<Outcome> {
  const title = titleOf(workspace);
  const isConfirmed = isSure || workspace.state === 'being removed' || (await confirm(workspace, ask));
  if (!isConfirmed)
    return { text: `Nothing was removed: the name of ${title} was not typed.`, isRefused: true };
  await forgetWorkspace(db, workspace.id, now);
  return { text: `${title} is removed, with all its data. ${whatIsLeft(workspace)}` };
}

async function confirm(workspace: WorkspaceOverview, ask: Tool['ask']): Promise<boolean> {
  const { watches, digests } = workspace;
  const name = plain(workspace.name) || workspace.id;
  const what = `its watches (${watches}), digests (${digests}), names, settings and history`;
  const typed = await ask(
    `This deletes all data of ${titleOf(workspace)}: ${what}. It can't be undone. Type ${name} to go on: `,
  );
  return typed?.trim() === name;
}

/** Only Slack, or the workspace's admins, can uninstall the app there. */
function whatIsLeft({ organisation }: WorkspaceOverview): string {
  if (organisation?.name != null)
    return `${plain(organisation.name)} has Landfall installed for all its workspaces, so the next question from there begins anew. To stop it, pause it instead.`;
  return 'The app is still installed in Slack, where its admins can remove it. If it is the workspace of SLACK_BOT_TOKEN, the next start of Landfall begins anew.';
}

const titleOf = ({ id, name }: WorkspaceOverview): string => (name ? `${plain(name)} (${id})` : id);

interface Column {
  title: string;
  /** Numbers. */
  isRight?: boolean;
  cell(workspace: WorkspaceOverview): string;
}

const maxWidth = 32;

const columns: readonly Column[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'ORGANISATION', cell: ({ organisation }) => organisation?.name ?? organisation?.id ?? '-' },
  { title: 'INSTALLED', cell: ({ installedAt }) => dayOf(installedAt.getTime()) },
  { title: 'LAST USED', cell: ({ lastUsedAt }) => (lastUsedAt ? minuteText(lastUsedAt) : 'never') },
  { title: 'WATCHES', isRight: true, cell: ({ watches }) => String(watches) },
  { title: 'DIGESTS', isRight: true, cell: ({ digests }) => String(digests) },
  { title: 'CALLS TODAY', isRight: true, cell: ({ callsToday }) => String(callsToday) },
  { title: 'ACCOUNT', cell: accountText },
  { title: 'STATE', cell: stateText },
];

/** For a terminal: one line for each workspace, in columns. */
export function overviewTable(workspaces: readonly WorkspaceOverview[]): string {
  if (workspaces.length === 0) return 'No workspace uses Landfall yet.';
  const rows = workspaces.map((workspace) => columns.map(({ cell }) => plain(cell(workspace))));
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...rows].map((cells) => (cells[index] ?? '').length)),
  );
  const lineOf = (cells: readonly string[]) =>
    columns
      .map(({ isRight }, index) => {
        const [cell = '', width = 0] = [cells[index], widths[index]];
        return isRight ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [...[titles, ...rows].map(lineOf), '', 'Days and times are in UTC.'].join('\n');
}

function accountText({ account }: WorkspaceOverview): string {
  if (account.kind === 'none') return 'none';
  const whose = account.kind === 'own' ? `own since ${dayOf(account.since.getTime())}` : "operator's";
  return account.isRefused ? `${whose}, refused` : whose;
}

function stateText({ state, pausedAt }: WorkspaceOverview): string {
  return state === 'paused' && pausedAt ? `paused since ${minuteText(pausedAt)}` : state;
}

/** People choose the names: control characters could change the terminal. */
function plain(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return clean.length > maxWidth ? `${clean.slice(0, maxWidth - 1)}…` : clean;
}

/** Such as 2026-11-22 18:05. */
const minuteText = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ');
