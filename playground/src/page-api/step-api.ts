/** A custom step of the app, which a workflow could run. */
export interface PageStep {
  callbackId: string;
  title: string;
  description: string;
  inputs: StepField[];
  outputs: StepField[];
}

/** An input or output parameter. */
export interface StepField {
  name: string;
  /** Slack's: `string`, `slack#/types/user_id` and others. */
  type: string;
  title: string;
  description: string;
  isRequired: boolean;
}

/** `POST /playground/step`: runs a step, as a workflow in which somebody has filled in these inputs. */
export interface StepRequest {
  userId: string;
  callbackId: string;
  /** Left out: empty. */
  inputs: Record<string, string>;
}

export type StepOutcome =
  | { kind: 'completed'; outputs: Record<string, unknown> }
  /** `error` is what Slack shows of it. */
  | { kind: 'failed'; error: string };

/** Sent when the app has ended the step, however long that takes. */
export type StepReply = { ok: true; outcome: StepOutcome } | { ok: false; error: string };
