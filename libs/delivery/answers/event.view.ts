import { pascalCase } from '#kernel/values/capitalized.js';
import type { ReadModels, ViewOf } from '#kernel/ports/read-store.port.js';
import type { LastReads } from '#identities/observed-at.js';
import { Id, Nullable, Timestamp, Type, type TSchema } from '#kernel/values/schema.js';
import { CompanyMappingView, companyMappingViews } from '#accounts/answers/company-mapping.view.js';
import { ContentRequestView, contentRequestViews } from '#accounts/answers/content-request.view.js';
import {
  CapReachedAnswer,
  creditNoticeView,
  CreditsExpiringAnswer,
  CreditsLowAnswer,
  CreditsRunOutAnswer,
} from '#ledger/answers/credit-notice.answer.js';
import { MemberView, memberView } from '#lists/answers/member.view.js';
import { MonitoredAccountView } from '#monitoring/answers/monitored-account.view.js';
import { monitoredAccountViews } from '#monitoring/answers/monitored-account-views.js';
import { SignalRunView, signalRunView } from '#signals/answers/signal-run.view.js';
import { SignalView, signalViews } from '#signals/answers/signal.view.js';
import {
  companyMappingKey,
  companyMappings,
} from '#projections/accounts/company-mappings/company-mappings.projection.js';
import {
  contentRequestKey,
  contentRequests,
} from '#projections/accounts/content-requests/content-requests.projection.js';
import { topAccountKey, topAccounts } from '#projections/accounts/top-accounts/top-accounts.projection.js';
import type { FeedEntryDocument, FeedType } from '#projections/delivery/event-feed/event-feed.projection.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import {
  creditNoticeKey,
  creditNotices,
} from '#projections/ledger/credit-notices/credit-notices.projection.js';
import { listMemberKey, listMembers } from '#projections/lists/list-members/list-members.projection.js';
import { detectionKey, detections } from '#projections/signals/detections/detections.projection.js';
import { signalRunKey, signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import {
  webhookEndpointKey,
  webhookEndpointViews,
} from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import type { FeedSource } from '../event-feed.js';
import { WebhookEndpointView, webhookEndpointView } from './webhook-endpoint.view.js';

const Text = Nullable(Type.String());

/** An account and business unit that is not covered, as known when the event is rendered. */
const NotCoveredAccount = Type.Object(
  {
    company: Type.Object({ id: Id, name: Text, domain: Text }, { title: 'NotCoveredCompany' }),
    persona_id: Id,
    not_covered_since: Timestamp,
    /** An open list, as in the status of a monitored account. */
    not_covered_reason: Text,
  },
  { title: 'NotCoveredAccount' },
);

/** An account and business unit that is covered again after a month without cover. */
const CoveredAgainAccount = Type.Object(
  {
    company: Type.Object({ id: Id, name: Text, domain: Text }, { title: 'CoveredAgainCompany' }),
    persona_id: Id,
    not_covered_since: Timestamp,
  },
  { title: 'CoveredAgainAccount' },
);

const UnresolvedMember = Type.Object({ list_id: Id, member: MemberView }, { title: 'UnresolvedMember' });

/** The schema of `data` by event type. `null` stands for an object that was deleted meanwhile. */
const shapes = {
  'signal.detected': SignalView,
  'run.ended': SignalRunView,
  'account.not_covered': NotCoveredAccount,
  'account.covered_again': CoveredAgainAccount,
  'credits.low': CreditsLowAnswer,
  'credits.run_out': CreditsRunOutAnswer,
  'credits.expiring': CreditsExpiringAnswer,
  'cap.reached': CapReachedAnswer,
  'mapping.completed': CompanyMappingView,
  'content_request.failed': ContentRequestView,
  'top_account.resolved': MonitoredAccountView,
  'list.member_unresolved': UnresolvedMember,
  'endpoint.disabled': WebhookEndpointView,
} as const satisfies Readonly<Record<FeedType, TSchema>>;

const head = <Named extends string>(type: Named) => ({
  id: Type.String(),
  type: Type.Literal(type),
  occurred_at: Timestamp,
  workspace_id: Id,
});

const eventOf = (type: FeedType) =>
  Type.Object({ ...head(type), data: Nullable(shapes[type]) }, { title: eventTitle(type, 'Event') });

/** The name of the schema of an event: `SignalDetectedEvent` of `signal.detected`. */
export const eventTitle = (type: DeliveredType, what: 'Event' | 'Delivery'): string =>
  `${pascalCase(type)}${what}`;

/** Replaces data that is too large for a delivery. */
const DataLink = Type.Object({ link: Type.String() }, { title: 'DeliveryLink' });

/** An event type that only webhook endpoints receive, when the workspace requests a test. */
export const TEST_TYPE = 'endpoint.test';
export type DeliveredType = FeedType | typeof TEST_TYPE;

/** The body of a delivery in the standard format, by type. */
export const deliverySchema = (type: DeliveredType): TSchema =>
  Type.Object(
    {
      ...head(type),
      previous_id: Nullable(Type.String()),
      data: type === TEST_TYPE ? WebhookEndpointView : Type.Union([shapes[type], DataLink, Type.Null()]),
    },
    { title: eventTitle(type, 'Delivery') },
  );

const types = Object.keys(shapes).filter((type): type is FeedType => type in shapes);

/** The schema of each event type, for the feed, a stream and a webhook. */
const eventSchemas = new Map(types.map((type) => [type, eventOf(type)]));

/** An event as it is sent; `data` has the schema of its type. */
export type EventView = {
  readonly id: string;
  readonly type: FeedType;
  readonly occurred_at: string;
  readonly workspace_id: number;
  readonly data: unknown;
};
export const EventView = Type.Unsafe<EventView>(Type.Union([...eventSchemas.values()], { title: 'Event' }));

/** Renders the data of entries of one type, in the same order; null for a deleted object. */
type Render = (
  readModels: ReadModels,
  workspaceId: number,
  entries: readonly FeedEntryDocument[],
  directory: LastReads,
) => Promise<readonly unknown[]>;

const renderers: Readonly<Record<FeedType, Render>> = {
  'signal.detected': async (readModels, workspaceId, entries) => {
    const found = await readModels.getMany(detections, keysOf(entries, detectionKey));
    return bySubject(entries, await signalViews(readModels, workspaceId, [...found.values()]));
  },
  'run.ended': (readModels, _workspaceId, entries) =>
    eachOf(
      readModels,
      signalRuns,
      entries,
      ({ subjectId }) => signalRunKey(subjectId),
      (run) => signalRunView(run),
    ),
  'account.not_covered': async (readModels, _workspaceId, entries) => {
    const accounts = await accountsOf(readModels, entries);
    return entries.map((entry, index) => ({ ...accounts[index], not_covered_reason: entry.reason }));
  },
  'account.covered_again': (readModels, _workspaceId, entries) => accountsOf(readModels, entries),
  'credits.low': notices,
  'credits.run_out': notices,
  'credits.expiring': notices,
  'cap.reached': notices,
  'mapping.completed': async (readModels, _workspaceId, entries) => {
    const found = await readModels.getMany(companyMappings, keysOf(entries, companyMappingKey));
    return bySubject(entries, await companyMappingViews(readModels, [...found.values()]));
  },
  'content_request.failed': async (readModels, _workspaceId, entries) => {
    const found = await readModels.getMany(contentRequests, keysOf(entries, contentRequestKey));
    return bySubject(entries, await contentRequestViews(readModels, [...found.values()]));
  },
  'top_account.resolved': async (readModels, workspaceId, entries, directory) => {
    const found = [...(await readModels.getMany(topAccounts, keysOf(entries, topAccountKey))).values()];
    return bySubject(entries, await monitoredAccountViews(readModels, directory, workspaceId, null, found));
  },
  'list.member_unresolved': (readModels, workspaceId, entries) =>
    eachOf(
      readModels,
      listMembers,
      entries,
      ({ subjectId }) => listMemberKey(workspaceId, subjectId),
      (member, { listId }) => ({ list_id: listId, member: memberView(member) }),
    ),
  'endpoint.disabled': (readModels, _workspaceId, entries) =>
    eachOf(
      readModels,
      webhookEndpointViews,
      entries,
      ({ subjectId }) => webhookEndpointKey(subjectId),
      webhookEndpointView,
    ),
};

/** The account and business unit of each entry, and since when it was not covered. */
async function accountsOf(readModels: ReadModels, entries: readonly FeedEntryDocument[]) {
  const found = await readModels.getMany(companies, keysOf(entries, companyKey));
  return entries.map(({ subjectId, personaId, since }) => {
    const facts = found.get(companyKey(subjectId))?.facts;
    return {
      company: { id: subjectId, name: facts?.name ?? null, domain: facts?.domain ?? null },
      persona_id: personaId,
      not_covered_since: since,
    };
  });
}

function notices(
  readModels: ReadModels,
  workspaceId: number,
  entries: readonly FeedEntryDocument[],
): Promise<readonly unknown[]> {
  const keyOf = ({ noticeId }: FeedEntryDocument): string => creditNoticeKey(workspaceId, noticeId ?? '');
  return eachOf(readModels, creditNotices, entries, keyOf, creditNoticeView);
}

/**
 * Entries as they are sent, in the same order (DLV-04): `data` comes from the current read models. All entries belong
 * to this workspace. Rejects with `ReadModelUnavailable` if the workspace is parked in a view that an entry is rendered
 * from.
 */
export async function eventViews(
  { renderedFrom, directory }: Pick<FeedSource, 'renderedFrom' | 'directory'>,
  workspaceId: number,
  entries: readonly FeedEntryDocument[],
): Promise<readonly EventView[]> {
  const readModels = renderedFrom(workspaceId);
  const dataOf = new Map<string, unknown>();
  await Promise.all(
    types.map(async (type) => {
      const ofType = entries.filter((entry) => entry.type === type);
      if (ofType.length === 0) return;
      const all = await renderers[type](readModels, workspaceId, ofType, directory);
      ofType.forEach(({ id }, index) => dataOf.set(id, all[index]));
    }),
  );
  return entries.map(({ id, type, occurredAt }) => ({
    id,
    type,
    occurred_at: occurredAt,
    workspace_id: workspaceId,
    data: dataOf.get(id),
  }));
}

const keysOf = (entries: readonly FeedEntryDocument[], keyOf: (id: number) => string): readonly string[] => [
  ...new Set(entries.map(({ subjectId }) => keyOf(subjectId))),
];

/** The rendered document of each entry; null if there is none. */
async function eachOf<Document>(
  readModels: ReadModels,
  view: ViewOf<Document>,
  entries: readonly FeedEntryDocument[],
  keyOf: (entry: FeedEntryDocument) => string,
  render: (document: Document, entry: FeedEntryDocument) => unknown,
): Promise<readonly unknown[]> {
  const found = await readModels.getMany(view, [...new Set(entries.map(keyOf))]);
  return entries.map((entry) => {
    const document = found.get(keyOf(entry));
    return document === undefined ? null : render(document, entry);
  });
}

/** The view of each entry's subject; null if there is none. */
function bySubject(
  entries: readonly FeedEntryDocument[],
  views: readonly { readonly id: number }[],
): readonly unknown[] {
  const byId = new Map(views.map((view) => [view.id, view]));
  return entries.map(({ subjectId }) => byId.get(subjectId) ?? null);
}
