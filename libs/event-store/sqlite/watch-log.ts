import { watch } from 'node:fs';
import type { WatchWrites } from './changes.js';

/** Notifications of the system about the write-ahead log of a database, to which every writer writes. */
export function watchLog(path: string): WatchWrites {
  return (written) => {
    try {
      const watcher = watch(`${path}-wal`, { persistent: false }, () => written());
      // From then on there are no notifications, and the log is checked at intervals.
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    } catch {
      // No file yet, or no watch left on this machine: the log is checked as often as before.
      return null;
    }
  };
}
