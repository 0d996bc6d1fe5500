// Types slash commands in the playground, and measures the times until they are acknowledged and answered.
import { setTimeout as wait } from 'node:timers/promises';
import type { DeliveryMark } from 'bolt-playground';

export interface Sample {
  ackMs: number;
  answerMs: number;
}

export interface LoadResult {
  samples: Sample[];
  elapsedMs: number;
}

/** A command that comes at a fixed time, whatever became of the others. */
export interface Arrival {
  /** From the start of the load. */
  atMs: number;
  line: string;
}

/** Types one command; resolves once Slack has the acknowledgement. */
export type Say = (text: string) => Promise<{ ok: boolean; deliveryId?: string | undefined }>;

const limitMs = 20_000;

interface Pending {
  /** The times count from here. */
  startedAt: number;
  /** `startedAt` is when the command was to be typed, not when its delivery began. */
  isPlanned: boolean;
  ackedAt?: number;
  answeredAt?: number;
  settle: (sample: Sample) => void;
  fail: (error: Error) => void;
}

/** `onDelivery` collects the playground's marks. */
export function createLoad() {
  const marks = new Map<string, DeliveryMark[]>();
  const pending = new Map<string, Pending>();

  function apply(command: Pending, mark: DeliveryMark): void {
    if (mark.type === 'failed') command.fail(new Error(`${mark.label}: ${mark.error}`));
    if (mark.type === 'acked') command.ackedAt = mark.at;
    if (mark.type === 'delivered' && !command.isPlanned) command.startedAt = mark.at;
    const isAnswer = mark.type === 'answered' && !mark.message.text.startsWith('Working on it');
    if (isAnswer) command.answeredAt = mark.at;
    const { startedAt, ackedAt, answeredAt } = command;
    if (ackedAt !== undefined && answeredAt !== undefined)
      command.settle({ ackMs: ackedAt - startedAt, answerMs: answeredAt - startedAt });
  }

  /** An answer may come before `say` returns the delivery's id, so marks are stored until then. */
  function onDelivery(mark: DeliveryMark): void {
    const command = pending.get(mark.id);
    if (command) apply(command, mark);
    else marks.set(mark.id, [...(marks.get(mark.id) ?? []), mark]);
  }

  /** Rejects if the command fails, or has no answer after `limitMs`. */
  async function ask(say: Say, text: string, plannedAt?: number): Promise<Sample> {
    const { ok, deliveryId } = await say(text);
    if (!ok || !deliveryId) throw new Error(`Slack could not deliver ${text}`);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Sample>((settle, fail) => {
        const times = { startedAt: plannedAt ?? 0, isPlanned: plannedAt !== undefined };
        const command: Pending = { ...times, settle, fail };
        timer = setTimeout(() => fail(new Error(`${text} has no answer`)), limitMs);
        pending.set(deliveryId, command);
        for (const mark of marks.get(deliveryId) ?? []) apply(command, mark);
      });
    } finally {
      clearTimeout(timer);
      pending.delete(deliveryId);
      marks.delete(deliveryId);
    }
  }

  return {
    onDelivery,
    /** A closed loop: types the lines, `concurrency` at a time. Throws if a command fails. */
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
    /** An open loop: times count from the planned arrival, so a command that had to wait to be typed counts as slow. */
    async runOpen(say: Say, arrivals: readonly Arrival[]): Promise<{ samples: Sample[]; failures: number }> {
      const startedAt = performance.now();
      const results = await Promise.allSettled(
        arrivals.map(async ({ atMs, line }) => {
          await wait(atMs);
          return await ask(say, line, startedAt + atMs);
        }),
      );
      const samples = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      return { samples, failures: results.length - samples.length };
    },
  };
}
