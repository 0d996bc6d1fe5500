import type { ParseLine } from '../command.ts';
import type { RunContext } from '../run-context.ts';
import type { PreviewDigest } from './preview.ts';
import type { DigestService } from './service.ts';

export interface DigestsServices {
  workspaceId: string;
  digests: DigestService;
  parseLine: ParseLine;
  preview: PreviewDigest;
}

export type DigestsContext = RunContext & DigestsServices;
