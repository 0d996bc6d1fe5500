import { createAuditLog } from '../../workspaces/audit.ts';
import { legacyCommand } from '../command.ts';
import type { Feature } from '../feature.ts';
import type { WorkspaceServices } from '../services.ts';
import { type AuditServices, askAudit } from './answer.ts';
import { auditTable } from './table.ts';
import { type AuditAnswer, auditEntryView, auditView } from './view.ts';
import { type AuditArgs, formatAudit, parseAudit } from './words.ts';

/** Who changed what. */
export const createAudit = (
  services: Pick<WorkspaceServices, 'store'> & Pick<AuditServices, 'slack'>,
): Feature => ({
  commands: [audit({ audit: createAuditLog(services.store), slack: services.slack })],
});

const audit = legacyCommand<AuditArgs, AuditAnswer, AuditServices>({
  name: 'audit',
  isUnderLandfall: true,
  summary: 'Who changed what; for workspace admins',
  usage: '[of #channel] [by @person]',
  examples: ['landfall audit'],
  repeatable: false,
  // So that guests learn that only admins may, and not that they can't change anything.
  onlyAsks: true,
  isExportable: true,
  privacy: 'never-shared',
  needsSlack: true,
  parse: parseAudit,
  format: formatAudit,
  run: askAudit,
  tables: [auditTable],
  table: (answer) =>
    answer.kind === 'audit' ? auditTable.of({ rows: answer.changes, total: answer.total }) : undefined,
  view: (answer, reader) =>
    answer.kind === 'audit' ? auditView(answer, reader) : auditEntryView(answer, reader),
});
