import { watch } from 'node:fs';
import type { WatchWrites } from './changes.js';

/** Notices of the system about the write-ahead log of a database, which whoever writes to it writes to. */
export function watchLog(path: string): WatchWrites {
  return (written) => {
    try {
      const watcher = watch(`${path}-wal`, { persistent: false }, () => written());
      // From then on nobody tells, and it is looked at more seldom than it is told.
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    } catch {
      // No file yet, or no watch left on this machine: it is looked at as often as before.
      return null;
    }
  };
}
