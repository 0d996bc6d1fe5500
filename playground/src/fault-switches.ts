import type { Connection } from './delivery/connection.ts';
import type { PageFault } from './page-api/inspector-api.ts';
import type { Faults } from './web-api/faults.ts';

/** A fault that a person switches on and off on the page. */
export interface FaultSwitch {
  id: string;
  label: string;
  /** What else to know about it. */
  note?: string;
  /** Returns a function that ends the fault. */
  begin(): () => void;
}

/** The switches of the page's panel «Faults», all off at first. */
export interface FaultSwitches {
  list(): PageFault[];
  /** False if there is no such switch. */
  set(id: string, isOn: boolean): boolean;
  allOff(): void;
}

export function createFaultSwitches(
  { slack, service }: { slack: readonly FaultSwitch[]; service: readonly FaultSwitch[] },
  onChange: (faults: PageFault[]) => void,
): FaultSwitches {
  const groups = [['slack', slack] as const, ['service', service] as const];
  const switches = groups.flatMap(([of, group]) =>
    group.map(({ begin, ...fault }) => ({ begin, shown: { ...fault, of, id: `${of}.${fault.id}` } })),
  );
  const ends = new Map<string, () => void>();
  const list = () => switches.map(({ shown }) => ({ ...shown, isOn: ends.has(shown.id) }));
  const end = (id: string) => {
    ends.get(id)?.();
    ends.delete(id);
  };
  return {
    list,
    set(id, isOn) {
      const fault = switches.find(({ shown }) => shown.id === id);
      if (!fault) return false;
      if (!isOn) end(id);
      else if (!ends.has(id)) ends.set(id, fault.begin());
      onChange(list());
      return true;
    },
    allOff() {
      for (const id of [...ends.keys()]) end(id);
      onChange(list());
    },
  };
}

const RETRY_AFTER_S = 30;
const POSTING = ['chat.postMessage', 'chat.postEphemeral', 'chat.update'];

/** The usual faults of Slack. A channel that is gone, or that the app isn't in, has its own menu on the page. */
export function slackSwitches({
  faults,
  connection,
}: {
  faults: Faults;
  connection: Pick<Connection, 'setDown'>;
}): FaultSwitch[] {
  return [
    {
      id: 'rate-limited',
      label: 'Slack limits the rate of messages',
      note: `Status 429, to be retried after ${RETRY_AFTER_S} s; answers to commands still arrive`,
      begin: () => faults.every(POSTING, { rateLimitedSeconds: RETRY_AFTER_S }),
    },
    {
      id: 'down',
      label: 'Slack fails with status 503',
      begin: () => faults.every(['*'], { status: 503 }),
    },
    {
      id: 'cut',
      label: 'Slack posts messages, but the bot never hears of it',
      note: 'The connection ends before the answer; no message may appear twice',
      begin: () => faults.every(['chat.postMessage'], { cut: true }),
    },
    {
      id: 'no-tables',
      label: 'Slack refuses tables and charts',
      begin() {
        faults.refuseBlocks(['table', 'data_table', 'data_visualization']);
        return () => faults.refuseBlocks([]);
      },
    },
    {
      id: 'no-pictures',
      label: 'Slack refuses pictures',
      begin() {
        faults.refuseImages(true);
        return () => faults.refuseImages(false);
      },
    },
    {
      id: 'disconnected',
      label: 'Slack drops the connection to the bot',
      note: 'Once this is off, the bot may take up to 30 s to reconnect',
      begin() {
        const allowConnecting = faults.every(['apps.connections.open'], { status: 503 });
        connection.setDown(true);
        return () => {
          allowConnecting();
          connection.setDown(false);
        };
      },
    },
  ];
}
