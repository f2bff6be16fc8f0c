import { Nullable, Type } from '#kernel/values/schema.js';

/** Of a ledger entry; null for a ledger without one. */
export const Revision = Nullable(Type.Integer({ minimum: 0 }));
export const Hash = Nullable(Type.String());
