/**
 * Who changes something, and when: `now` on the domain clock, `realNow` on the real one. `title`: what the watch is
 * called at that moment, for the log and for those who are notified; as saved where left out.
 */
export interface By {
  actorId: string;
  now: Date;
  realNow: Date;
  title?: string;
}
