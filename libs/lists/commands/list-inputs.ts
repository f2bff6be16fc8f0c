import { Id } from '#kernel/values/schema.js';
import { described } from '#ops/support/inputs.js';

export const ListId = described('id of the list, as /api/v2/lists gives it', Id);
