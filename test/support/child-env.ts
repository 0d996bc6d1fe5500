/** The environment of a child process: without the settings of this machine. */
export function childEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
