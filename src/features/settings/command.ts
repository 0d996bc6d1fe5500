import type { Answer } from '../../answers/answer.ts';
import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { guestRights, linkModes, type Visibility } from '../../workspaces/settings.ts';
import { type AskCtx, actorIn } from '../ctx.ts';
import type { ParseContext } from '../line.ts';
import { command, type VariantLine, variant } from '../variant.ts';
import { changedAnswer, lineFor, settingsLine, type WorkspaceChange, wordsFor } from './answer.ts';
import { actorInChannel, readSettings } from './form.ts';

const shown = variant<object>({
  format: () => settingsLine,
  effect: 'opens',
  // The buttons depend on whether the reader may change the settings.
  privacy: 'personal',
  of: 'workspace',
  async run(_, ctx) {
    const actor = actorInChannel(ctx);
    return await readSettings(actor.channelId, actor, ctx);
  },
});

const changed = variant<WorkspaceChange>({
  format: lineFor,
  effect: 'changes',
  of: 'workspace',
  run: change,
});

/** What can be typed, setting by setting. */
const changes: { [Setting in WorkspaceChange['setting']]: readonly WorkspaceChange[] } = {
  guests: guestRights.map((value) => ({ setting: 'guests', value })),
  links: linkModes.map((value) => ({ setting: 'links', value })),
};

export const settingsCommand = command({
  name: 'settings',
  isUnderLandfall: true,
  summary:
    'The settings of the channel, what guests may do, and whether links to vessels show the next ports',
  usage: `[guests ${guestRights.join('|')} | links ${linkModes.join('|')}]`,
  examples: [settingsLine, `${settingsLine} guests ask`, `${settingsLine} links on`],
  options: Object.values(changes)
    .flat()
    .map((each) => {
      const { label, says } = wordsFor(each);
      return { typed: `${each.setting} ${each.value}`, help: `${label}. ${says}` };
    }),
  optionsNote: 'Workspace admins choose what guests may do, and what links show',
  variants: [shown, changed],
  parse,
});

function parse(words: string, { visibility }: ParseContext): VariantLine {
  const [first, typed, ...others] = words.toLowerCase().split(' ').filter(Boolean);
  if (first === undefined && visibility !== undefined) throw notTyped(visibility);
  if (first === undefined) return shown.of({});
  if (first !== 'guests' && first !== 'links')
    throw new UserError({
      code: 'unexpected-words',
      message: 'Only “guests” or “links” can follow “settings”.',
      example: settingsLine,
    });
  const found = changes[first].find(({ value }) => value === typed);
  if (found && others.length === 0) return changed.of(found);
  throw new UserError({
    code: typed === undefined ? 'missing-argument' : 'unexpected-words',
    message: questions[first],
    choices: changes[first].map((each) => ({ label: wordsFor(each).label, line: lineFor(each) })),
    example: `${settingsLine} ${first === 'guests' ? 'guests ask' : 'links on'}`,
  });
}

/** `settings public` would show the settings to everybody; it is rather meant as a change of them. */
const notTyped = (visibility: Visibility): UserError =>
  new UserError({
    code: 'unexpected-words',
    message: `${quote(visibility)} isn't a setting that can be typed.`,
    hint: "Who sees the answers is one of the channel's settings: open them to change it.",
    choices: [{ label: 'Show the settings', line: settingsLine }],
    example: settingsLine,
  });

const questions = {
  guests: 'What may guests of the workspace do?',
  links: 'What happens to links to vessels in this workspace?',
} as const;

async function change(wanted: WorkspaceChange, ctx: AskCtx): Promise<Answer> {
  const actor = actorIn(ctx);
  const { guests, links } = ctx.services;
  return changedAnswer(
    wanted,
    wanted.setting === 'guests'
      ? { setting: 'guests', value: await guests.change(wanted.value, actor) }
      : { setting: 'links', value: await links.change(wanted.value, actor) },
  );
}
