import { runBundled } from '#runtime/run-bundled.js';

await runBundled('api', () => import('./run.js'));
