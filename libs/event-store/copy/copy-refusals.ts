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
    'A stream of this product was deleted or cut off on the source, so its revisions cannot be kept. Nothing was written for it.',
});
export const destinationHoldsOther = refusal({
  code: 'destination-holds-other-events',
  kind: 'conflicting',
  detail:
    'The destination is not a beginning of the source: it holds an event that the source does not have at this place. Nothing was written; copy into an empty store, before any service is started on it.',
});
export const sourceWritten = refusal({
  code: 'source-written-meanwhile',
  kind: 'conflicting',
  detail:
    'The source was written while it was copied. Stop the service that uses it and start the same command again: it goes on where it was.',
});
export const destinationWritten = refusal({
  code: 'destination-written-meanwhile',
  kind: 'conflicting',
  detail:
    'Somebody else writes to the destination. Stop what does, and start again with an empty destination.',
});
export const eventDoesNotFit = refusal({
  code: 'event-does-not-fit',
  kind: 'conflicting',
  detail: 'The destination cannot hold an event of the source.',
});
export const copyDiffers = refusal({
  code: 'copy-differs',
  kind: 'conflicting',
  detail: 'Read back, the destination is not the same as the source. Do not use it.',
});
export const backupExists = refusal({
  code: 'backup-exists',
  kind: 'conflicting',
  detail: 'There is a file of this name, which is not written over: name another.',
});
export const restoreLoses = refusal({
  code: 'restore-loses-events',
  kind: 'conflicting',
  detail:
    'The log that is there holds events that the backup does not have. Nothing was changed; where they may go, say --yes.',
});
export const restoreIntoWrittenServer = refusal({
  code: 'restore-into-written-server',
  kind: 'conflicting',
  detail:
    'The log of the server holds events that the backup does not have, and a server takes no event back. Nothing was changed; name an empty server.',
});
export const restoreOfOtherLog = refusal({
  code: 'restore-of-other-log',
  kind: 'conflicting',
  detail:
    'The backup is one of another log than the one that is there. Nothing was changed; name the place where its own log was, or an empty one.',
});
