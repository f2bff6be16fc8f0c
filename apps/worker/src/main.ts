import { runBundled } from '#runtime/run-bundled.js';

await runBundled('worker', () => import('./run.js'));
