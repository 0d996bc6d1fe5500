import { z } from 'zod';
import { isJsonObject, parseJson } from '../json.ts';
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

/** An app's definition of a view, completed with Slack's defaults. */
export type ViewContent = WithBlocks<z.infer<typeof schema>>;
/** Distributes over the types of views. */
type WithBlocks<T> = T extends unknown ? Omit<T, 'blocks'> & { blocks: CheckedBlocks } : never;
export type ViewReader = (value: unknown, type: ViewContent['type']) => ViewContent;

/** Applies Slack's checks to a view. Throws ApiError: invalid_arguments with the reasons, or view_too_large. */
export function createViewReader(checks: BlockChecks): ViewReader {
  return (value, type) => {
    const given = typeof value === 'string' ? parseJson(value) : value;
    if (!isJsonObject(given)) throw invalidArguments(['missing required field: view']);
    if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES) throw new ApiError('view_too_large');
    const result = schema.safeParse(given);
    if (!result.success) {
      throw invalidArguments(
        result.error.issues.map(
          (issue) => `${issue.message} [json-pointer:/view/${issue.path.map(String).join('/')}]`,
        ),
      );
    }
    if (result.data.type !== type)
      throw invalidArguments([`must be a ${type} view [json-pointer:/view/type]`]);
    const blocks = checkBlocks(result.data.blocks, checks, type);
    if (!blocks.ok)
      throw invalidArguments(blocks.messages.map((message) => message.replace(':/', ':/view/')));
    const content = { ...result.data, blocks: blocks.blocks };
    if (content.type === 'modal' && !content.submit && content.blocks.some(({ type }) => type === 'input')) {
      throw invalidArguments(['must define `submit` to use an `input` block [json-pointer:/view]']);
    }
    return content;
  };
}

function invalidArguments(messages: string[]): ApiError {
  return new ApiError('invalid_arguments', {
    response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
  });
}
