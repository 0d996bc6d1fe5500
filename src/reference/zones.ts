/** True for IANA time zone names, also old ones (`Asia/Calcutta`), but not for offsets such as `+01:00`. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
