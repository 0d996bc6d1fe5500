/** Buttons and menus whose value is a canonical command line; slack/buttons/ handles their clicks. */
export const actionIds = {
  /** Replaces the message with a fresh answer. */
  refresh: 'refresh',
  /** Runs the line again and posts the answer in the channel. */
  share: 'share',
  /** An overflow menu: each option's value is a line to run. */
  more: 'more',
  /** Runs another line. The index makes the id unique within a message. */
  run: (index: number) => `run:${index}`,
  /** Runs another line too. The answer never replaces the message, which stays, such as the card of a watch. */
  apart: (index: number) => `apart:${index}`,
  /** An overflow menu of such lines, and of the options below. */
  apartMenu: 'apart:menu',
} as const;

/** Matches every `actionIds.apart`, and `actionIds.apartMenu`. */
export const apartPattern = /^apart:/;

export const runActionPattern = /^run:\d+$/;

/** Does what `actionId` does, and allows people of other organisations to see what it posts in that channel. */
export const outsidersActionId = (channelId: string, actionId: string): string =>
  `outsiders:${channelId}:${actionId}`;

/** Matches every `outsidersActionId`; the groups are the channel and the action. */
export const outsidersPattern = /^outsiders:([^:]+):(.+)$/;

/** A button that opens a form. Its value is the form's target as JSON. `index` makes the id unique in a message. */
export const formActionId = (name: string, index?: number): string =>
  index === undefined ? `form:${name}` : `form:${name}:${index}`;

/** Matches every `formActionId`; the group is the form's name. */
export const formActionPattern = /^form:([a-z-]+)(?::\d+)?$/;

/** The value of a menu's option that opens a form: at most 150 characters. */
export const formOption = (name: string, target: object): string => `form:${name} ${JSON.stringify(target)}`;

/** Matches every `formOption`; the groups are the form's name and the target. */
export const formOptionPattern = /^form:([a-z-]+) (\{.*\})$/;

/** Buttons and menus of the Home tab. */
export const homeActionIds = {
  /** A button to another page, such as `watches all 2`. The page makes the id unique within a block. */
  goTo: (place: string) => `home:go:${place}`,
  /** The menu of a row. The value of an option is a `pressOption`, a `formOption` or a line. */
  menu: 'home:menu',
} as const;

/** Matches every `homeActionIds.goTo`. */
export const goToPattern = /^home:go:/;

/** An option of a menu that does the same as a button. Its value has at most 150 characters. */
export const pressOption = (label: string, actionId: string, value: string) => ({
  label,
  value: `${actionId} ${value}`,
});

/** Matches every `pressOption`; the groups are the action id and the value. */
export const pressedOptionPattern = /^([a-z-]+:[a-z-]+) (.+)$/;
