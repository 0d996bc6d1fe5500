import type { LinerService } from './services.ts';

export interface Vessel {
  index: number;
  imo: number;
  name: string;
  carrier: string;
  service: LinerService;
  /** How many weeks it sails behind ship 0 of the service. */
  slot: number;
}

/** Real ships, so that the documented examples work. Their voyages are invented. */
const realShips: readonly { imo: number; name: string; service: string; slot: number }[] = [
  { imo: 9755933, name: 'MSC DIANA', service: 'LION', slot: 3 },
  { imo: 9839430, name: 'MSC GULSUN', service: 'TEMA', slot: 5 },
  { imo: 9811000, name: 'EVER GIVEN', service: 'OCEAN 4', slot: 4 },
  { imo: 9461477, name: 'DS CYPRESS', service: 'NORTH ATLANTIC', slot: 0 },
];

const firstWords =
  'ALDER AMBER BRIAR COBALT CORAL DUNLIN EMBER FATHOM HARROW INDIGO JUNIPER LARK MARLOW OSPREY'.split(' ');
const secondWords =
  'ANCHORAGE BEACON CAIRN DRIFT ESTUARY FORELAND HAVEN ISTHMUS LAGOON MERIDIAN NARROWS PASSAGE QUAY'.split(
    ' ',
  );

/** The ships of all services: the same ships for every seed, but with different voyages. */
export function createFleet(services: readonly LinerService[]): readonly Vessel[] {
  const slots = services.flatMap((service) =>
    Array.from({ length: service.ships }, (_, slot) => ({ service, slot })),
  );
  return slots.map(({ service, slot }, index) => {
    const real = realShips.find((ship) => ship.service === service.name && ship.slot === slot);
    return {
      index,
      imo: real?.imo ?? inventedImo(index),
      name: real?.name ?? inventedName(index),
      carrier: service.carriers[slot % service.carriers.length] ?? '',
      service,
      slot,
    };
  });
}

/** 14 and 13 have no common factor, so every pair of words is used before a name repeats. */
const inventedName = (index: number) =>
  `${firstWords[index % firstWords.length]} ${secondWords[index % secondWords.length]}`;

/** From 1990000 up, where no real ship has a number; with valid check digits (IMO resolution A.1117(30)). */
function inventedImo(index: number): number {
  const six = 199_000 + index * 7;
  const sum = [...String(six)].reduce((total, digit, at) => total + Number(digit) * (7 - at), 0);
  return six * 10 + (sum % 10);
}
