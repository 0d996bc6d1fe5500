import type { PageClock } from '../../page-api/page-api.ts';
import { ClockControl } from './clock-control.tsx';

interface Props {
  connected: boolean;
  appConnected: boolean;
  clock: PageClock | undefined;
}

/** What this page is, and what is wrong with it at the moment. */
export function Banner({ connected, appConnected, clock }: Props) {
  return (
    <header className="banner">
      <div className="banner-what">
        <strong>Local playground</strong>
        <span>
          This is not Slack. People, ships and figures are invented, unless a real service is set up.
        </span>
        {clock && <ClockControl clock={clock} />}
      </div>
      {/* Always there, so that a screen reader announces what comes into it. */}
      <output className="banner-trouble">
        {!connected && <span>The connection to the playground is lost. Trying again …</span>}
        {connected && !appConnected && (
          <span>The app is not connected: commands and buttons fail until the bot has started.</span>
        )}
      </output>
    </header>
  );
}
