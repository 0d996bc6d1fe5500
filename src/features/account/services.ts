import type { WorkspaceServices } from '../feature.ts';

export type AccountServices = Pick<WorkspaceServices, 'account' | 'slack'>;
