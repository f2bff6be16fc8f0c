import { Nullable, Type } from '#kernel/values/schema.js';

/** Amounts in answers are JSON numbers of credits (OP-11). */
export const Amount = Type.Number();
export const AmountsByName = Type.Record(Type.String(), Amount);
/** Of a ledger entry; null for a ledger without one. */
export const Revision = Nullable(Type.Integer({ minimum: 0 }));
export const Hash = Nullable(Type.String());
