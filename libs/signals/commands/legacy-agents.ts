import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { parseInstant } from '#kernel/values/instants.js';
import { withoutNulls, type JsonObject } from '#kernel/values/json.js';
import { fieldError, type Refusal } from '#kernel/values/refusal.js';
import { errorsOf, type SchemaFault } from '#kernel/values/schema-faults.js';
import { Id, JsonMembers, Type, type Static, type TObject } from '#kernel/values/schema.js';
import type { AgentType } from '#catalogue/domain/prices/agent-prices.js';
import { invalidInput } from '#ops/support/amounts.js';
import { unfit } from '#ops/support/closed-schema.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { agentFacts } from '#signals/agent-facts.js';
import { isAgentTypeDetected } from '#signals/detection/detectors.js';
import { admitAgent, droppedWithoutList } from '#signals/domain/agents/agent-admission.js';
import { AGENT_TYPES, agentTypes } from '#signals/domain/agents/agent-types.js';
import { agent } from '#signals/domain/agents/agent.js';
import { createAgent } from '#signals/domain/agents/create-agent.js';

/** Members of an agent of an earlier system; all except its type may be absent. */
export const legacyAgentMembers = {
  type: Type.Unsafe<AgentType>({ type: 'string', enum: [...AGENT_TYPES] }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  enabled: Type.Optional(Type.Boolean()),
  parameters: Type.Optional(JsonMembers),
  watchlist_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  created_at: Type.Optional(Type.String({ maxLength: 40 })),
};
const LegacyAgent = Type.Object({ ...legacyAgentMembers, workspace_id: Id, legacy_id: Type.String() });
type LegacyAgent = Static<typeof LegacyAgent>;

const MAX_TEXT_LENGTH = 200;

/** A row that may be imported: `write` records it under an id, and resolves with false if another call did. Idempotent. */
export type PlannedImport = {
  /** What the row contains and the record does not keep. */
  readonly note: string | null;
  readonly write: (id: number, context: CommandContext) => Promise<boolean>;
};

/** Whether the agent with this id was imported, even if it was deleted since. */
export const isAgentImported = (host: Pick<OperatorHost, 'commands'>, workspaceId: number, agentId: number) =>
  host.commands.load(agent, workspaceScoped(workspaceId, agentId), ({ exists }) => exists);

/** Checks a row and writes nothing. Throws a refusal whose errors name the invalid members. */
export async function planLegacyAgent(
  host: Pick<OperatorHost, 'commands' | 'readModels' | 'clock'>,
  row: LegacyAgent,
): Promise<PlannedImport> {
  const { workspace_id: workspaceId, legacy_id: legacyId, type } = row;
  const { list, personaTitles } = await agentFacts(host, workspaceId, row.watchlist_id ?? null);
  const parameters = withoutNulls(row.parameters ?? {});
  requireFit(type, agentTypes[type].parameters, parameters);
  const admitted = admitAgent({
    type,
    name: row.name ?? null,
    parameters,
    ...(typeof row.watchlist_id === 'number' && { watchlistId: row.watchlist_id }),
    list,
    schedule: null,
    priceOf: () => null,
    isDetected: isAgentTypeDetected(type),
    isLegacy: true,
  });
  const createdAt = readCreatedAt(row.created_at ?? null, host.clock.now());
  const legacy = { legacyId, enabled: row.enabled ?? true, createdAt };
  return {
    note: noteOf(row, parameters),
    async write(agentId, context) {
      const stream = workspaceScoped(workspaceId, agentId);
      const decision = createAgent({ agentId, ...admitted, personaTitles, legacy });
      return (await host.commands.handle(agent, stream, decision, { context })).appended > 0;
    },
  };
}

function noteOf({ type, watchlist_id }: LegacyAgent, parameters: JsonObject): string | null {
  if (typeof watchlist_id === 'number' || agentTypes[type].list?.givesType !== true) return null;
  const dropped = droppedWithoutList(type, parameters).map((key) => `parameters.${key}`);
  const lost = dropped.length === 0 ? '' : `, and ${dropped.join(', ')} not kept`;
  return `without watchlist_id the ${type} agent is imported as unconfigured${lost}`;
}

function requireFit(type: string, schema: TObject, parameters: JsonObject): void {
  const describe = (fault: SchemaFault): readonly [string, string] =>
    fault.kind === 'invalid'
      ? [['parameters', ...fault.path].join('.'), fault.message]
      : [['parameters', ...fault.path, fault.property].join('.'), `is not a parameter of ${type} agents`];
  const faults = errorsOf(unfit(schema, parameters), describe);
  for (const [key, value] of Object.entries(parameters))
    if (
      Array.isArray(value) &&
      value.some((text) => typeof text === 'string' && text.length > MAX_TEXT_LENGTH)
    )
      faults.set(`parameters.${key}`, [`has an entry of more than ${MAX_TEXT_LENGTH} characters`]);
  if (faults.size > 0) throw invalidInput({ errors: faults });
}

function readCreatedAt(text: string | null, now: Date): string {
  if (text === null) return now.toISOString();
  const instant = parseInstant(text);
  if (instant === null) throw invalidDate('must be a date or timestamp');
  if (instant.at > now) throw invalidDate('must not be in the future');
  return instant.at.toISOString();
}

const invalidDate = (message: string): Refusal => invalidInput({ errors: fieldError('created_at', message) });
