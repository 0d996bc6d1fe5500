/** Buttons of a watch: the value is the watch's id, but for `undo` and `snooze`. */
export const watchActionIds = {
  acknowledge: 'watch:acknowledge',
  /** A menu; each option's value is `<what> <id>`, with one of `snoozeChoices`. */
  snooze: 'watch:snooze',
  refresh: 'watch:refresh',
  /** Asks first, by Slack's own dialog. */
  stop: 'watch:stop',
  /** Opens the question, where a menu can't ask. */
  askToStop: 'watch:ask-to-stop',
  resume: 'watch:resume',
  /** Its value is what the service gave for it. */
  undo: 'watch:undo',
} as const;

/** `date` asks for one; `wake` ends a snooze. */
export type SnoozeChoice = '1h' | 'eta' | 'next-port' | 'date' | 'wake';
