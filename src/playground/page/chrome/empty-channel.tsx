import type { PageChannel } from '../../page-api/page-api.ts';
import { channelTitle } from '../model/channel-title.ts';
import { draftKey } from '../model/drafts.ts';
import { usePage } from '../model/page-context.ts';

/** Lines worth trying; only those whose command the app has are shown. */
const EXAMPLES = [
  { line: '/nextport 9461477', what: 'Where does a vessel call next?' },
  { line: '/portcalls Rotterdam next 3 days', what: 'Who is coming to a port?' },
  { line: '/lane Singapore Xiamen', what: 'How does a trade lane perform?' },
  { line: '/watch 9461477', what: 'Be told when an answer changes' },
  {
    line: '/digest add weekdays 08:00: portcalls NLRTM next 3 days',
    what: 'Have it each morning',
  },
  { line: '/usage last month', what: 'What did the API cost?' },
  { line: '/landfall help', what: 'Everything else' },
];

interface Props {
  channel: PageChannel;
  /** Without examples: there are messages already, or one can't write here. */
  plain: boolean;
}

/** What stands above the first message: where one is, and what to type. */
export function EmptyChannel({ channel, plain }: Props) {
  const { world, drafts } = usePage();
  const bot = world.users.find((user) => user.isBot);
  const member = bot !== undefined && channel.memberIds.includes(bot.id);
  const known = EXAMPLES.filter(({ line }) =>
    world.commands.some(({ command }) => line.startsWith(`${command} `)),
  );
  // In a direct message a command needs no slash, and `/landfall` no name.
  const typed = (line: string) => (channel.kind === 'dm' ? line.replace(/^\/(landfall )?/, '') : line);
  return (
    <section className="opening" aria-label="Beginning of the channel">
      <h3>{channelTitle(channel, world)}</h3>
      <p>
        {channel.kind === 'dm'
          ? `This is your direct line to ${channelTitle(channel, world)}. Type as here, without a slash, or use the commands.`
          : 'This is the very beginning of the channel.'}
        {!member &&
          bot &&
          ` ${bot.realName || bot.name} is not in this channel; its commands work all the same.`}
      </p>
      {!plain && known.length > 0 && (
        <ul className="examples" aria-label="Examples">
          {known.map(({ line, what }) => (
            <li key={line}>
              <button
                type="button"
                onClick={() => drafts.set(draftKey(world.me.id, channel.id), typed(line))}
              >
                <span>{what}</span>
                <code>{typed(line)}</code>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
