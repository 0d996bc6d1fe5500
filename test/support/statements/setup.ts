// A test fails if it runs a statement that does not name its workspace, whatever the code does with the error.
import { afterAll, afterEach, beforeAll } from 'vitest';
import { reportStatements, startWatching, stopWatching } from './watch-statements.ts';

beforeAll(startWatching);
afterEach(reportStatements);
// Of the file's own hooks, or of work that went on after its last test.
afterAll(() => {
  stopWatching();
  reportStatements();
});
