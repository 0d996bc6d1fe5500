import { sharedDatabase } from '../support/bot-database.ts';
import { direct } from '../support/statements/direct.ts';

/** The kinds of messages that the last bot has sent without being asked. Nothing that people see names them. */
export async function sentKinds(): Promise<string[]> {
  const sent = await direct(await sharedDatabase())
    .selectFrom('outbox')
    .select('kind')
    .distinct()
    .where('status', '=', 'sent')
    .execute();
  return sent.map(({ kind }) => kind);
}
