/** The buttons of a watch. Their value is the watch's id unless it says otherwise. */
export const watchActionIds = {
  /** The value comes from add-line.ts. */
  add: 'watch:add',
  acknowledge: 'watch:acknowledge',
  /** Under alerts. The value is the outbox id of their message. */
  acknowledgeMessage: 'watch:acknowledge-message',
  /** In a reminder and on the Home tab. The value is the alert's id. */
  acknowledgeAlert: 'watch:acknowledge-alert',
  /** A menu; the value of each option is `<choice> <watch id>`. */
  snooze: 'watch:snooze',
  refresh: 'watch:refresh',
  /** Under a notice, and on cards of before: there, Slack's own dialog asks first. */
  stop: 'watch:stop',
  /** For menus: the bot asks in a window, since Slack has no dialog for a single option. */
  askToStop: 'watch:ask-to-stop',
  /** The answer to that question. */
  stopAsked: 'watch:stop-asked',
  resume: 'watch:resume',
  /** The value is the watch's id and the name of a list. */
  asList: 'watch:as-list',
  /** The value comes from foreign-change.ts. */
  confirmChange: 'watch:confirm-change',
  /** The value comes from undo.ts. */
  undo: 'watch:undo',
} as const;

/** `date` opens a form; `wake` ends the snooze. */
export type SnoozeChoice = '1h' | 'eta' | 'next-port' | 'date' | 'wake';
