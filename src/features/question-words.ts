// The words that the questions of several commands share: sources of regular expressions without named groups.

export const oneOf = (...words: readonly string[]): string => `(?:${words.join('|')})`;

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

/** May stand before a request. */
export const politely =
  '(?:(?:please|pls|plz|kindly|hi|hello|hey|ok|okay|and|also|(?:can|could|would|will) (?:you|we))[ ,]+)*';

/** A text that asks, and so wishes no change. `can you …` may wish one. */
export const beginsAsQuestion =
  /^(?:is|are|does|do(?! not)|did|has|have|was|were|which|what|who|whose|whos|whats|when|where|why|how)\b/i;

/** Every way to split a text in two between its words, the shortest beginning first. */
export function splitsOf(text: string): [string, string][] {
  const words = text.split(' ');
  return words
    .slice(1, maxSplits)
    .map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')]);
}

/** Bounds the time for a long text. */
const maxSplits = 12;
