/** The buttons of a watch. Their value is the watch's id, except for `snooze` and `undo`. */
export const watchActionIds = {
  acknowledge: 'watch:acknowledge',
  /** A menu; the value of each option is `<choice> <watch id>`. */
  snooze: 'watch:snooze',
  refresh: 'watch:refresh',
  /** Slack's own dialog asks before this. */
  stop: 'watch:stop',
  /** For the menus of the Home tab: the bot asks in a message, since Slack has no dialog for a single option. */
  askToStop: 'watch:ask-to-stop',
  resume: 'watch:resume',
  /** The value comes from foreign-change.ts. */
  confirmChange: 'watch:confirm-change',
  /** The value comes from undo.ts. */
  undo: 'watch:undo',
} as const;

/** `date` opens a form; `wake` ends the snooze. */
export type SnoozeChoice = '1h' | 'eta' | 'next-port' | 'date' | 'wake';
