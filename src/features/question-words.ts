// The words that the questions of several commands share: sources of regular expressions without named groups.

const oneOf = (...words: readonly string[]): string => `(?:${words.join('|')})`;

export const is = "(?:'s|s| is| are|'re)";
export const will = oneOf('will', 'does', 'do', 'did', 'should', 'would', 'might', 'may');

/** On the way to a port. */
export const due = oneOf(
  ...['due', 'expected', 'arriving', 'coming', 'going', 'getting', 'calling', 'heading', 'headed', 'bound'],
  ...['inbound', 'sailing', 'berthing', 'docking', 'on (?:its|her|the|their) way', 'en route'],
);

/** `due in`, `coming into`, or nothing. */
export const into = '(?: (?:in|at|to|into|for|towards))*';

export const at = oneOf('in', 'at', 'into', 'to', 'for', 'on', 'of', 'around', 'off', 'outside');

export const ship = '(?:ships?|vessels?|boats?)';

export const late = oneOf(
  ...[
    'late',
    'delayed',
    'overdue',
    'behind(?: schedule)?',
    'running late',
    'on time',
    'on schedule',
    'in time',
  ],
  ...['early', 'ahead of schedule', 'slipping'],
);

/** `any update on`, `what's the latest on`, `status`. */
export const news = oneOf(
  "(?:what(?:'s|s| is) )?(?:any |the |a |an )?(?:latest |newest |current |quick |more )?(?:more|everything|updates?|news|status|info|information|word|details|latest|position|location)",
  "what(?:'s|s| is) up",
  '(?:what|how) about',
);

/** The end of `tell me if EVER GIVEN …`. */
const changes = oneOf(
  '(?:ever )?(?:changes?|moves?|slips?|diverts?|deviates?|gets? (?:late|delayed|diverted|rerouted))(?: (?:port|course|destination|eta|its eta|its (?:next )?port|its destination|at all|again))?',
  `(?:is|gets|becomes|will be|runs?) (?:${late}|diverted|rerouted|cancelled)`,
  "(?:'s|') (?:eta|port|next port|destination) (?:changes|moves|slips)",
);

const notify = '(?:alert|notify|warn|ping|message|remind) (?:me|us|this channel)';

const tell = oneOf(
  notify,
  '(?:tell|inform|update) (?:me|us|this channel)',
  'let (?:me|us) know',
  'give (?:me|us) (?:a shout|a heads[- ]up|an? alert)',
);

/** `tell me if EVER GIVEN changes`, of whatever stands in the slot. */
export const wishesToKnow = (slot: string): string[] => [
  `(?:${tell} )?(?:if|when|whenever|once|as soon as|in case|should) ${slot} ?${changes}`,
  `(?:${tell} )?(?:if|when|whenever|as soon as|in case) (?:there (?:is|are) |there's )?(?:any ?thing|something|(?:any |a )?changes?|(?:any )?news) ?(?:changes|happens|moves|new)? (?:for|with|on|to|about|at) ${slot}`,
  `(?:${tell} )?(?:if|when|whenever|once|as soon as|in case) the (?:eta|next port|destination) of ${slot} ?${changes}`,
  `${tell} (?:about|on|of|for) (?:any )?changes? (?:of|to|for|on|at) ${slot}`,
  `${notify} (?:about|on|of|for) ${slot}`,
  `${notify} (?:if|when|whenever|once|as soon as|before) ${slot} (?:arrives|gets in|gets there|is due|is there|calls|leaves|departs|sails)(?: (?:in|at|to) .+)?`,
  `(?:please )?(?:keep|have) (?:an eye|a watch|watch|tabs|track|me posted|us posted|me updated|us updated) (?:on|for|of|over|about) ${slot}`,
  `(?:look out for|follow|monitor|subscribe(?: me| us)? to|start watching) ${slot}`,
  `(?:set(?: up)?|create|add|start|put) (?:an? )?(?:alerts?|watch|alarm|notifications?) (?:for|on|about) ${slot}`,
  `(?:alerts?|notifications?) (?:for|on|about) ${slot}`,
];

/** `alert me 24h before EVER GIVEN arrives`. */
export const wishesBeforeArrival = (slot: string): string[] => {
  const hours = '(?<hours>\\d{1,3}) ?h(?:ours?|rs?)?';
  return [
    `${tell} ${hours} before ${slot} (?:arrives|gets in|gets there|is due|calls)`,
    `${tell} (?:if|when|once|as soon as) ${slot} is (?:within )?${hours} (?:out|away|from (?:arrival|port|arriving))`,
  ];
};

/** Every way to split a text in two between its words, the shortest beginning first. */
export function splitsOf(text: string): [string, string][] {
  const words = text.split(' ');
  return words
    .slice(1, maxSplits)
    .map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')]);
}

/** Bounds the time for a long text. */
const maxSplits = 12;
