import type { KnownBlock } from '@slack/types';
import type { PageUnfurl } from '../../src/page-api/page-api.ts';
import { usePage } from '../model/page-context.ts';
import { BlockList } from './block-list.tsx';

/** What the app shows under a link. */
export function Unfurl({ unfurl: { text, blocks } }: { unfurl: PageUnfurl }) {
  const { world } = usePage();
  const app = world.users.find(({ id }) => id === world.botUserId);
  const textBlocks: KnownBlock[] = [{ type: 'section', text: { type: 'mrkdwn', text } }];
  return (
    <div className="unfurl">
      <p className="unfurl-by">{app?.realName ?? 'App'}</p>
      <BlockList blocks={blocks ?? textBlocks} />
    </div>
  );
}
