import { type CompiledQuery, DefaultQueryExecutor } from 'kysely';
import { checkStatement } from './check-statement.ts';
import { isDirect } from './direct.ts';
import { across, tables } from './rules.ts';

const problems = new Map<string, string | null>();
let found: string[] = [];

function look({ sql }: CompiledQuery, executor: DefaultQueryExecutor): void {
  if (isDirect(executor)) return;
  if (!problems.has(sql)) problems.set(sql, problemOf(sql));
  const problem = problems.get(sql) ?? null;
  if (problem === null) return;
  const { stack = '' } = new Error();
  const caller = stack
    .split('\n')
    .find((line) => /\/(?:src|test|bench)\//.test(line) && !line.includes(import.meta.filename));
  found.push(`${problem}: ${sql}\n${caller ?? ''}`);
}

function problemOf(statement: string): string | null {
  try {
    return checkStatement(statement, { tables, across });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Every database of Kysely runs its statements through this class, which inherits both methods. */
const { prototype } = DefaultQueryExecutor;
const { executeQuery, stream } = prototype;

/** From now on, looks at all statements of this process. */
export function startWatching(): void {
  prototype.executeQuery = function (query, ...rest) {
    look(query, this);
    return executeQuery.call(this, query, ...rest) as never; // `call` loses the type parameter
  };
  prototype.stream = function (query, ...rest) {
    look(query, this);
    return stream.call(this, query, ...rest) as never; // `call` loses the type parameter
  };
}

export function stopWatching(): void {
  Object.assign(prototype, { executeQuery, stream });
}

/** Throws if a statement since the last report did not name its workspace, whatever became of it. */
export function reportStatements(): void {
  const faulty = [...new Set(found)];
  found = [];
  if (faulty.length === 0) return;
  const rule = 'A statement must name its workspace. In a test, direct() reads tables as they are.';
  throw new Error([rule, ...faulty].join('\n\n'));
}
