import { mergeConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** The suite's own settings, for one file that fails. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  {
    test: { include: ['test/suite/failing.ts'] },
  },
);
