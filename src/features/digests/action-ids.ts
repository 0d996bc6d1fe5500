/** Buttons of a digest: the value is its id. */
export const digestActionIds = {
  run: 'digest:run',
  pause: 'digest:pause',
  resume: 'digest:resume',
  /** Asked for by `askToRemove` first. */
  remove: 'digest:remove',
  /** Opens the question. */
  askToRemove: 'digest:ask-to-remove',
} as const;
