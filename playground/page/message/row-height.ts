import type { CheckedBlock } from '../../src/blocks/block-checks.ts';
import type { PageMessage } from '../../src/page-api/page-api.ts';

const HEAD_PX = 36;
const LINE_PX = 22;
const LINE_LENGTH = 80;
const TABLE_ROW_PX = 36;
const MAX_TABLE_ROWS = 10;

/** About how high a message is before it has been rendered, so that the scroll bar is about right. */
export const estimatedHeight = ({ text, blocks = [], replyCount = 0, unfurls = [] }: PageMessage): number =>
  HEAD_PX +
  (replyCount > 0 ? LINE_PX : 0) +
  unfurls.reduce(
    (sum, { blocks = [] }) => blocks.reduce((all, each) => all + blockHeight(each), sum + LINE_PX),
    0,
  ) +
  (blocks.length > 0 ? blocks.reduce((sum, block) => sum + blockHeight(block), 0) : textHeight(text));

const textHeight = (text: string): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0) *
  LINE_PX;

function blockHeight(block: CheckedBlock): number {
  switch (block.type) {
    case 'section':
      return 6 + textHeight(block.text?.text ?? '');
    case 'table':
    case 'data_table':
      return 60 + TABLE_ROW_PX * Math.min(block.rows.length, MAX_TABLE_ROWS);
    case 'data_visualization':
      return 330;
    case 'image':
      return 300;
    case 'card':
      return 130;
    case 'container':
      return 52;
    default:
      return 44;
  }
}
