import { existsSync } from 'node:fs';

/**
 * Runs a program from the bundle of the build, in a third of the time of reading its modules one by one; `apart`
 * reads the modules if there is no bundle.
 */
export async function runBundled(name: string, apart: () => Promise<unknown>): Promise<void> {
  const bundled = new URL(`../../bundle/${name}.js`, import.meta.url);
  if (existsSync(bundled)) await import(bundled.href);
  else await apart();
}
