import type { UserError } from '../../../errors.ts';
import type { LineHelp } from '../../../grammar/line-help.ts';
import { watchRules } from './registry.ts';
import type { Setting } from './rule.ts';
import { valueQuestion } from './rule-parts.ts';

/** For words that end in a rule without its value: `9461477 eta`. Undefined if they don't. */
export function askValue(words: string, help: LineHelp): UserError | undefined {
  const settings: readonly Setting[] = [...watchRules.all, ...watchRules.limits];
  for (const { question, typed: example } of settings) {
    if (!question) continue;
    const [, subject, typed] = new RegExp(`^(.*?)[\\s,]+(${question.words})$`, 'i').exec(words.trim()) ?? [];
    if (!subject || typed === undefined) continue;
    const line = (fixed: string) => help.line(`${subject} ${fixed}`);
    return valueQuestion(typed, question, { line, example: `watch 9461477 ${example}` });
  }
  return undefined;
}
