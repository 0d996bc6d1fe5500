import fc from 'fast-check';

// The same samples in every run, so that a change is judged by itself; FAST_CHECK_SEED=random looks for new ones.
const { FAST_CHECK_SEED = '1' } = process.env;
fc.configureGlobal({
  ...(FAST_CHECK_SEED !== 'random' && { seed: Number(FAST_CHECK_SEED) }),
  // The search for the smallest failure of a large view has no end of its own.
  interruptAfterTimeLimit: 120_000,
});
