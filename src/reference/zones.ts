/** True for a name of the IANA time zone database, old names too (`Asia/Calcutta`), but not offsets such as `+01:00`. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
