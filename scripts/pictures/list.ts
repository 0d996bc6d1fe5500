import type { Picture, Scene } from './picture.ts';

const asOf = 'Forecast as of';

/** The answer to a line, in docs/commands.md under its command. */
function answer(
  name: string,
  line: string,
  words: Pick<Picture, 'alt' | 'caption'> & { shows: string; command: string },
): Picture {
  const { shows, ...described } = words;
  return { name, ...described, line, steps: [{ type: line, shows }], shot: { of: 'message', with: shows } };
}

export const scenes: readonly Scene[] = [
  {
    pictures: [
      {
        name: 'nextport',
        alt: 'The answer to /nextport: the next port first, then the candidate ports with ETAs in port time and UTC and probabilities',
        steps: [{ type: '/nextport MSC DIANA', shows: asOf }],
        shot: { of: 'page', height: 690 },
      },
      answer('nextport-one', '/nextport 9461477', {
        alt: 'The next port of DS CYPRESS first, then a table of the candidate ports with probability, ETA and time left',
        caption: 'one vessel, the likeliest port first',
        command: 'nextport',
        shows: asOf,
      }),
      answer('nextport-several', '/nextport 9461477, 9755933, 9811000', {
        alt: 'A table of three vessels by ETA: next port with its probability, ETA, time left and IMO number',
        caption: 'several vessels, the earliest ETA first',
        command: 'nextport',
        shows: asOf,
      }),
      answer('nextport-compare', '/nextport 9461477 compare', {
        alt: "A table of ports with the probability and the ETA in each of the service's two forecasts",
        caption: 'both forecasts of one vessel',
        command: 'nextport',
        shows: 'Both forecasts',
      }),
      answer('nextport-map', '/nextport 9461477 map', {
        alt: 'A map with the likely next ports, numbered, and a list of them with probability and ETA',
        caption: 'the likely next ports on a map',
        command: 'nextport',
        shows: 'IMO 9461477',
      }),
      answer('error', '/nextport 9461478', {
        alt: "The answer to a wrong IMO number: its check digit doesn't match, with a button for the nearest vessel",
        caption: 'a wrong number, with the nearest right one as a button',
        command: 'nextport',
        shows: 'valid IMO',
      }),
      answer('portcalls', '/portcalls Rotterdam tomorrow', {
        alt: 'A table of the vessels that may call at Rotterdam tomorrow, with ETA and probability',
        caption: 'the vessels that may call',
        command: 'portcalls',
        shows: asOf,
      }),
      answer('portcalls-day', '/portcalls Rotterdam next week by day', {
        alt: 'A bar chart of the likely calls at Rotterdam per day, and a table of the days',
        caption: 'likely calls per day',
        command: 'portcalls',
        shows: asOf,
      }),
      answer('portcalls-several', '/portcalls Rotterdam, Antwerp, Hamburg tomorrow', {
        alt: 'The calls expected at three ports tomorrow: a line for each port, then one table of vessels',
        caption: 'several ports in one answer',
        command: 'portcalls',
        shows: asOf,
      }),
      answer('lane', '/lane Singapore Xiamen', {
        alt: 'A bar chart of the delayed share of each carrier from Singapore to Xiamen, and a table with delays and omitted calls',
        caption: 'the carriers, the least delayed first',
        command: 'lane',
        shows: 'Departures',
      }),
      answer('lane-versus', '/lane Singapore Xiamen last quarter versus previous', {
        alt: 'A bar chart of the delays of each carrier in two quarters, and a table that compares them',
        caption: 'two quarters compared',
        command: 'lane',
        shows: 'Xiamen',
      }),
      answer('usage', '/usage', {
        alt: 'The requests of the month with their errors, and a bar chart of the past six months',
        caption: "the provider's report",
        command: 'usage',
        shows: 'requests',
      }),
      answer('usage-bot', '/usage bot', {
        alt: 'The calls that Landfall itself made this month, with a forecast, and boxes by cause and by channel',
        caption: "Landfall's own calls",
        command: 'usage',
        shows: 'calls',
      }),
      answer('settings', '/landfall settings', {
        alt: 'A table of the settings of a channel, what each is and what it means',
        caption: 'the settings of a channel',
        command: 'landfall',
        shows: 'ettings',
      }),
      answer('help', '/landfall', {
        alt: 'Help: what you can ask, each with its command and a button that runs it',
        caption: 'help, with a button for each question',
        command: 'landfall',
        shows: '/nextport',
      }),
      {
        name: 'link',
        alt: 'A message with a link to a vessel on a tracking site, and under it the next port with ETA and probability',
        steps: [
          { type: '/landfall settings links on', shows: 'Links to vessels' },
          {
            type: 'Do we still make the berth? https://www.vesselfinder.com/vessels/details/9755933',
            shows: 'MSC DIANA',
          },
        ],
        shot: { of: 'message', with: 'MSC DIANA' },
      },
    ],
  },
  {
    pictures: [
      answer('watch-added', '/watch 9461477', {
        alt: 'The answer to a new watch: what is watched, how many API calls it uses, and buttons to undo and edit it',
        caption: 'a new watch',
        command: 'watch',
        shows: 'Watching DS CYPRESS',
      }),
      {
        name: 'alert',
        alt: 'An alert: the card of a watched vessel, and what changed in its thread',
        steps: [{ forwardUntil: '🔴 ' }, { openThread: 'DS CYPRESS' }],
        shot: { of: 'thread' },
      },
      {
        name: 'nextport-history',
        alt: 'A chart of the ETA at each candidate port while the vessel was watched, and a table of the changes',
        caption: 'what was predicted while the vessel was watched',
        command: 'nextport',
        line: '/nextport 9461477 history',
        steps: [{ click: 'Close the thread' }, { type: '/nextport 9461477 history', shows: 'of the past' }],
        shot: { of: 'message', with: 'of the past' },
      },
      answer('watch-list', '/watch list', {
        alt: 'The watches of the channel with their next port',
        caption: 'the watches of the channel',
        command: 'watch',
        shows: 'atch',
      }),
      answer('watch-changes', '/watch changes last 3 days', {
        alt: 'A table of what changed for the watched vessel in three days',
        caption: 'what changed',
        command: 'watch',
        shows: asOf,
      }),
      {
        name: 'inspector',
        alt: 'The inspector: the calls between Slack, the bot and the service, and one of them in full',
        steps: [{ click: 'Inspector' }],
        shot: { of: 'region', name: 'Inspector' },
      },
      {
        name: 'home',
        alt: 'The Home tab: alerts that need you, the calls of the next 48 hours, then the watches and digests',
        steps: [
          { click: 'Close the inspector' },
          { click: 'Landfall' },
          { click: 'Home', shows: 'Needs you' },
        ],
        shot: { of: 'page', height: 560 },
      },
    ],
  },
  {
    pictures: [
      {
        name: 'dispute',
        alt: 'A dispute: two ports of nearly the same probability, in one reply that is edited in place',
        steps: [
          { type: '/watch MARLOW HAVEN', shows: 'Watching MARLOW HAVEN' },
          { forwardUntil: '(since ' },
          { openThread: 'MARLOW HAVEN' },
        ],
        shot: { of: 'last reply' },
      },
    ],
  },
  {
    pictures: [
      {
        name: 'alerts-several',
        alt: 'Several alerts of a list in one reply: a table of the vessels that need attention, and the routine ones below a title',
        steps: [
          { type: '/watch list:FEEDERS', shows: 'Watching list FEEDERS' },
          { forwardUntil: 'need attention' },
        ],
        shot: { of: 'message', with: 'need attention' },
      },
      {
        name: 'watch-stability',
        alt: 'A table of vessels and lanes: how many calls ended at the port that was on top 72, 48 and 24 hours before',
        caption: 'how long predictions hold',
        command: 'watch',
        line: '/watch stability',
        steps: [{ forwardUntil: 'Settled' }, { type: '/watch stability', shows: 'calls' }],
        shot: { of: 'message', with: 'calls' },
      },
      answer(
        'digest',
        '/digest add weekdays 08:00: nextport list:FEEDERS; portcalls Rotterdam tomorrow; watch changes',
        {
          alt: 'A new digest: when it is sent, and its lines',
          caption: 'a new digest',
          command: 'digest',
          shows: 'weekdays',
        },
      ),
      answer('digest-sent', '/digest run 1', {
        alt: 'A digest in the channel: its title and date, a table of ten vessels with next port and ETA, and a verdict for each line',
        caption: 'the digest, with the answers in its thread',
        command: 'digest',
        shows: 'Rotterdam:',
      }),
      answer('vessel-list', '/vessel list', {
        alt: 'A table of the vessels that have a name in this workspace',
        caption: 'the names of vessels',
        command: 'vessel',
        shows: 'ALDER',
      }),
      answer('export', '/portcalls Rotterdam as csv', {
        alt: 'The answer to an export: the name of the file and its rows, sent to your direct messages',
        caption: 'an answer as a file',
        command: 'portcalls',
        shows: '.csv',
      }),
      {
        name: 'faults',
        alt: 'The panel with switches for faults of Slack and of the service',
        steps: [{ click: 'Faults' }],
        shot: { of: 'dialog' },
      },
    ],
  },
  {
    isAgent: true,
    pictures: [
      {
        name: 'agent',
        alt: 'A direct message with Landfall as an agent: suggested questions above the composer, and the answer to one in its thread',
        steps: [
          { type: '/watch 9461477', shows: 'Watching DS CYPRESS' },
          { type: '/watch port Rotterdam', shows: 'Watching port Rotterdam' },
          { click: 'Landfall' },
          { click: 'Where is DS CYPRESS?' },
        ],
        shot: { of: 'page', height: 720 },
      },
    ],
  },
  {
    workspaces: 2,
    pictures: [
      {
        name: 'account',
        alt: "The form in which an admin connects the workspace's account: API key, user id and password",
        steps: [{ install: true }],
        shot: { of: 'dialog' },
      },
    ],
  },
];

export const pictures: readonly Picture[] = scenes.flatMap((scene) => scene.pictures);
