import { runBundled } from '#runtime/run-bundled.js';

await runBundled('cli', () => import('./run.js'));
