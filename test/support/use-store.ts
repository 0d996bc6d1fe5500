export { useStarted as useStore } from './use-started.ts';
