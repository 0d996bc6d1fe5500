/** How old an answer of the service is, and what is missing in it. Times are on the domain clock. */
export interface Provenance {
  fetchedAt: Date;
  /** Answered from the cache, without a request. */
  cached: boolean;
  /** Set if this is an older answer (up to 24 h), because the service has been failing since then. */
  staleSince?: Date;
  /** Set with `staleSince` if the service does answer but asks for fewer requests. */
  throttled?: true;
  /** The number of records that could not be read, or were about another vessel, port, lane or month. */
  droppedRecords: number;
}
