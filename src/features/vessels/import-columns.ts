import { fold } from '../../reference/nearest.ts';

/** What the columns of a table hold, by their position; -1 for none. */
export interface Columns {
  imo: number;
  name: number;
  fleets: number;
  /** Bookings, customers and the like; none, one or several columns. */
  references: readonly number[];
  /** Those of the references that hold the names of customers. */
  customers: readonly number[];
  /** The port where the cargo is due, and the latest time; both or none. */
  port: number;
  due: number;
  /** The cells with the name have a voyage too. */
  hasVoyages: boolean;
  hasHeadings: boolean;
  /** As in the file; empty without headings. */
  headings: readonly string[];
}

/** How a column was read; `as` is undefined for one that wasn't used, and `why` may say more. */
export interface ColumnUse {
  heading: string;
  as?: string;
  why?: string;
}

/** A title may stand above the headings. */
const maxTitleRows = 10;

/** The columns, and the index of the first row below the headings. Undefined as for `findColumns`. */
export function findTable(
  rows: readonly (readonly string[])[],
): { columns: Columns; firstRow: number } | undefined {
  const firstData = rows.findIndex((row) => row.some((cell) => /\d{7}/.test(cell)));
  const above = rows.slice(0, Math.min(maxTitleRows, firstData < 0 ? maxTitleRows : Math.max(firstData, 1)));
  const headings = above.findIndex((row) => findColumns(row)?.hasHeadings);
  const columns = findColumns(rows[Math.max(headings, 0)] ?? []);
  return columns && { columns, firstRow: columns.hasHeadings ? headings + 1 : 0 };
}

/** Whether headings say more than which vessels these are: bookings, customers, or where and when the cargo is due. */
export function saysMoreThanVessels(headings: readonly string[]): boolean {
  const columns = findColumns(headings);
  return columns?.hasHeadings === true && (columns.references.length > 0 || columns.due >= 0);
}

/**
 * Finds the columns by the headings that people's spreadsheets have. Without headings, the first columns are number and
 * name, fleets and references. Undefined if there are headings, but neither of a number nor of a vessel.
 */
function findColumns(first: readonly string[]): Columns | undefined {
  const headings = first.map((cell) => cell.trim().replace(/\s+/g, ' '));
  const keys = headings.map(fold); // `B/L No.` → `b l no`
  const imo = keys.findIndex(isImo);
  const nameLike = (shape: RegExp) => keys.findIndex((key, index) => index !== imo && shape.test(key));
  const exact = nameLike(vesselHeading);
  const typedName = exact >= 0 ? exact : nameLike(/\b(?:vessel|ship) ?s? name\b/);
  const fleets = keys.findIndex((key) => /^fleets?(?: names?)?$/.test(key));
  const references = keys.flatMap((key, index) => (isReference(key) ? [index] : []));
  const hasNumber = headings.some((heading) => /\d{7}/.test(heading));
  const isTable =
    imo >= 0 || (!hasNumber && [typedName >= 0, fleets >= 0, references.length > 0].some(Boolean));
  const none = { customers: [], port: -1, due: -1, hasVoyages: false, headings: [] };
  if (!isTable) return { imo: 0, name: 1, fleets: 2, references: [3], hasHeadings: false, ...none };
  // A short table of two columns, one of them the number: the other is the name, whatever it is called.
  const other = [0, 1].find((index) => ![imo, fleets, ...references].includes(index)) ?? -1;
  const name = typedName >= 0 || imo < 0 || headings.length > 2 ? typedName : other;
  if (imo < 0 && name < 0) return undefined;
  const customers = references.filter((index) => customerHeading.test(keys[index] ?? ''));
  const hasVoyages = /\bvoy/.test(keys[name] ?? '');
  return {
    ...{ imo, name, fleets, references, customers, hasVoyages, hasHeadings: true, headings },
    ...promiseColumns(keys),
  };
}

/** One of the two says nothing. */
function promiseColumns(keys: readonly string[]): Pick<Columns, 'port' | 'due'> {
  const dischargePort = keys.findIndex((key) => dischargePortHeading.test(key));
  const port = dischargePort >= 0 ? dischargePort : keys.findIndex((key) => portHeading.test(key));
  const due = keys.findIndex((key) => dueHeading.test(key));
  return port < 0 || due < 0 ? { port: -1, due: -1 } : { port, due };
}

const isImo = (heading: string): boolean =>
  /\bimo\b/.test(heading) && !/\d|\b(?:class|un|dg|dgr|hazard)\b/.test(heading);

const anyOf = (...words: readonly string[]): string => `(?:${words.join('|')})`;

const vesselWord = anyOf(
  ...[
    'vessel',
    'ship',
    'vsl',
    'mv',
    'm v',
    'schiffe?',
    'seeschiff',
    'motorschiff',
    'schip',
    'navire',
    'bateau',
    'buque',
    'barco',
    'nave',
  ],
);
const vesselHeading = new RegExp(
  `^(?:(?:mother|main|feeder|ocean|carrying|planned|actual) )?${anyOf(
    `${vesselWord}(?: ?s? ?name)?`,
    `name(?: of (?:the )?${vesselWord})?`,
    ...['schiffs?name', 'schiffsbezeichnung', 'scheepsnaam', `naam (?:van het )?schip`],
    `(?:nom|nombre|nome) (?:du |de |del )?${vesselWord}`,
    `${vesselWord} (?:and |n )?voy(?:age)?(?: (?:no|nr|number))?`,
  )}$`,
);

const owner =
  '(?:our|your|my|their|customers?|clients?|carriers?|lines?|internal|external|master|house|forwarders?|agents?|consignees?|m|h)';
const customer = anyOf(
  ...[
    'customers?',
    'clients?',
    'kunden?',
    'klant',
    'cliente',
    'consignees?',
    'empfanger',
    'destinataire',
    'consignatario',
  ],
);
const subject = anyOf(
  ...['bookings?', 'bkg', 'bkgs', 'buchungs?', 'boekings?', 'reservation', 'reserva'],
  ...[
    'b l',
    'bl',
    'bol',
    'mbl',
    'hbl',
    'm b l',
    'h b l',
    'bills? of lading',
    'waybill',
    'sea waybill',
    'swb',
  ],
  ...['konnossement', 'konossement', 'connaissement', 'conocimiento(?: de embarque)?'],
  customer,
  ...[
    'shipments?',
    'consignments?',
    'sendungs?',
    'zending',
    'orders?',
    'po',
    'p o',
    'purchase orders?',
    'sales orders?',
  ],
  ...['auftrags?', 'bestelling', 'commande', 'pedido', 'jobs?', 'files?', 'dossier'],
  ...['refs?', 'references?', 'referenz', 'referentie', 'referencia'],
);
const number =
  '(?:no|nos|nr|num|number|numbers|nummer|numero|id|ids|code|codes|ref|refs|reference|references|name|naam)';
/** `N° de réservation`, `Número de reserva`. */
const numberOf = '(?:(?:no|n|nr|nro|num|number|numero) (?:de |du |d |del |of )?)?';
const referenceHeading = new RegExp(`^(?:${owner} )*${numberOf}${subject}(?: ${number})*$`);
// `Bookingnumber`, `Orderno`: written as one word.
const joinedHeading = new RegExp(`^${subject.replaceAll(' ', '')}${number}$`);

const customerHeading = new RegExp(`^(?:${owner} )*${customer}(?: (?:name|naam))?$|^kundenname$|^klantnaam$`);

const isReference = (heading: string): boolean =>
  referenceHeading.test(heading) || joinedHeading.test(heading);

/** Where the cargo is due. */
const dischargePortHeading = new RegExp(
  `^${anyOf(
    ...['port of (?:discharge|destination|delivery|unloading|arrival)', 'pod', 'p o d'],
    ...[
      '(?:discharge|discharging|destination|dest|delivery|arrival|unloading|final|disch) port',
      'dischport',
    ],
    ...[
      'destination',
      'lo?e?schhafen',
      'zielhafen',
      'empfangshafen',
      'bestimmungshafen',
      'entladehafen',
      'ankunftshafen',
    ],
    ...['loshaven', 'lossingshaven', 'aankomsthaven', 'bestemmingshaven', 'bestemming'],
    'port (?:de |d )(?:dechargement|destination|livraison|debarquement|arrivee)',
    ...['puerto (?:de )?(?:descarga|desembarque|destino|llegada|entrega)', 'destino'],
  )}(?: (?:code|name|locode))?$`,
);
const portHeading = /^(?:port|hafen|haven|puerto|(?:un )?locode)(?: (?:code|name|of call))?$/;

/** A promise: the latest time that the cargo may arrive. */
const dueHeading = new RegExp(
  `^${anyOf(
    ...['due(?: (?:date|by|on|at|time))?', '(?:delivery |customer |import )?deadline(?: date)?'],
    '(?:latest|required|promised?|requested|committed|agreed) (?:date|by|on|at|time|arrival|delivery|delivery date|arrival date|arrival by)',
    ...[
      'required',
      'promised?',
      'committed',
      'needed',
      '(?:required|requested|promised) eta',
      '(?:must )?(?:arrive|deliver) (?:by|before)',
    ],
    ...['needed (?:by|on)', 'need by(?: date)?', 'delivery (?:date|by|due|time)', 'date of delivery'],
    ...[
      '(?:an|ab)?liefertermin',
      'termin',
      'endtermin',
      '(?:loe?sch|entlade)(?:termin|datum)',
      '(?:anlieferung|lieferung) bis',
      'spa?e?testens(?: am| bis)?',
      '(?:an|ab)?lieferdatum',
      'liefertag',
      'fallig(?: am| bis)?',
      'falligkeit(?:sdatum)?',
      'frist',
      'wunschtermin',
    ],
    ...[
      'leverdatum',
      'losdatum',
      'uiterste (?:lever|los)?datum',
      'gewenste leverdatum',
      'uiterlijk',
      'vervaldatum',
    ],
    ...[
      'date (?:de (?:livraison|dechargement)|limite(?: de livraison| d arrivee)?|butoir|d echeance|requise)',
      'echeance',
      'delai',
    ],
    ...[
      'fecha (?:de (?:entrega|descarga|vencimiento)|limite(?: de (?:entrega|llegada))?|maxima|requerida|tope)',
      'plazo',
      'vencimiento',
    ],
  )}$`,
);

/** An estimated or actual arrival. */
const arrivalHeading =
  /\b(?:eta|etb|ata)\b|^(?:(?:estimated|expected|planned|actual) )?(?:arrival|ankunft(?:s(?:termin|datum|zeit))?|aankomst(?:datum|tijd)?|arrivee|llegada)\b/;

const reasons = {
  forecast: 'an earlier forecast; I look up the current one',
  date: 'call it Due if it is the latest arrival',
  alone: 'a promise needs both a port of discharge and a due date',
};

/** Empty without headings. Leaves out empty columns without a heading. */
export function columnUse(
  { imo, name, fleets, references, customers, port, due, hasHeadings, headings }: Columns,
  rows: readonly (readonly string[])[],
): readonly ColumnUse[] {
  if (!hasHeadings) return [];
  const roles = new Map<number, string>([
    ...references.map((index) => [index, customers.includes(index) ? 'customer' : 'reference'] as const),
    ...([
      [imo, 'IMO number'],
      [name, 'vessel'],
      [fleets, 'fleets'],
      [port, 'port of a promise'],
      [due, 'latest arrival of a promise'],
    ] as const),
  ]);
  const isEmpty = (index: number) => !headings[index] && rows.every((row) => !row[index]?.trim());
  return headings.flatMap((typed, index): ColumnUse[] => {
    const heading = typed || `column ${index + 1}`;
    const as = roles.get(index);
    if (as !== undefined) return [{ heading, as }];
    const why = reasonFor(fold(heading));
    return isEmpty(index) ? [] : [{ heading, ...(why !== undefined && { why }) }];
  });
}

function reasonFor(key: string): string | undefined {
  if (arrivalHeading.test(key)) return reasons.forecast;
  if (/^(?:date|datum|fecha)$/.test(key)) return reasons.date;
  return [dischargePortHeading, portHeading, dueHeading].some((shape) => shape.test(key))
    ? reasons.alone
    : undefined;
}
