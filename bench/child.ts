import { fork } from 'node:child_process';
import { once } from 'node:events';

export type Child<Ready> = Awaited<ReturnType<typeof startChild<Ready>>>;

/** Starts a script of this folder that sends one message when it is ready, and then one for each that it gets. */
export async function startChild<Ready>(
  script: string,
  { args = [], flags = [] }: { args?: readonly string[]; flags?: readonly string[] } = {},
) {
  const child = fork(new URL(script, import.meta.url), args, {
    execArgv: [...flags],
    serialization: 'advanced', // Unlike JSON, it keeps NaN.
  });
  const end = once(child, 'exit');
  const failure = end.then(([code]) => {
    throw new Error(`${script} ended with ${code}`);
  });
  failure.catch(() => {});
  // The script's own types.
  const receive = async <T>() => (await Promise.race([once(child, 'message'), failure]))[0] as T;

  return {
    ready: await receive<Ready>(),
    pid: child.pid,
    async ask<Answer>(message: object): Promise<Answer> {
      child.send(message);
      return await receive<Answer>();
    },
    async stop(): Promise<void> {
      if (child.connected) child.disconnect();
      await end;
    },
  };
}

/** The other side: `answer` is called with each message. The process ends with the channel to its parent. */
export function answerParent<Message>(ready: object, answer: (message: Message) => Promise<object>): void {
  // The parent sends no other messages.
  process.on('message', async (message) => process.send?.(await answer(message as Message)));
  process.on('disconnect', () => process.exit(0));
  process.send?.(ready);
}
