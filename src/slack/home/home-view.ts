import type { Button, KnownBlock, SectionBlock } from '@slack/types';
import type { Reader } from '../../answers/message.ts';
import { shownNote } from '../../answers/slack/answer-actions.ts';
import { inventedNotes, smallPrint } from '../../answers/slack/answer-message.ts';
import {
  actions,
  button,
  context,
  formActionId,
  homeActionIds,
  primary,
  sections,
} from '../../answers/slack/blocks.ts';
import type { Feature, HomePage, HomePageRequest, HomeSection } from '../../features/feature.ts';

/** What a person's Home tab shows. Stored in the values of its buttons. */
export interface HomePlace {
  /** The name of the section shown. */
  section: string;
  scope: HomePageRequest['scope'];
  page: number;
}

interface ReadSection {
  section: HomeSection;
  /** If the section is not shown, only the total and the notes are used. */
  page: HomePage;
}

interface HomeAnswer {
  place: HomePlace;
  sections: readonly ReadSection[];
}

export const homeRowsPerPage = 12;

const maxNoticeBlocks = 10;
const divider: KnownBlock = { type: 'divider' };

/** `notice`: the result of the person's last action; `top`: what needs the person; `footer`: the account and the state of Landfall. */
export function homeView(
  answer: HomeAnswer,
  parts: {
    notice: readonly KnownBlock[];
    top: readonly KnownBlock[];
    footer: readonly KnownBlock[];
    /** False while questions can't be answered, which `top` says. */
    canAsk: boolean;
    reader: Reader;
  },
): KnownBlock[] {
  const { place } = answer;
  const { notice, top, footer, canAsk, reader } = parts;
  const hasNothingYet =
    place.scope === 'all' &&
    answer.sections.every(({ section, page }) => !section.hasOwners || page.total === 0);
  const shown = answer.sections.find(({ section }) => section.name === place.section);
  const notes = [
    ...answer.sections.flatMap(({ page }) => page.notes?.(reader) ?? []),
    ...inventedNotes(reader),
  ];
  return [
    ...(notice.length > 0 ? [...notice.slice(0, maxNoticeBlocks), divider] : []),
    ...top,
    ...(hasNothingYet
      ? firstSteps(answer, canAsk)
      : actions(answer.sections.map(({ section }) => opener(section)))),
    divider,
    ...actions(answer.sections.map((section) => tab(section, place))),
    ...(shown ? shownSection(shown, place, reader) : []),
    ...smallPrint(notes),
    divider,
    ...footer,
  ];
}

/** Shown if the Home tab can't be drawn: the error, a button to try again, and the footer. */
export function homeTroubleView(
  trouble: readonly KnownBlock[],
  place: HomePlace,
  footer: readonly KnownBlock[],
): KnownBlock[] {
  return [...trouble, ...actions([goTo(place, 'Try again')]), divider, ...footer];
}

const opener = ({ opener: { form, label } }: HomeSection): Button =>
  button({ id: formActionId(form), label, value: '{}' });

/** One step per section, with its button. */
function firstSteps({ sections: all }: HomeAnswer, canAsk: boolean): KnownBlock[] {
  return [
    ...sections(['*Welcome to Landfall.* Three things to begin with:']),
    // The number goes into the bold words at the start of the step.
    ...all.map(({ section }, index) =>
      step(`*${index + 1} ${section.firstStep.replace(/^\*/, '')}`, opener(section)),
    ),
    context(
      `${canAsk ? 'Or ask at once,' : 'Once the account is connected, ask'} in any channel: \`/nextport 9461477\` · \`/portcalls Rotterdam\` · \`/landfall\` shows all`,
    ),
  ];
}

function step(text: string, accessory: Button): SectionBlock {
  const [section = { type: 'section' } satisfies SectionBlock] = sections([text]);
  return { ...section, accessory };
}

/** Opens a section's first page. The button of the section shown is highlighted. */
function tab({ section: { name, label }, page }: ReadSection, place: HomePlace): Button {
  const button = goTo({ ...place, section: name, page: 1 }, `${label} ${page.total.toLocaleString('en')}`);
  return name === place.section ? primary(button) : button;
}

export const formatPlace = ({ section, scope, page }: HomePlace): string => `${section} ${scope} ${page}`;

export const homeSections = (features: readonly Feature[]): HomeSection[] =>
  features.flatMap(({ home }) => home ?? []);

/** Unreadable text gives the first page of the first section. */
export function readPlace(text: string, features: readonly Feature[]): HomePlace {
  const [, name, scope, page] = /^(\S+) (all|mine) (\d{1,6})$/.exec(text) ?? [];
  const all = homeSections(features);
  const section = all.find((section) => section.name === name) ?? all[0];
  return {
    section: section?.name ?? '',
    scope: scope === 'mine' ? 'mine' : 'all',
    page: Math.max(1, Number(page ?? 1)),
  };
}

function goTo(place: HomePlace, label: string): Button {
  const value = formatPlace(place);
  return button({ id: homeActionIds.goTo(value), label, value });
}

function shownSection({ section, page }: ReadSection, place: HomePlace, reader: Reader): KnownBlock[] {
  const items = page.rows(reader);
  const { total } = page;
  const pages = Math.max(1, Math.ceil(total / homeRowsPerPage));
  const after = total - (place.page - 1) * homeRowsPerPage - items.length;
  const note = shownNote({ page: place.page, pages, total, after }, homeRowsPerPage);
  const turnTo = (page: number, label: string) => goTo({ ...place, page }, label);
  return [
    ...(items.length > 0 ? items : sections([section.empty])),
    ...(note.length > 0 ? [context(note.join(''))] : []),
    ...actions([
      ...(after > 0 ? [turnTo(place.page + 1, `Next ${Math.min(after, homeRowsPerPage)}`)] : []),
      ...(place.page > 1 ? [turnTo(place.page - 1, 'Back')] : []),
      ...scopeButton(section, total, place),
    ]),
  ];
}

function scopeButton({ hasOwners }: HomeSection, total: number, place: HomePlace): Button[] {
  if (!hasOwners || (place.scope === 'all' && total === 0)) return [];
  return place.scope === 'all'
    ? [goTo({ ...place, scope: 'mine', page: 1 }, 'Only mine')]
    : [goTo({ ...place, scope: 'all', page: 1 }, 'In all my channels')];
}
