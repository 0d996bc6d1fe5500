const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** True for an address on this machine, where the app is. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
