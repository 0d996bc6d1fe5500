import type { Button, KnownBlock, SectionBlock } from '@slack/types';
import { formActionId, homeActionIds } from '../../messages/action-ids.ts';
import { actions, button, context, primary, sections } from '../../messages/blocks.ts';
import { shownNote } from '../../messages/frame/paging.ts';
import type { Page } from '../../messages/limits.ts';
import type { Reader } from '../../messages/message.ts';
import type { Imo } from '../../reference/imo.ts';
import type { ShownDigest } from '../digests/views/digest-list.ts';
import { type ServiceState, stateLines } from '../help/status-view.ts';
import type { CallPlan } from '../watches/polling/poll-plan.ts';
import type { WatchWithFollowings } from '../watches/store/watch-list.ts';
import { planNotes } from '../watches/views/watch-list.ts';
import { digestRow, nameRow, watchRow } from './rows.ts';

/** Where on the Home tab somebody is. It stands in the values of its buttons: several people have it open at once. */
export interface HomePlace {
  section: HomeSection;
  /** Of watches and digests: one's own, or those of all channels that one is in. */
  scope: 'all' | 'mine';
  page: number;
}

export const homeSections = ['watches', 'digests', 'names'] as const;
export type HomeSection = (typeof homeSections)[number];

export type HomeNames = readonly { imo: Imo; name: string; fleets: readonly string[] }[];

export interface HomeAnswer {
  place: HomePlace;
  totals: Record<HomeSection, number>;
  /** Of the section that is shown one page; of the others whatever was at hand. */
  watches: readonly WatchWithFollowings[];
  digests: readonly ShownDigest[];
  names: HomeNames;
  state: ServiceState;
  /** What polling costs; left out for who may not know. */
  plan?: CallPlan;
}

export const homeRowsPerPage = 12;

/** The Home tab of one person; `notice` says what came of what they did last. */
export function homeView(
  answer: HomeAnswer,
  reader: Reader,
  notice: readonly KnownBlock[] = [],
): KnownBlock[] {
  const { place, totals } = answer;
  const isNew = totals.watches === 0 && totals.digests === 0 && place.scope === 'all';
  return [
    ...(notice.length > 0 ? [...notice.slice(0, mostNotice), divider] : []),
    ...(isNew ? firstSteps : actions(openers)),
    divider,
    ...actions(tabs(answer)),
    ...shownSection(answer, reader),
    divider,
    ...health(answer, reader),
  ];
}

const mostNotice = 10;
const divider: KnownBlock = { type: 'divider' };

const open = (name: string, label: string): Button => button({ id: formActionId(name), label, value: '{}' });

const openers = [
  open('watch', 'Watch a vessel …'),
  open('digest', 'Plan a digest …'),
  open('name', 'Name a vessel …'),
];

/** One thing to do in each, with its button beside it. */
const firstSteps: KnownBlock[] = [
  ...sections(['*Welcome to Landfall.* Three things to begin with:']),
  step('*1 Watch a vessel.* You are told in a thread when its next port or its ETA changes.', openers[0]),
  step('*2 Plan a digest.* The answers that you need each morning, with what is new on top.', openers[1]),
  step('*3 Name a vessel.* Then write its name wherever an IMO number goes.', openers[2]),
  context(
    '_Or ask at once, in any channel:_ `/nextport 9461477` · `/portcalls Rotterdam` · `/landfall` _shows all_',
  ),
];

function step(text: string, accessory: Button | undefined): SectionBlock {
  const [section = { type: 'section' } satisfies SectionBlock] = sections([text]);
  return { ...section, ...(accessory && { accessory }) };
}

const labels: Record<HomeSection, string> = { watches: 'Watches', digests: 'Digests', names: 'Vessel names' };

/** The section that is shown stands out; its page is the first again. */
function tabs({ place, totals }: HomeAnswer): Button[] {
  return homeSections.map((section) => {
    const tab = goTo(
      { ...place, section, page: 1 },
      `${labels[section]} ${totals[section].toLocaleString('en')}`,
    );
    return section === place.section ? primary(tab) : tab;
  });
}

const goTo = (place: HomePlace, label: string): Button => {
  const { section, scope, page } = place;
  const value = `${section} ${scope} ${page}`;
  return button({ id: homeActionIds.goTo(value), label, value });
};

function shownSection(answer: HomeAnswer, reader: Reader): KnownBlock[] {
  const { place, totals } = answer;
  const rows = rowsOf(answer, reader);
  const total = totals[place.section];
  const page: Page<unknown> = {
    items: rows,
    page: place.page,
    pages: Math.max(1, Math.ceil(total / homeRowsPerPage)),
    total,
    after: total - (place.page - 1) * homeRowsPerPage - rows.length,
  };
  const note = shownNote(page, homeRowsPerPage);
  return [
    ...(rows.length > 0 ? rows : sections([empty[place.section]])),
    ...(note.length > 0 ? [context(`_${note.join('')}_`)] : []),
    ...actions([
      ...(page.after > 0
        ? [goTo({ ...place, page: place.page + 1 }, `Next ${Math.min(page.after, homeRowsPerPage)}`)]
        : []),
      ...(place.page > 1 ? [goTo({ ...place, page: place.page - 1 }, 'Back')] : []),
      ...scopeButton(answer),
    ]),
  ];
}

function rowsOf({ place, watches, digests, names }: HomeAnswer, reader: Reader): KnownBlock[] {
  switch (place.section) {
    case 'watches':
      return watches.map((watch) => watchRow(watch, reader));
    case 'digests':
      return digests.map((digest) => digestRow(digest, reader));
    case 'names':
      return names.map((vessel) => nameRow(vessel));
  }
}

const empty: Record<HomeSection, string> = {
  watches: 'No watches here yet. For example: `/watch 9461477`',
  digests: 'No digests here yet. For example: `/digest add weekdays 08:00: portcalls NLRTM next 3 days`',
  names: 'No vessel names yet. For example: `/vessel name 9461477 DS CYPRESS`',
};

function scopeButton({ place, totals }: HomeAnswer): Button[] {
  const { section, scope } = place;
  if (section === 'names' || (scope === 'all' && totals[section] === 0)) return [];
  return scope === 'all'
    ? [goTo({ ...place, scope: 'mine', page: 1 }, 'Only mine')]
    : [goTo({ ...place, scope: 'all', page: 1 }, 'Those of all my channels')];
}

function health({ state, plan }: HomeAnswer, reader: Reader): KnownBlock[] {
  const notes = [
    ...(plan ? planNotes(plan, reader) : []),
    ...(reader.source === 'sandbox' ? ['invented data'] : []),
  ];
  return [
    ...sections(stateLines(state, reader)),
    ...(notes.length > 0 ? [context(`_${notes.join(' · ')}_`)] : []),
  ];
}
