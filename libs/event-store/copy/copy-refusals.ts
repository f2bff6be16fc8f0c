import { refusal } from '#kernel/values/refusal.js';

export const storeInUse = refusal({
  code: 'store-in-use',
  kind: 'conflicting',
  detail: 'Another process has this store open: stop the service and every other command on it first.',
});
export const streamChangedOnServer = refusal({
  code: 'stream-changed-on-server',
  kind: 'conflicting',
  detail:
    'A stream of this product was deleted or truncated on the source, so its revisions cannot be kept. Nothing of it was written.',
});
export const destinationHoldsOther = refusal({
  code: 'destination-holds-other-events',
  kind: 'conflicting',
  detail:
    'The destination is not a prefix of the source: it holds an event that the source does not have at this position. Nothing was written; copy into an empty store, before any service is started on it.',
});
export const sourceWritten = refusal({
  code: 'source-written-meanwhile',
  kind: 'conflicting',
  detail:
    'The source was written during the copy. Stop the service that uses it and run the same command again: it continues.',
});
export const destinationWritten = refusal({
  code: 'destination-written-meanwhile',
  kind: 'conflicting',
  detail: 'Another program writes to the destination. Stop it, and start again with an empty destination.',
});
export const eventDoesNotFit = refusal({
  code: 'event-does-not-fit',
  kind: 'conflicting',
  detail: 'The destination cannot hold an event of the source.',
});
export const copyDiffers = refusal({
  code: 'copy-differs',
  kind: 'conflicting',
  detail: 'The events read back from the destination differ from the source. Do not use the destination.',
});
export const backupExists = refusal({
  code: 'backup-exists',
  kind: 'conflicting',
  detail: 'A file with this name exists and is not overwritten: give another name.',
});
export const restoreLoses = refusal({
  code: 'restore-loses-events',
  kind: 'conflicting',
  detail:
    'The existing log holds events that the backup does not have. Nothing was changed; use --yes if these events may be lost.',
});
export const restoreIntoWrittenServer = refusal({
  code: 'restore-into-written-server',
  kind: 'conflicting',
  detail:
    'The log of the server holds events that the backup does not have, and events cannot be removed from a server. Nothing was changed; name an empty server.',
});
export const restoreOfOtherLog = refusal({
  code: 'restore-of-other-log',
  kind: 'conflicting',
  detail:
    'The backup belongs to another log than the existing one. Nothing was changed; name the store of its own log, or an empty store.',
});
