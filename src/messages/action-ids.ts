/** Buttons and menus whose value is a canonical command line; slack/buttons/ handles their clicks. */
export const actionIds = {
  /** Replaces the message with a fresh answer. */
  refresh: 'refresh',
  /** Runs the line again and posts the answer in the channel. */
  share: 'share',
  /** An overflow menu: each option's value is a line to run. */
  more: 'more',
  /** Runs another line: `run:0`, `run:1`, …, unique within a message. */
  run: (index: number) => `run:${index}`,
} as const;

export const runActionPattern = /^run:\d+$/;

/** A button that opens a form; its value is the form's target as JSON. `index` if a message holds several. */
export const formActionId = (name: string, index?: number): string =>
  index === undefined ? `form:${name}` : `form:${name}:${index}`;

/** Matches every `formActionId`; the group is the form's name. */
export const formActionPattern = /^form:([a-z-]+)(?::\d+)?$/;

/** An option of a menu that opens a form: the form's name, then its target as JSON. At most 150 characters. */
export const formOption = (name: string, target: object): string => `form:${name} ${JSON.stringify(target)}`;

/** Matches every `formOption`; the groups are the form's name and the target. */
export const formOptionPattern = /^form:([a-z-]+) (\{.*\})$/;

/** Buttons and menus of the Home tab. */
export const homeActionIds = {
  /** A button to another page, such as `watches all 2`. The page is part of the id to make it unique within a block. */
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

/** Matches every `pressOption`; the groups are the action id and the value. */
export const pressedOptionPattern = /^([a-z-]+:[a-z-]+) (.+)$/;
