import type { KnownBlock } from '@slack/types';
import type { FormView } from '../../src/answers/fields.ts';
import type { Message } from '../../src/answers/message.ts';
import { formBlocks } from '../../src/answers/slack/form.ts';
import { asRead } from '../../test/support/message-text.ts';
import { reader } from '../../test/support/view-fixtures.ts';

export interface ShownText {
  /** The typed line, or the name of the view. */
  context: string;
  text: string;
}

export const shown = (context: string, message: Message): ShownText => ({ context, text: asRead(message) });
export const form = (context: string, view: FormView): ShownText => ({ context, text: formAsRead(view) });

const formAsRead = (view: FormView): string =>
  [`title: ${view.title}`, ...formBlocks(view, reader).flatMap(wordsIn), `[${view.submit}]`].join('\n');

/** The texts of a block; those that are not its main text have a name in front: `label: Days`. */
function wordsIn(block: KnownBlock): string[] {
  const found: string[] = [];
  const walk = (value: unknown, name: string): void => {
    if (typeof value === 'string' && /^(?:text|initial_value)$/.test(name)) found.push(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (/^initial_options?$/.test(key)) continue;
      const from = found.length;
      walk(inner, key);
      if (/^(?:label|hint|placeholder|description|accessory)$/.test(key))
        found.splice(from, Infinity, ...found.slice(from).map((text) => `${key}: ${text}`));
    }
  };
  walk(block, '');
  return found;
}
