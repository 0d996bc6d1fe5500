import type { PageWorkspace } from '../../page-api/page-api.ts';
import { usePage } from '../model/page-context.ts';
import { WorkspaceTile } from './workspace-tile.tsx';

/** The workspaces, as a column at the edge of the sidebar. */
export function WorkspaceRail({ onSwitch }: { onSwitch: (workspace: PageWorkspace) => void }) {
  const { world } = usePage();
  return (
    <ul className="rail" aria-label="Workspaces">
      {world.workspaces?.map((workspace) => (
        <li key={workspace.id}>
          <button
            type="button"
            className="rail-button"
            title={workspace.name}
            aria-label={workspace.name}
            aria-current={workspace.id === world.teamId ? 'true' : undefined}
            onClick={() => onSwitch(workspace)}
          >
            <WorkspaceTile {...workspace} />
          </button>
        </li>
      ))}
    </ul>
  );
}
