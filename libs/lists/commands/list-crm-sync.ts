import { contextOfStep, workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { MOST_FAULTS, type Faults } from '#kernel/values/faults.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import { Id, JsonMembers, Nullable, Type, type Static } from '#kernel/values/schema.js';
import { addInPieces, judgeRows } from '#lists/add-members.js';
import { noteStrayCompanies, readGivenCompany } from '#lists/domain/lists/given-company.js';
import { kindOfList, type ListType } from '#lists/domain/lists/list.events.js';
import { list } from '#lists/domain/lists/list.js';
import { removeMembers, requireOpenTo } from '#lists/domain/lists/list-members.js';
import { MAX_PIECE_BYTES } from '#lists/domain/lists/member.events.js';
import { claimedIdentity, type MemberRow } from '#lists/domain/lists/member-admission.js';
import { findMember, type NetworkIdentity } from '#lists/domain/lists/membership.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { ListId } from './list-inputs.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';

// A CRM writes null for what it does not know, as callers of the API may.
const identifier = Type.Optional(Nullable(Type.String({ maxLength: 2_048 })));
const name = Type.Optional(Nullable(Type.String({ maxLength: 255 })));
const Row = Type.Object({
  network_url: identifier,
  network_handle: identifier,
  domain: identifier,
  company: Type.Optional(Nullable(Type.Object({ name, domain: name }))),
});

/** Most members that one command removes; fewer if their names and domains are long. */
const REMOVED_AT_ONCE = 500;

export const listCrmSync = operatorCommand({
  name: 'list.crm_sync',
  summary: 'Replace the members of a list with those of its CRM: missing members are added, others removed',
  input: Type.Object({
    workspace_id: WorkspaceId,
    list_id: ListId,
    members: described(
      'all members of the CRM, each {network_url | network_handle | domain}; at most 10,000',
      Type.Array(Row, { maxItems: 10_000 }),
    ),
  }),
  output: Type.Object({
    list_id: Id,
    added: Type.Integer(),
    removed: Type.Integer(),
    kept: Type.Integer(),
    errors: Type.Array(Type.Object({ input: JsonMembers, code: Type.String(), message: Type.String() })),
  }),
  async run(host, { workspace_id: workspaceId, list_id: listId, members }, context, onProgress) {
    const stream = workspaceScoped(workspaceId, listId);
    const type = await host.commands.load(list, stream, (state) => requireOpenTo(state, 'crm').type);
    const kind = kindOfList(type);
    const rows = readRows(members, type);
    const about = { workspaceId, kind, listId, source: 'crm', context } as const;

    const { directory } = host.network;
    const { lookups, verdicts } = await judgeRows(directory, host.networkBaseUrl, kind, rows);
    const candidates = verdicts.flatMap((verdict) => (verdict.admitted ? [verdict.candidate] : []));
    const added = await addInPieces(host, about, candidates, (done) =>
      onProgress({ done, total: candidates.length }),
    );

    // A row that the directory cannot resolve now keeps its member, because the CRM names it.
    const named = verdicts.flatMap((verdict, index) => {
      const lookup = lookups[index];
      const claimed = verdict.admitted || lookup === undefined ? null : claimedIdentity(lookup);
      return verdict.admitted ? [verdict.candidate] : claimed === null ? [] : [claimed];
    });
    const { removed, kept } = await removeOthers(host, about, named);
    const errors = verdicts.flatMap((verdict) => (verdict.admitted ? [] : [verdict.error]));
    return { list_id: listId, added: added.length, removed, kept: kept - added.length, errors };
  },
});

type About = { readonly workspaceId: number; readonly listId: number; readonly context: CommandContext };

/** Removes every member that is not named; returns the numbers of removed and kept members. */
async function removeOthers(
  host: OperatorHost,
  { workspaceId, listId, context }: About,
  named: readonly NetworkIdentity[],
): Promise<{ readonly removed: number; readonly kept: number }> {
  const stream = workspaceScoped(workspaceId, listId);
  const { leaving, kept } = await host.commands.load(list, stream, ({ membership }) => {
    const staying = new Set(named.map((identity) => findMember(membership, identity)?.memberId));
    const others = [...membership.byId.values()].filter(({ memberId }) => !staying.has(memberId));
    return { leaving: others, kept: membership.byId.size - others.length };
  });
  let removed = 0;
  // The event of a removal carries names and domains of the members.
  const pieces = inPiecesOfBytes(leaving, REMOVED_AT_ONCE, MAX_PIECE_BYTES);
  for (const members of pieces) {
    const memberIds = members.map(({ memberId }) => memberId);
    const decision = removeMembers({ memberIds, source: 'crm', now: host.clock.now().toISOString() });
    const { answer } = await host.commands.handle(list, stream, decision, {
      context: contextOfStep(context, `removed:${memberIds[0]}`),
      answer: (_state, events) =>
        events.flatMap(({ type, data }) => (type === 'MembersRemoved' ? data.members : [])).length,
    });
    removed += answer;
  }
  return { removed, kept };
}

/** The rows in the form of the API. Throws `invalidInput` for an employer that the API refuses (MEM-19, MEM-20). */
function readRows(members: readonly Static<typeof Row>[], type: ListType): readonly MemberRow[] {
  const faults: Faults = new Map();
  const rows = members.map((member, index) => rowOf(member, `members.${index}.company`, faults));
  noteStrayCompanies(rows, type, 'members', faults);
  if (faults.size > 0) throw invalidInput({ errors: new Map([...faults].slice(0, MOST_FAULTS)) });
  return rows;
}

function rowOf(input: Static<typeof Row>, path: string, faults: Faults): MemberRow {
  const { network_url, network_handle, domain, company } = input;
  const given = company && { name: company.name ?? null, domain: company.domain ?? null };
  return {
    input,
    networkUrl: network_url ?? null,
    // An empty handle counts as not given (OP-71).
    networkHandle: network_handle || null,
    domain: domain ?? null,
    company: given ? readGivenCompany(given, path, faults) : null,
  };
}
