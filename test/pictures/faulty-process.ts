// In place of src/pictures/process.ts: does what the title of the picture says.
process.on('message', ({ title }: { title: string }) => {
  if (title === 'hang') return;
  if (title === 'block') for (;;);
  if (title === 'crash') process.kill(process.pid, 'SIGSEGV');
  else if (title === 'throw') setImmediate(() => process.exit(3));
  else if (title === 'refuse') process.send?.({ error: 'this picture is impossible' });
  else
    process.send?.({
      png: Buffer.from(JSON.stringify({ pid: process.pid, env: process.env, execArgv: process.execArgv })),
    });
});
process.on('disconnect', () => process.exit());
