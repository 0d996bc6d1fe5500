// Types slash commands in the playground, and measures the times until they are acknowledged and answered.
import type { DeliveryMark } from '../src/playground/delivery/deliver.ts';

export interface Sample {
  ackMs: number;
  answerMs: number;
}

export interface LoadResult {
  samples: Sample[];
  elapsedMs: number;
}

/** Types one command; resolves once Slack has the acknowledgement. */
export type Say = (text: string) => Promise<{ ok: boolean; deliveryId?: string | undefined }>;

interface Pending {
  deliveredAt: number;
  ackedAt?: number;
  answeredAt?: number;
  settle: (sample: Sample) => void;
  fail: (error: Error) => void;
}

/** `run` types the lines, `concurrency` at a time, and `onDelivery` collects the playground's marks. */
export function createLoad() {
  const marks = new Map<string, DeliveryMark[]>();
  const pending = new Map<string, Pending>();

  function apply(command: Pending, mark: DeliveryMark): void {
    if (mark.type === 'failed') command.fail(new Error(`${mark.label}: ${mark.error}`));
    if (mark.type === 'acked') command.ackedAt = mark.at;
    if (mark.type === 'delivered') command.deliveredAt = mark.at;
    const isAnswer = mark.type === 'answered' && !mark.message.text.startsWith('Working on it');
    if (isAnswer) command.answeredAt = mark.at;
    const { deliveredAt, ackedAt, answeredAt } = command;
    if (ackedAt !== undefined && answeredAt !== undefined)
      command.settle({ ackMs: ackedAt - deliveredAt, answerMs: answeredAt - deliveredAt });
  }

  /** An answer may come before `say` returns the delivery's id, so marks are stored until then. */
  function onDelivery(mark: DeliveryMark): void {
    const command = pending.get(mark.id);
    if (command) apply(command, mark);
    else marks.set(mark.id, [...(marks.get(mark.id) ?? []), mark]);
  }

  async function ask(say: Say, text: string): Promise<Sample> {
    const { ok, deliveryId } = await say(text);
    if (!ok || !deliveryId) throw new Error(`Slack could not deliver ${text}`);
    try {
      return await new Promise<Sample>((settle, fail) => {
        const command: Pending = { deliveredAt: 0, settle, fail };
        pending.set(deliveryId, command);
        for (const mark of marks.get(deliveryId) ?? []) apply(command, mark);
      });
    } finally {
      pending.delete(deliveryId);
      marks.delete(deliveryId);
    }
  }

  return {
    onDelivery,
    async run(
      say: Say,
      plan: { lines: readonly string[]; samples: number; concurrency: number },
    ): Promise<LoadResult> {
      const samples: Sample[] = [];
      let next = 0;
      const startedAt = performance.now();
      const worker = async () => {
        while (next < plan.samples) {
          const line = plan.lines[next++ % plan.lines.length] ?? '';
          samples.push(await ask(say, line));
        }
      };
      await Promise.all(Array.from({ length: plan.concurrency }, worker));
      return { samples, elapsedMs: performance.now() - startedAt };
    },
  };
}
