import fc from 'fast-check';

// The same samples in every run, so that a change is judged by itself; FAST_CHECK_SEED=random looks for new ones.
const { FAST_CHECK_SEED = '1' } = process.env;
if (FAST_CHECK_SEED !== 'random') fc.configureGlobal({ seed: Number(FAST_CHECK_SEED) });
