import type { Migration } from 'kysely/migration';
import { runStatements } from './run-statements.ts';

/** Moves each rule's memory under the rule's key, and renames “no longer listed” to “no longer predicted”. */
export const ruleMemory: Migration = {
  up: (db) =>
    runStatements(db, [
      `update followings set state = jsonb_set(state, '{vessels}', ${vesselsOf('state')})
        where state ->> 'kind' = 'vessels'`,
      `update watches set rules = ${renamed('rules')}, news = ${renamed('news')}`,
      `update outbox set payload = ${renamed('payload')} where kind in ('reply', 'summary', 'rules-notice')`,
    ]),
};

const renamed = (column: string): string =>
  `replace(replace(${column}::text, '"noLongerListed"', '"noLongerPredicted"'),
    '"no-longer-listed"', '"no-longer-predicted"')::jsonb`;

const vesselsOf = (state: string): string => `(
  select coalesce(jsonb_object_agg(vessel.key, case when vessel.value ? 'told' then
    (vessel.value - 'told' - 'belowArmed' - 'due') || jsonb_build_object(
      'baseline', vessel.value -> 'told',
      'memory', jsonb_build_object('due', coalesce(vessel.value -> 'due', '{}')),
      'calls', ${callsOf('vessel.value')})
    else vessel.value end), '{}')
  from jsonb_each(${state} -> 'vessels') as vessel)`;

const callsOf = (vessel: string): string => `(
  select coalesce(jsonb_object_agg(call.key, jsonb_build_object(
    'sequence', call.value -> 'sequence',
    'memory', jsonb_build_object(
      'arrivingHours', coalesce(call.value -> 'passed', '[]'),
      'overdueHours', coalesce(call.value -> 'overdue', 'false'),
      'below', coalesce(${vessel} -> 'belowArmed', 'false')))), '{}')
  from jsonb_each(${vessel} -> 'calls') as call)`;
