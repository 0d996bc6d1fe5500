import { auditCommand } from './command.ts';

/** Who changed what. */
export const audit = { commands: [auditCommand] };
