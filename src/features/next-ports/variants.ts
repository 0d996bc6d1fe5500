import { formatPort } from '../../grammar/port.ts';
import { formatVessels } from '../../grammar/vessel.ts';
import { formatFleetName, formatListName } from '../../grammar/vessel-group.ts';
import type { Imo } from '../../reference/codes.ts';
import { variant } from '../command.ts';
import { pageInput } from '../fields.ts';
import { compareAnswer, comparedTable } from './compare-answer.ts';
import { fleetAnswer, listAnswer, vesselsTable } from './fleet-answer.ts';
import { askHistory, historyAnswer, historyDays, historyTable } from './history.ts';
import { askMap } from './map.ts';
import { askFleet, askList, askNextPorts, askVessels, askWatched, compareNextPorts } from './predictions.ts';
import { candidatesTable, vesselAnswer } from './vessel-answer.ts';
import {
  formatCompare,
  formatFleet,
  formatHistory,
  formatList,
  formatMap,
  formatSeveral,
  formatVessel,
  formatWatched,
  type Named,
  type OneVessel,
  type Vessel,
  type Vessels,
  vesselInput,
} from './words.ts';

const fieldsOf = (page: number, subject: string) => ({ vessel: subject, ...(page > 1 && { page }) });

/** The line without the name of the command. */
const titleOf =
  <Values>(format: (values: Values) => string) =>
  (values: Values): string =>
    format(values).replace('nextport ', '');

/** One vessel, all of its ports, or whether it is predicted at a port. */
export const vessel = variant<Vessel>({
  format: formatVessel,
  title: titleOf(formatVessel),
  cost: () => ({ calls: 1 }),
  fields: ({ imo, at, showsAll = false, page }) => ({
    ...fieldsOf(page, String(imo)),
    ...(at !== undefined && { at: formatPort(at) }),
    ...(showsAll && { all: true }),
  }),
  effect: 'reads',
  tables: [candidatesTable],
  async run({ imo, ...asked }, ctx) {
    const found = await askNextPorts(imo, ctx);
    return vesselAnswer(found, { ...asked, now: ctx.now(), hasMap: ctx.services.pictures !== undefined });
  },
});

export const several = variant<Vessels>({
  format: formatSeveral,
  title: titleOf(formatSeveral),
  cost: ({ imos }) => ({ calls: imos.length }),
  fields: ({ imos, page }) => fieldsOf(page, formatVessels(imos)),
  effect: 'reads',
  tables: [vesselsTable],
  run: async ({ imos, page }, ctx) =>
    fleetAnswer(await askVessels(imos, ctx), { now: ctx.now(), page, watched: { imos } }),
});

export const list = variant<Named>({
  format: formatList,
  title: (values) => titleOf(formatList)(values).replace('list:', 'list '),
  cost: () => ({ calls: 1 }),
  fields: ({ name, page }) => fieldsOf(page, formatListName(name)),
  effect: 'reads',
  tables: [vesselsTable],
  run: async ({ name, page }, ctx) => listAnswer(await askList(name, ctx), { now: ctx.now(), page }),
});

export const fleet = variant<Named>({
  format: formatFleet,
  title: (values) => titleOf(formatFleet)(values).replace('fleet:', 'fleet '),
  cost: () => ({ calls: 1, isOfGroup: true }),
  fields: ({ name, page }) => fieldsOf(page, formatFleetName(name)),
  effect: 'reads',
  of: 'workspace',
  tables: [vesselsTable],
  run: async ({ name, page }, ctx) =>
    fleetAnswer(await askFleet(name, ctx), { now: ctx.now(), page, watched: { fleet: name } }),
});

export const watched = variant<{ page: number }>({
  format: formatWatched,
  title: () => 'watched vessels',
  cost: () => ({ calls: 1, isOfGroup: true }),
  fields: ({ page }) => fieldsOf(page, 'watched'),
  effect: 'reads',
  of: 'place',
  tables: [vesselsTable],
  run: async ({ page }, ctx) => fleetAnswer(await askWatched(ctx), { now: ctx.now(), page }),
});

export const compare = variant<OneVessel>({
  format: formatCompare,
  title: titleOf(formatCompare),
  cost: () => ({ calls: 1 }),
  fields: ({ imo, page }) => ({ ...fieldsOf(page, String(imo)), compare: true }),
  effect: 'reads',
  tables: [comparedTable],
  run: async ({ imo, page }, ctx) => compareAnswer(await compareNextPorts(imo, ctx), { page }),
});

export const history = variant<{ vessel: Imo; page: number }>({
  tool: {
    name: 'nextport_history',
    title: 'How the prediction for a vessel changed',
    description: `What was predicted for a vessel in the past ${historyDays} days, as far as the person, or one of their channels, watched it: each change of the likeliest port, of its ETA by an hour or more, or of its probability by ten points or more. These are past predictions; they say neither where the vessel was nor that it called.`,
  },
  input: { vessel: vesselInput, page: pageInput },
  format: ({ vessel: imo, page }) => formatHistory({ imo, page }),
  title: ({ vessel: imo, page }) => titleOf(formatHistory)({ imo, page }),
  effect: 'reads',
  of: 'place',
  tables: [historyTable],
  run: async ({ vessel: imo, page }, ctx) =>
    historyAnswer(await askHistory(imo, ctx), { now: ctx.now(), page }),
});

export const map = variant<OneVessel>({
  format: formatMap,
  title: titleOf(formatMap),
  cost: () => ({ calls: 1 }),
  fields: () => undefined,
  effect: 'reads',
  tables: [candidatesTable],
  run: ({ imo }, ctx) => askMap(imo, ctx),
});
