// Preloaded into the process to be profiled: SIGUSR2 starts a CPU profile, the next one writes it to PROFILE_FILE.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const { PROFILE_FILE = '' } = process.env;
const session = new Session();
session.connect();
let isRunning = false;

process.on('SIGUSR2', async () => {
  isRunning = !isRunning;
  if (isRunning) {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
    return;
  }
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(`${PROFILE_FILE}.part`, JSON.stringify(profile));
  renameSync(`${PROFILE_FILE}.part`, PROFILE_FILE);
});
