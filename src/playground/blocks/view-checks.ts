import { z } from 'zod';
import { isJson, parseJson } from '../json.ts';
import { type BlockChecks, type CheckedBlocks, checkBlocks } from './block-checks.ts';
import { plainText, text } from './composition-schemas.ts';
import { ApiError } from './content.ts';

const MAX_BYTES = 250 * 1024;

const common = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(3000, 'must be less than 3001 characters').default(''),
  callback_id: z.string().max(255, 'must be less than 256 characters').default(''),
  external_id: text(255).optional(),
};
const schema = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('modal'),
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    clear_on_close: z.boolean().default(false),
    notify_on_close: z.boolean().default(false),
    submit_disabled: z.boolean().optional(),
  }),
  z.strictObject({ ...common, type: z.literal('home') }),
]);

/** What an app gives for a view, with Slack's defaults. */
export type ViewContent = WithBlocks<z.infer<typeof schema>>;
/** For each kind of view by itself. */
type WithBlocks<T> = T extends unknown ? Omit<T, 'blocks'> & { blocks: CheckedBlocks } : never;
export type ViewReader = (value: unknown, type: ViewContent['type']) => ViewContent;

/** Slack's checks of a view. They throw ApiError: invalid_arguments with the reasons, or view_too_large. */
export function createViewReader(checks: BlockChecks): ViewReader {
  return (value, type) => {
    const given = typeof value === 'string' ? parseJson(value) : value;
    if (!isJson(given)) throw refused(['missing required field: view']);
    if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES) throw new ApiError('view_too_large');
    const result = schema.safeParse(given);
    if (!result.success) {
      throw refused(
        result.error.issues.map(
          (issue) => `${issue.message} [json-pointer:/view/${issue.path.map(String).join('/')}]`,
        ),
      );
    }
    if (result.data.type !== type) throw refused([`must be a ${type} view [json-pointer:/view/type]`]);
    const blocks = checkBlocks(result.data.blocks, checks, type);
    if (!blocks.ok) throw refused(blocks.messages.map((message) => message.replace(':/', ':/view/')));
    const content = { ...result.data, blocks: blocks.blocks };
    if (content.type === 'modal' && !content.submit && content.blocks.some(({ type }) => type === 'input')) {
      throw refused(['must define `submit` to use an `input` block [json-pointer:/view]']);
    }
    return content;
  };
}

function refused(messages: string[]): ApiError {
  return new ApiError('invalid_arguments', {
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  });
}
