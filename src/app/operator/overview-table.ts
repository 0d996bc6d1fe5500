import type { WorkspaceOverview } from '../../workspaces/overview.ts';

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
  { title: 'INSTALLED', cell: ({ installedAt }) => dayText(installedAt) },
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
  const whose = account.kind === 'own' ? `own since ${dayText(account.since)}` : "operator's";
  return account.isRefused ? `${whose}, refused` : whose;
}

function stateText({ state, pausedAt }: WorkspaceOverview): string {
  return state === 'paused' && pausedAt ? `paused since ${minuteText(pausedAt)}` : state;
}

/** People choose the names: control characters could change the terminal. */
export function plain(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return clean.length > maxWidth ? `${clean.slice(0, maxWidth - 1)}…` : clean;
}

/** Such as 2026-11-22 18:05. */
export const minuteText = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ');

const dayText = (time: Date): string => time.toISOString().slice(0, 10);
