import type { WorkspaceServices } from '../services.ts';

export type AccountServices = Pick<WorkspaceServices, 'account' | 'slack'>;
