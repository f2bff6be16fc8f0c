import { Id, Nullable, OneOf, Type, type Static } from '#kernel/values/schema.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { isApiKey } from '#kernel/values/api-key.js';
import { fieldError } from '#kernel/values/refusal.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import { workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { companies, type CompanyDocument } from '#projections/identities/companies/companies.projection.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { creditPostings } from '#projections/ledger/credit-postings/credit-postings.projection.js';
import { signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';

const MOST = 20;
const ID = /^[1-9]\d{0,14}$/;

const Found = Type.Object({
  kind: OneOf('workspace', 'movement', 'key', 'company', 'run'),
  id: Id,
  workspace_id: Id,
  /** Its name; null without one. */
  name: Nullable(Type.String()),
});
type Found = Static<typeof Found>;

export const searchFind = operatorCommand({
  name: 'search.find',
  forFinance: true,
  summary:
    'Find a workspace by name or id, a movement, run, company or API key by id, a company by domain, or a key by its beginning',
  input: Type.Object({
    text: described(
      'id, name, domain, or the beginning of a key',
      Type.String({ minLength: 1, maxLength: 200 }),
    ),
  }),
  output: Type.Object({ found: Type.Array(Found) }),
  async run({ readModels }, { text }) {
    const wanted = text.trim();
    if (isApiKey(wanted)) {
      // The search text is part of URLs, which must not contain a secret.
      throw invalidInput({
        errors: fieldError('text', 'is a whole API key: search for its first 12 characters'),
      });
    }
    const found = [
      ...(ID.test(wanted) ? await byId(readModels, Number(wanted)) : []),
      ...(await byName(readModels, wanted.toLowerCase())),
    ];
    const once = new Map(found.map((each) => [`${each.kind} ${each.id}`, each]));
    return { found: [...once.values()].slice(0, MOST) };
  },
});

async function byId(readModels: ReadModels, id: number): Promise<readonly Found[]> {
  const key = String(id);
  const [workspace, movement, posting, run, company, apiKey] = await Promise.all([
    readModels.get(workspaces, key),
    readModels.get(creditMovements, key),
    readModels.get(creditPostings, key),
    readModels.get(signalRuns, key),
    readModels.get(companies, key),
    readModels.get(apiKeys, key),
  ]);
  return [
    workspace && ({ kind: 'workspace', id, workspace_id: id, name: workspace.name } as const),
    movement &&
      ({ kind: 'movement', id, workspace_id: movement.workspaceId, name: movement.product } as const),
    posting && ({ kind: 'movement', id, workspace_id: posting.workspaceId, name: posting.kind } as const),
    run && ({ kind: 'run', id, workspace_id: run.workspaceId, name: run.stage } as const),
    company && companyFound(company),
    apiKey && ({ kind: 'key', id, workspace_id: apiKey.workspaceId, name: apiKey.label } as const),
  ].filter((each) => each !== null);
}

/** A company that no workspace has is not found. */
const companyFound = ({ id, workspaceId, facts, domain }: CompanyDocument): Found | null =>
  workspaceId === 0 ? null : { kind: 'company', id, workspace_id: workspaceId, name: facts.name ?? domain };

async function byName(readModels: ReadModels, text: string): Promise<readonly Found[]> {
  const [named, keys, found] = await Promise.all([
    readModels.find(workspaces, { sort: [['id', 'asc']] }),
    text.startsWith('wsk_') ? readModels.find(apiKeys, {}) : [],
    text.includes('.') ? readModels.find(companies, { where: { domain: text }, limit: MOST }) : [],
  ]);
  return [
    ...named
      .filter(({ name }) => name.toLowerCase().includes(text))
      .map(({ id, name }) => ({ kind: 'workspace', id, workspace_id: id, name }) as const),
    ...keys
      .filter(({ prefix }) => prefix.toLowerCase().startsWith(text) || text.startsWith(prefix.toLowerCase()))
      .map(
        ({ id, workspaceId, label }) =>
          ({ kind: 'key', id, workspace_id: workspaceId, name: label }) as const,
      ),
    ...found.map(companyFound).filter((each) => each !== null),
  ];
}
