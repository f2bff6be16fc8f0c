import { Type } from './schema.js';

/** A credit amount in an answer: a JSON number of credits (OP-11). */
export const Amount = Type.Number();
/** Credit amounts by name. */
export const AmountsByName = Type.Record(Type.String(), Amount);
