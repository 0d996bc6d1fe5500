export type AppTab = 'home' | 'messages';

const TABS: { tab: AppTab; label: string }[] = [
  { tab: 'home', label: 'Home' },
  { tab: 'messages', label: 'Messages' },
];

/** The tabs of the app's direct message. */
export function HomeTabs({ tab, onTab }: { tab: AppTab; onTab: (tab: AppTab) => void }) {
  return (
    <nav className="home-tabs" aria-label="App">
      {TABS.map((each) => (
        <button
          key={each.tab}
          type="button"
          aria-current={each.tab === tab ? 'page' : undefined}
          onClick={() => onTab(each.tab)}
        >
          {each.label}
        </button>
      ))}
    </nav>
  );
}
