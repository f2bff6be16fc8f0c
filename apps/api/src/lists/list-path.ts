import { idParam, oneOfParam } from '#http/parameters.js';

/** What the paths of a list name; a wrong kind and a malformed id are no list (OP-01, OP-43). */
export const listPath = { kind: oneOfParam(['company', 'profile'], 404), list_id: idParam(404) };

/** The same in v3, where a malformed id is a fault of the path (OP-01). */
export const listPathV3 = { ...listPath, list_id: idParam(400) };

/** What the paths of a member name besides. */
export const memberPath = { ...listPath, member_id: idParam(404) };
export const memberPathV3 = { ...listPathV3, member_id: idParam(400) };
