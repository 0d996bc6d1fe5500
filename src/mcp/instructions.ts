/** What an assistant reads about the whole server. */
export const instructions = (source: 'service' | 'sandbox'): string =>
  [
    'Landfall predicts where container vessels will call next, which vessels may call at a port, and counts how the carriers of a trade lane performed. The data is that of the Vessel Schedule Analytics Service.',
    'Next ports and ETAs are predicted, not reported. Never say that a vessel has arrived, berthed or departed, or where it is. Give the probability with each prediction.',
    'What an answer does not hold is unknown: do not fill it in from other sources or from memory. Only the next call of a vessel is predicted.',
    'An ETA that has passed is overdue: the call is still predicted, and whether the vessel has arrived is unknown.',
    'Say how old the data is (`fetchedAt`), and mention `staleSince` if it is set and `faults` if it is not 0.',
    "Times are in UTC; `etaLocal` is the same time by the port's own clock.",
    ...(source === 'sandbox'
      ? [
          'All data is invented: it comes from the sandbox, not from the service. Say “invented data” in every answer.',
        ]
      : []),
  ].join('\n');
