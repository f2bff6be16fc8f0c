import { OneOf, Type } from '#kernel/values/schema.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';
import { sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { memoryAmong } from '../added-again.js';
import { pollKey } from '../poll-memory.js';
import { SourceRow, sourceRow } from './source-rows.js';

export const sourceList = operatorCommand({
  name: 'source.list',
  summary: 'List the sources with their last and next poll, number of items, failures and terms',
  input: Type.Object({
    ...pageInput,
    status: Type.Optional(
      described(
        'only sources of this status; default: active and paused',
        OneOf('active', 'paused', 'removed'),
      ),
    ),
  }),
  output: Type.Object({ ...PageAnswer, sources: Type.Array(SourceRow) }),
  async run({ readModels, network }, { status, ...asked }) {
    const sort = [['id', 'asc']] as const;
    const where = { status: status ?? { in: ['active', 'paused'] } };
    const { rows, numbers } = await readPage<SourceDocument>(readModels, sources, { where, sort }, asked);
    const memories = await network.polls.memories(rows.map(pollKey));
    const now = new Date();
    return {
      ...numbers,
      sources: rows.map((source) => sourceRow(source, memoryAmong(memories, source), now)),
    };
  },
});
