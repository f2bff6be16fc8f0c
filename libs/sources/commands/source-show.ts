import { JsonMembers, Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { loadMemory } from '../added-again.js';
import { kindOf } from '../source-kinds.js';
import { oneSource, SourceId } from './one-source.js';
import { momentOf, SourceRow, sourceRow } from './source-rows.js';

export const sourceShow = operatorCommand({
  name: 'source.show',
  summary: 'Show one source: its company, its terms and its recent polls',
  input: Type.Object({ source_id: SourceId }),
  output: Type.Composite([
    SourceRow,
    Type.Object({
      board: Type.String(),
      url: Type.String(),
      base_url: Nullable(Type.String()),
      belongs_to: Nullable(JsonMembers),
      redacts_contacts: Type.Boolean(),
      /** For a file: whether all workspaces may see its content. */
      shared: Type.Boolean(),
      added_at: Timestamp,
      /** The time of the last complete reading, and of the last reading with items. */
      last_success: Nullable(Timestamp),
      last_yield: Nullable(Timestamp),
      not_before: Nullable(Timestamp),
      terms: Type.String(),
      terms_verdict: Type.String(),
      pace_seconds: Nullable(Type.Number()),
    }),
  ]),
  async run(host, { source_id: sourceId }) {
    const source = await oneSource(host, sourceId);
    const memory = await loadMemory(host.network.polls, source);
    const paceMs = kindOf(source.kind)?.terms.paceMs ?? null;
    return {
      ...sourceRow(source, memory, new Date()),
      board: source.boardId,
      url: source.url,
      base_url: source.baseUrl,
      belongs_to: source.subject,
      redacts_contacts: source.redactsContacts,
      shared: source.isShared,
      added_at: source.addedAt,
      last_success: momentOf(memory.lastSuccessAtMs),
      last_yield: momentOf(memory.lastYieldAtMs),
      not_before: momentOf(memory.notBeforeMs),
      terms: source.terms.url,
      terms_verdict: source.terms.verdict,
      pace_seconds: paceMs === null ? null : paceMs / 1_000,
    };
  },
});
