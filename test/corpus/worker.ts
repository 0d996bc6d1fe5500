import { parentPort } from 'node:worker_threads';
import { makeWorkersPart } from './corpus.ts';

parentPort?.postMessage(await makeWorkersPart());
