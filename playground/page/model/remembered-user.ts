const KEY = 'playground-user';

/** Remembers in this browser whom the page shows, so that the consent page starts with the same person. */
export function rememberUser(userId: string): void {
  try {
    localStorage.setItem(KEY, userId);
  } catch {
    // Without storage the consent page starts with the first admin.
  }
}

export function rememberedUser(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
