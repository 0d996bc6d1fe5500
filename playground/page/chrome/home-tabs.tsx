export type AppTab = 'home' | 'messages';

const TABS: { name: AppTab; label: string }[] = [
  { name: 'home', label: 'Home' },
  { name: 'messages', label: 'Messages' },
];

/** The tabs of the app's direct message. */
export function HomeTabs({ tab, onTab }: { tab: AppTab; onTab: (tab: AppTab) => void }) {
  return (
    <nav className="home-tabs" aria-label="App">
      {TABS.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          aria-current={name === tab ? 'page' : undefined}
          onClick={() => onTab(name)}
        >
          {label}
        </button>
      ))}
    </nav>
  );
}
