import { runBundled } from './run-bundled.js';

// The thread does most of what a service does, so it is a program of the bundle.
await runBundled('due-work', () => import('./do-due-work.js'));
