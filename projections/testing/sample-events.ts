import type { CompanyIdentityEvents } from '#identities/domain/companies/company.events.js';
import type { ContentRequestCreated } from '#accounts/domain/content-requests/content-request.events.js';
import type { ContentEvents } from '#identities/domain/contents/content.events.js';
import type { LeadIdentityEvents } from '#identities/domain/leads/lead.events.js';
import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import type { PersonaFacts } from '#lists/domain/personas/personas.events.js';
import type { MappedProfile, MappingDayEvents } from '#accounts/domain/mappings/mapping.events.js';
import type { RunEnded, RunLaunched } from '#signals/domain/launches/launch.events.js';
import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import type { SignalSetupEvents } from '#signals/domain/setups/signal-setup.events.js';

type CompanyFacts = CompanyIdentityEvents['CompanyRegistered']['facts'];
type LeadFacts = LeadIdentityEvents['LeadRegistered']['facts'];
type ContentFacts = ContentEvents['ContentCaptured']['facts'];

/** Complete payloads for the specs of read models: a spec names only the relevant members. */

export const sampleCompanyFacts = (facts: Partial<CompanyFacts> = {}): CompanyFacts => ({
  name: 'Acme',
  domain: 'acme.com',
  url: 'https://acme.com',
  network_url: 'https://www.network.example/company/acme',
  network_handle: 'acme',
  logo_url: null,
  location: 'Paris, France',
  locations: [],
  number_of_employees: 120,
  employee_range: '51-200',
  founded_year: 2009,
  industries: 'Software',
  activity_summary: null,
  tagline: null,
  ...facts,
});

export const sampleLeadFacts = (facts: Partial<LeadFacts> = {}): LeadFacts => ({
  first_name: 'Ana',
  last_name: 'Roy',
  network_url: 'https://www.network.example/in/ana-roy',
  network_handle: 'ana-roy',
  network_headline: 'VP Sales at Acme',
  avatar_url: null,
  email: null,
  phone: null,
  position: 'VP Sales',
  location: 'Paris, France',
  geo: { city: 'Paris', region: null, country: 'France', country_code: 'FR' },
  experiences: null,
  ...facts,
});

export const sampleContentFacts = (facts: Partial<ContentFacts> = {}): ContentFacts => ({
  url: 'https://www.network.example/posts/1',
  text: 'We are moving our CRM',
  published_at: '2026-01-03T09:00:00.000Z',
  author: null,
  reaction_count: 3,
  comment_count: 1,
  ...facts,
});

export const sampleDetection = (
  detection: Partial<SignalRunEvents['SignalDetected']> = {},
): SignalRunEvents['SignalDetected'] => ({
  detectionId: 501,
  signalType: 'keywordDetection',
  priority: 1,
  origin: 'run',
  agentId: 7,
  launchId: 3,
  runId: 91,
  movementId: 1,
  subject: 'post:1',
  signalDate: '2026-01-03T09:00:00.000Z',
  sourceUrl: 'https://www.network.example/posts/1',
  leadId: 77,
  leadCountry: 'France',
  leadCity: 'Paris',
  companyId: 9,
  contentId: 88,
  author: { full_name: 'Ana Roy', headline: 'VP Sales at Acme', network_url: null },
  excerpt: 'We are moving our CRM',
  data: { content_id: 88, author: null, keywords_found: ['crm'] },
  details: { post_text: 'We are moving our CRM', keywords: ['crm'] },
  ...detection,
});

export const sampleSetup = (
  setup: Partial<SignalSetupEvents['SignalSetupCreated']> = {},
): SignalSetupEvents['SignalSetupCreated'] => ({
  setupId: 31,
  templateId: 1,
  templateKey: 'keywords',
  name: 'Keywords',
  parameters: {},
  listId: null,
  personaId: null,
  createdAt: '2026-01-05T10:00:00.000Z',
  ...setup,
});

export const sampleLaunch = (launch: Partial<RunLaunched> = {}): RunLaunched => ({
  launchId: 3,
  source: { kind: 'agent', id: 7 },
  runs: [{ runId: 91, direction: 'single' }],
  trigger: 'manual',
  now: '2026-01-05T10:00:00.000Z',
  lookbackDays: 90,
  unitPrice: '10000000',
  product: 'keyword_match',
  templateKey: null,
  detectorKind: 'keyword',
  signalTypes: ['keywordDetection'],
  parameters: { tracking_keywords: ['crm'] },
  audiences: ['network'],
  persona: null,
  coveredFor: null,
  targetTitles: null,
  ...launch,
});

export const sampleRunEnd = (end: Partial<RunEnded> = {}): RunEnded => ({
  launchId: 3,
  runId: 91,
  outcome: 'completed',
  matchesFound: 4,
  matchesDropped: 0,
  creditsSpent: '40000000',
  endedAt: '2026-01-05T10:01:00.000Z',
  ...end,
});

export const sampleRequest = (request: Partial<ContentRequestCreated> = {}): ContentRequestCreated => ({
  requestId: 310,
  type: 'account_mapping',
  companyId: 9,
  personaId: 4,
  source: 'api',
  identifier: 'acme.com',
  requestDate: '2026-01-05',
  mappingId: 21,
  movementId: 501,
  createdAt: '2026-01-05T10:00:00.000Z',
  ...request,
});

export const sampleReservation = (
  reservation: Partial<MappingDayEvents['MappingReserved']> = {},
): MappingDayEvents['MappingReserved'] => ({
  companyId: 9,
  requestDate: '2026-01-05',
  personaId: 4,
  requestId: 310,
  mappingId: 21,
  credits: '1000000',
  identifier: 'acme.com',
  reservedAt: '2026-01-05T10:00:00.000Z',
  leaseUntil: '2026-01-05T10:00:10.000Z',
  ...reservation,
});

export const sampleProfile = (profile: Partial<MappedProfile> = {}): MappedProfile => ({
  personRef: 'p:ana-roy',
  leadId: 77,
  movementId: 502,
  networkUrl: 'https://www.network.example/in/ana-roy',
  avatarUrl: null,
  about: null,
  position: 'VP Sales',
  positionStartDate: '2024-03-01',
  firstName: 'Ana',
  lastName: 'Roy',
  email: null,
  phoneNumber: null,
  headline: 'VP Sales at Acme',
  location: { city: 'Paris', region: null, country: 'France' },
  seniority: 'vp',
  department: 'unspecified',
  ...profile,
});

/** A list of customers without a tier. */
export const sampleList = (
  list: Partial<ListStreamEvents['ListCreated']> = {},
): ListStreamEvents['ListCreated'] => ({
  listId: 12,
  type: 'customer',
  name: 'Key customers',
  description: null,
  defaultTrackingStatus: 'followed',
  tier: null,
  personaIds: [],
  createdAt: '2026-01-05T10:00:00.000Z',
  ...list,
});

/** The facts of a persona of which nothing else is known. */
export const samplePersonaFacts = (facts: Partial<PersonaFacts> = {}): PersonaFacts => ({
  jobTitle: null,
  excludeJobTitle: null,
  location: null,
  headcount: null,
  industry: null,
  seniority: null,
  additionalInfo: null,
  tag: null,
  ...facts,
});

/** A member as the events of a list name it. */
export const sampleMember = (memberId: number, member: object = {}) => ({
  memberId,
  handle: `m${memberId}`,
  networkUrl: null,
  domains: [],
  name: null,
  logoUrl: null,
  ...member,
});

export const sampleAddition = (kind: 'company' | 'profile', listId: number, members: readonly object[]) => ({
  type: 'MembersAdded',
  data: { listId, kind, source: 'api', members, addedAt: '2026-01-05T10:00:00.000Z' },
});
