/** A message that the app, an agent, suggests to people. */
export interface PagePrompt {
  /** What its button says. */
  title: string;
  /** What a person sends by choosing it. */
  message: string;
}

/** The prompts in a direct message with the app. */
export interface PagePrompts {
  /** Undefined: the page has a title of its own. */
  title?: string;
  prompts: readonly PagePrompt[];
}

/** What the app says that it is doing, until it posts in the thread. */
export interface PageStatus {
  channelId: string;
  threadTs: string;
  /** Follows the app's name: `is thinking …`. */
  text: string;
}

export interface PageAgent {
  /** Those in the user's direct message with the app. Undefined: the app isn't an agent. */
  prompts?: PagePrompts;
  /** What the agent does. */
  description?: string;
  /** In the conversations that the user may read. */
  statuses: readonly PageStatus[];
}
