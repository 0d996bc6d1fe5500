import type { PageWorkspace } from '../../src/page-api/page-api.ts';
import { usePage } from '../model/page-context.ts';
import { WorkspaceTile } from './workspace-tile.tsx';

interface Props {
  /** The workspaces with messages that the reader hasn't seen. */
  unreadTeams: readonly string[];
  onSwitch: (workspace: PageWorkspace) => void;
}

/** The workspaces, as a column at the edge of the sidebar. */
export function WorkspaceRail({ unreadTeams, onSwitch }: Props) {
  const { world } = usePage();
  return (
    <ul className="rail" aria-label="Workspaces">
      {world.workspaces?.map((workspace) => (
        <li key={workspace.id}>
          <button
            type="button"
            className={`rail-button${unreadTeams.includes(workspace.id) ? ' rail-unread' : ''}`}
            title={workspace.name}
            aria-current={workspace.id === world.teamId ? 'true' : undefined}
            onClick={() => onSwitch(workspace)}
          >
            <WorkspaceTile {...workspace} />
            <span className="hidden">
              {workspace.name}
              {unreadTeams.includes(workspace.id) && ', new messages'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
