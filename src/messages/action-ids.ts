/** What a click means. The value of each is a canonical command line; slack/actions routes by these. */
export const actionIds = {
  /** Ask the service afresh and replace the message in place. */
  refresh: 'refresh',
  /** Run the line again and post it in the channel. */
  share: 'share',
  /** An overflow menu: each option's value is a line to run. */
  more: 'more',
  /** A button that runs another line: `run:0`, `run:1`, … unique within a message. */
  run: (index: number) => `run:${index}`,
} as const;

/** Matches every `run:n`. */
export const runActionPattern = /^run:\d+$/;

/** A button that opens a form; its value is the form's target as JSON. `index` where a message holds several. */
export const formActionId = (name: string, index?: number): string =>
  index === undefined ? `form:${name}` : `form:${name}:${index}`;

/** Matches every `formActionId`, and gives the form's name. */
export const formActionPattern = /^form:([a-z-]+)(?::\d+)?$/;

/** An option of a menu that opens a form: the form's name, then its target as JSON. At most 150 characters. */
export const formOption = (name: string, target: object): string => `form:${name} ${JSON.stringify(target)}`;

/** Matches every `formOption`: the form's name, and the target. */
export const formOptionPattern = /^form:([a-z-]+) (\{.*\})$/;

/** What is pressed on the Home tab, apart from forms, watches and digests. */
export const homeActionIds = {
  /** Its value is the place to go to: `watches all 2`; part of the id, which is one within a block. */
  goTo: (place: string) => `home:go:${place}`,
  /** A row's menu; each option's value is an action id and its value, a form to open, or a line. */
  menu: 'home:menu',
} as const;

/** Matches every `homeActionIds.goTo`. */
export const goToPattern = /^home:go:/;

/** An option of a menu that presses a button: its action id, then its value. At most 150 characters. */
export const pressOption = (label: string, actionId: string, value: string) => ({
  label,
  value: `${actionId} ${value}`,
});

/** Matches every `pressOption`: the action id, and the value. */
export const pressedOptionPattern = /^([a-z-]+:[a-z-]+) (.+)$/;
