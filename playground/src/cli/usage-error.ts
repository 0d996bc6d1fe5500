/** What the person who typed the command can put right. Its message is shown as it is. */
export class UsageError extends Error {}
