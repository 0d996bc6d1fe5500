import type { FieldValues } from '../../src/page-api/page-api.ts';

const KEY = 'playground-view-values';

/** What is filled in, by view. */
export type ValuesOfViews = Readonly<Record<string, FieldValues>>;

/** Saves in this tab what is filled in, so that a reload loses nothing: the server still has the open views. */
export function saveValues(values: ValuesOfViews): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // Without storage a reload shows the view as the app opened it.
  }
}

export function savedValues(): ValuesOfViews {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as ValuesOfViews; // Only saveValues writes it.
  } catch {
    return {};
  }
}
