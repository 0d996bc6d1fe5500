import type { AuditLog } from '../../workspaces/audit.ts';
import type { RunContext } from '../run-context.ts';

export interface AuditServices {
  audit: AuditLog;
}

export type AuditContext = RunContext & AuditServices;
