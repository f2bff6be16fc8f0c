import { Nullable, Type } from '#kernel/values/schema.js';

/** Revision of a ledger entry; null for a ledger without entries. */
export const Revision = Nullable(Type.Integer({ minimum: 0 }));
export const Hash = Nullable(Type.String());
