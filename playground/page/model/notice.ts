/** A message from the page itself, as Slack shows one for a refused command or a failed request. */
export interface Notice {
  id: number;
  userId: string;
  channelId: string;
  threadTs?: string;
  text: string;
  /** Its place among the messages: milliseconds of the real clock. */
  at: number;
  /** The time that it shows. */
  shownAt: number;
}

/** A channel, or a thread in it. */
export type ListPlace = Pick<Notice, 'channelId' | 'threadTs'>;
