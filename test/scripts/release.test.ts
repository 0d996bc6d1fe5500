import { expect, test } from 'vitest';
import { kindOf, notesOf, sectionOf, withSection } from '../../scripts/release.ts';

const changelog = '# Changelog\n\nNewest first.\n\n## 0.1.0\n\n- The first one.\n';
const section = sectionOf(
  [
    { kind: 'fixed', text: 'A port in two codes is one port.\n' },
    { kind: 'added', text: '`/lane` compares two periods.\n' },
    { kind: 'fixed', text: 'A typo.\n' },
  ],
  { version: '0.2.0', date: '2026-11-27' },
);

test('a release joins the changes by kind into a section above the others', () => {
  const released = withSection(changelog, section);
  expect(released).toBe(`# Changelog

Newest first.

## 0.2.0 (2026-11-27)

### Added

- \`/lane\` compares two periods.

### Fixed

- A port in two codes is one port.
- A typo.

## 0.1.0

- The first one.
`);
  expect(() => withSection(released, section)).toThrow('CHANGELOG.md has 0.2.0 already');
});

test('the notes of a version are its section', () => {
  const released = withSection(changelog, section);
  expect(notesOf(released, '0.1.0')).toBe('- The first one.\n');
  expect(notesOf(released, '0.2.0')).toMatch(/^### Added\n[^#]+### Fixed\n[^#]+typo\.\n$/);
  expect(() => notesOf(released, '0.2')).toThrow('CHANGELOG.md has no section for 0.2');
});

test('a release without changes says so', () => {
  expect(sectionOf([], { version: '0.2.1', date: '2026-11-28' })).toContain('No changes that users notice.');
});

test('the kind of a change is in the name of its file', () => {
  expect(kindOf('lane-versus.added.md')).toBe('added');
  expect(() => kindOf('lane.md')).toThrow(
    'changes/lane.md should end in .added.md, .changed.md, .fixed.md, .security.md',
  );
});
