import { contextOfStep, workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { parseInstant } from '#kernel/values/instants.js';
import { isJsonObject } from '#kernel/values/json.js';
import { networkUrl, parseHandle } from '#kernel/values/network-identifiers.js';
import { fieldError } from '#kernel/values/refusal.js';
import { AnyJson, Id, OneOf, Type } from '#kernel/values/schema.js';
import { claimHostOf } from '#identities/claim-host.js';
import { identityClaims } from '#identities/claim-identities.js';
import {
  authorOf,
  employersOf,
  observedCompanyOf,
  observedPersonOf,
  personStub,
  placeOf,
} from '#identities/observed-facts.js';
import { claimCall, idOfEarlierCall, keyedCall } from '#keyed-requests/operator-claim.js';
import { shortcutsOf } from '#signals/detection/shortcuts.js';
import { storedShortcuts } from '#signals/domain/runs/shortcut-facts.js';
import { addDetection, manualDetection } from '#signals/domain/runs/manual-detection.js';
import type { ObservedCompany } from '#identities/domain/companies/company-facts.js';
import { SIGNAL_TYPES } from '#signals/domain/runs/signal-types.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import { invalidInput } from '#ops/support/amounts.js';
import { CallKey, described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand, type OperatorHost } from '#ops/support/operator-command.js';
import { factsOf, identifierOf, namedCompany } from './named-on-network.js';

const text = (description: string, maxLength: number) =>
  Type.Optional(described(description, Type.String({ minLength: 1, maxLength })));

export const detectionAdd = operatorCommand({
  name: 'detection.add',
  summary: 'Add a detection by hand',
  input: Type.Object({
    workspace_id: WorkspaceId,
    signal_type: described('one of the 25 types of the query endpoint', OneOf(...SIGNAL_TYPES)),
    signal_date: text('date or timestamp of the detection, not in the future', 40),
    source_url: text('address that shows the event', 2_000),
    company_domain: text('domain of the company of the detection', 253),
    company_network_handle: text('handle of the company of the detection; used before the domain', 300),
    person_network_handle: text('handle of the person of the detection', 300),
    data: Type.Optional(described('payload of the detection: any JSON, kept as given', AnyJson)),
    add_key: Type.Optional(CallKey),
  }),
  output: Type.Object({ detection_id: Id }),
  async run(host, input, context) {
    const { workspace_id: workspaceId, source_url, data = {} } = input;
    await host.requireWorkspace(workspaceId);
    const call = keyedCall('detection.add', 'add_key', input);
    const earlierId = await idOfEarlierCall(host, call, 'detectionId');
    if (earlierId !== null && (await isAdded(host, workspaceId, earlierId)))
      return { detection_id: earlierId };
    const signalDate = input.signal_date === undefined ? null : readDate(input.signal_date);
    const now = host.clock.now().toISOString();
    const company = await namedCompany(host, input);
    const person = await personOf(host, input.person_network_handle);
    const shown = isJsonObject(data) ? data : {};
    const shortcuts = shortcutsOf({ signalType: input.signal_type, signalDate, data: shown });
    const full = {
      sourceUrl: source_url ?? shortcuts.sourceUrl,
      author: shortcuts.author ?? (person?.facts ? authorOf(person.facts) : null),
      excerpt: shortcuts.excerpt,
      details: shortcuts.details,
    };
    const draft = (detectionId: number) => ({
      detectionId,
      signalType: input.signal_type,
      priority: 1 as const,
      origin: 'manual' as const,
      movementId: null,
      subject: `manual:${detectionId}`,
      signalDate,
      contentId: null,
      data,
      ...storedShortcuts({ signalType: input.signal_type, signalDate, data }, full),
    });
    const first = await claimCall(host, call, context, async () => {
      // Checked before anything is claimed, so that a refusal leaves no record behind.
      const detectionId = await host.ids.next('detection');
      addDetection({ ...draft(detectionId), leadId: null, companyId: null }, now)({ exists: false });
      return { detectionId };
    });
    const detectionId = first.idOf('detectionId');
    const { leadId, companyId } = await claim(host, workspaceId, first.context, company, person);
    const place = person?.facts ? placeOf(person.facts) : { country: null, city: null };
    const detection = {
      ...draft(detectionId),
      leadId,
      companyId,
      leadCountry: place.country,
      leadCity: place.city,
    };
    await host.commands.handle(
      manualDetection,
      workspaceScoped(workspaceId, detectionId),
      addDetection(detection, now),
      { context: first.context },
    );
    return { detection_id: detectionId };
  },
});

const isAdded = ({ commands }: OperatorHost, workspaceId: number, detectionId: number): Promise<boolean> =>
  commands.load(manualDetection, workspaceScoped(workspaceId, detectionId), ({ exists }) => exists);

function readDate(date: string): string {
  const instant = parseInstant(date);
  if (instant === null)
    throw invalidInput({ errors: fieldError('signal_date', 'must be a date or timestamp') });
  return instant.at.toISOString();
}

type Person = {
  readonly handle: string;
  /** null if only the handle of the person is known. */
  readonly facts: PersonFacts | null;
  readonly employers: ReadonlyMap<string, CompanyFacts>;
};

async function personOf(host: OperatorHost, handle: string | undefined): Promise<Person | null> {
  if (handle === undefined) return null;
  const identifier = identifierOf('person_network_handle', parseHandle(handle));
  const { directory } = host.network;
  const [found] = await directory.resolvePeople([identifier]);
  const facts = factsOf('person_network_handle', found);
  return { handle: identifier.handle, facts, employers: await employersOf(directory, [facts]) };
}

/**
 * The records of the workspace. If no company is given, the detection is about the person's current employer, if it
 * is known.
 */
async function claim(
  host: OperatorHost,
  workspaceId: number,
  context: CommandContext,
  named: ObservedCompany | null,
  person: Person | null,
): Promise<{ readonly leadId: number | null; readonly companyId: number | null }> {
  const { claimCompany, claimLead } = identityClaims(claimHostOf(host), workspaceId, (step) =>
    contextOfStep(context, step),
  );
  const employer = person?.employers.get(person.facts?.current?.companyRef ?? '');
  const employerId = employer === undefined ? null : await claimCompany(observedCompanyOf(employer));
  const companyId = named === null ? employerId : await claimCompany(named);
  if (person === null) return { leadId: null, companyId };
  const { facts, handle, employers } = person;
  const observed =
    facts === null
      ? personStub(handle, networkUrl(host.networkBaseUrl, 'person', handle))
      : observedPersonOf(facts, employers);
  return { leadId: await claimLead(observed, employerId), companyId };
}
