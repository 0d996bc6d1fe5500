import { createAuditLog } from '../../workspaces/audit.ts';
import type { Feature, WorkspaceServices } from '../feature.ts';
import { audit } from './command.ts';

/** Who changed what. */
export const createAudit = (services: Pick<WorkspaceServices, 'db' | 'workspaceId'>): Feature => ({
  commands: [audit({ audit: createAuditLog(services) })],
});
