// Slack's checks of blocks and views, without a server: for tests of what an app renders.
export {
  type BlockChecks,
  type CheckedBlock,
  type CheckedBlocks,
  checkBlocks,
} from './blocks/block-checks.ts';
export { ApiError } from './blocks/content.ts';
export { createViewReader, type ViewContent, type ViewReader } from './blocks/view-checks.ts';
