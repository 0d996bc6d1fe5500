/** Nobody knows whether Slack took a card: its answer never came. Does not cover a refusal, which is a PostError. */
export class CardOutcomeUnknownError extends Error {
  override readonly name = 'CardOutcomeUnknownError';
}
