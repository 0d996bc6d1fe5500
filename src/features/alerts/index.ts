export {
  type Alert,
  type AlertOfWatch,
  type AlertState,
  closeAlerts,
  lastAlertTimes,
  noAlerts,
  openEvents,
  readAlertStates,
  readableAlerts,
  readOpenAlerts,
  reminderMinutes,
} from './alert.ts';
export { editAlert, endAlerts, queueReplyUpdates } from './edit-alert.ts';
export {
  alertReminder,
  assignment,
  type Reply,
  reply,
  replyUpdate,
  type Summary,
  shownMessage,
  summary,
} from './messages.ts';
export { dueReminders, remindDue } from './reminders.ts';
export { groupReplies, type Notification, writeReplies } from './replies.ts';
