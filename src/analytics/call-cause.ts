/** What a request is sent for. It never names a person. */
export type CallCause =
  /** A line, a button or a form of a person. `channelId`: null outside of channels. `byAssistant`: asked by a model. */
  | { kind: 'command'; name: string; channelId: string | null; byAssistant?: true }
  /** A run of a digest by its schedule. `channelId`: null for a personal one. */
  | { kind: 'digest'; id: string; channelId: string | null }
  /** A poll, for all watches that follow the subject: `vessel 9811000`. `channelIds`: theirs; none for personal ones. */
  | { kind: 'watch'; subject: string; channelIds: readonly string[] };
