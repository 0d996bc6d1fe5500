/** Vessels of the sandbox that have names. */
export const cypress = 9461477;
export const diana = 9755933;
export const given = 9811000;
