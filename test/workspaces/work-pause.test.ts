import { describe, expect, it } from 'vitest';
import { dueWorkspaces } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { duePolls, spreadPolls } from '../../src/features/polling/pause.ts';
import { createAuditedTransaction, createAuditLog } from '../../src/workspaces/audit.ts';
import { createWorkPauses } from '../../src/workspaces/work-pause.ts';
import { engines, workspaceId } from '../support/store-engines.ts';
import { useWatches } from '../support/use-watches.ts';
import { hour, vessel } from '../support/watch-story.ts';
