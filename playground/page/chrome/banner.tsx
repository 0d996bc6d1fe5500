import type { PageClock, PageTexts } from '../../src/page-api/page-api.ts';
import { ClockControl } from './clock-control.tsx';

interface Props {
  connected: boolean;
  appConnected: boolean;
  clock: PageClock | undefined;
  texts: PageTexts;
}

/** Says what this page is, and warns about lost connections. Only invented data has a clock. */
export function Banner({ connected, appConnected, clock, texts }: Props) {
  return (
    <header className="banner">
      <div className="banner-what">
        <strong>Local playground</strong>
        <span className="only-wide">This is not Slack. {texts.notice ?? 'The people are invented.'}</span>
        <span className="only-narrow">Not Slack · invented data</span>
        {clock && <ClockControl clock={clock} note={texts.clockNote} />}
      </div>
      {/* Always present, so that screen readers announce its changes. */}
      <output className="banner-warning">
        {!connected && <span>Connection to the playground lost. Reconnecting …</span>}
        {connected && !appConnected && (
          <span>The bot isn't connected. Commands and buttons fail until it starts.</span>
        )}
      </output>
    </header>
  );
}
