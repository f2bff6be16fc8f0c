import { Id } from '#kernel/schema.js';
import { described } from './inputs.js';

export const ListId = described('id of the list, as /api/v2/lists gives it', Id);
