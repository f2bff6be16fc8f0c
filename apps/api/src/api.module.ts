import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ChargeOrigin } from '#ledger/answers/charge-origin.js';
import type { HasCapScope } from '#ledger/charging/cap-scopes.port.js';
import type { SignalsOfCharges } from '#ledger/answers/signals-of-charges.js';
import type { MonthsDue } from '#ledger/forecast/foresee-credits.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import type { Coverage } from '#signals/detection/coverage.port.js';
import type { TopAccounts } from '#signals/detection/top-accounts.port.js';
import { Cursors } from '#http/cursors.js';
import type { WebhookDesk } from '#delivery/webhooks/webhook-desk.js';
import type { FeedSource } from '#delivery/event-feed.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { NetworkSource } from '#network/network-source.port.js';
import type { ResearchLimits } from '#signals/detection/research/researcher.port.js';
import { AccountMonitoringModule } from './monitoring/account-monitoring.module.js';
import { AgentsModule } from './signals/agents/agents.module.js';
import { CompaniesModule } from './identities/companies/companies.module.js';
import { CompanyMappingsModule } from './accounts/company-mappings/company-mappings.module.js';
import { ContentRequestsModule } from './accounts/content-requests/content-requests.module.js';
import { ContentsModule } from './identities/contents/contents.module.js';
import { CreditsModule } from './ledger/credits.module.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { CapsModule } from './ledger/caps/caps.module.js';
import { LeadsModule } from './identities/leads/leads.module.js';
import { ListsModule } from './lists/lists.module.js';
import { MonitoredListsModule } from './monitoring/lists/monitored-lists.module.js';
import { PersonasModule } from './lists/personas/personas.module.js';
import { SignalBucketsModule } from './catalogue/signal-buckets/signal-buckets.module.js';
import { KeywordsModule } from './signals/keywords/keywords.module.js';
import { SignalRunsModule } from './signals/signal-runs/signal-runs.module.js';
import { SignalSetupsModule } from './signals/signal-setups/signal-setups.module.js';
import { SignalTemplatesModule } from './catalogue/signal-templates/signal-templates.module.js';
import { SignalsModule } from './signals/signals/signals.module.js';
import { MonitoredAccountsModule } from './monitoring/top-accounts/monitored-accounts.module.js';
import { WorkspaceLocks, type SharedNotes } from '#signals/quoting/workspace-locks.js';
import { TopAccountsModule } from './accounts/top-accounts/top-accounts.module.js';
import { UsageModule } from './ledger/usage/usage.module.js';
import {
  API_SETTINGS,
  CHARGE_ORIGINS,
  HAS_CAP_SCOPE,
  CLOCK,
  COMMANDS,
  COVERAGE,
  TOP_ACCOUNTS,
  EVENT_FEED,
  IDS,
  LEDGERS,
  MONTHS_DUE,
  NETWORK,
  NETWORK_DIRECTORY,
  PROGRESS,
  READ_MODELS,
  RESEARCH_LIMITS,
  SIGNALS_OF_CHARGES,
  WEBHOOKS,
  type ApiSettings,
} from './ports.js';

/** The parts that the composition passes to the api. */
export type ApiPorts = {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly readModels: ReadModels;
  readonly progress: ReadModelProgress;
  readonly sharedNotes: SharedNotes;
  readonly clock: Clock;
  readonly network: NetworkSource;
  readonly directory: NetworkDirectory;
  readonly researchLimits: ResearchLimits | null;
  readonly coverage: Coverage;
  readonly topAccounts: TopAccounts;
  readonly ledgers: LedgerReader;
  readonly chargeOrigins: readonly ChargeOrigin[];
  readonly hasCapScope: HasCapScope;
  readonly monthsDue: MonthsDue;
  readonly signalsOfCharges: SignalsOfCharges;
  readonly eventFeed: FeedSource;
  readonly webhooks: WebhookDesk;
  readonly settings: ApiSettings;
  /** Further doors on the same listener, which send messages of the api; absent: none. */
  readonly doors?: readonly DynamicModule[];
};

/** The api's table of contents: one module a resource. */
@Global()
@Module({})
export class ApiModule {
  static with(ports: ApiPorts): DynamicModule {
    const provided = [
      { provide: COMMANDS, useValue: ports.commands },
      { provide: IDS, useValue: ports.ids },
      { provide: READ_MODELS, useValue: ports.readModels },
      { provide: PROGRESS, useValue: ports.progress },
      { provide: WorkspaceLocks, useFactory: () => new WorkspaceLocks(ports.sharedNotes) },
      { provide: CLOCK, useValue: ports.clock },
      { provide: NETWORK, useValue: ports.network },
      { provide: NETWORK_DIRECTORY, useValue: ports.directory },
      { provide: RESEARCH_LIMITS, useValue: ports.researchLimits },
      { provide: COVERAGE, useValue: ports.coverage },
      { provide: TOP_ACCOUNTS, useValue: ports.topAccounts },
      { provide: LEDGERS, useValue: ports.ledgers },
      { provide: CHARGE_ORIGINS, useValue: ports.chargeOrigins },
      { provide: HAS_CAP_SCOPE, useValue: ports.hasCapScope },
      { provide: MONTHS_DUE, useValue: ports.monthsDue },
      { provide: SIGNALS_OF_CHARGES, useValue: ports.signalsOfCharges },
      { provide: EVENT_FEED, useValue: ports.eventFeed },
      { provide: WEBHOOKS, useValue: ports.webhooks },
      { provide: API_SETTINGS, useValue: ports.settings },
      { provide: Cursors, useFactory: () => new Cursors(ports.settings.cursorSecret) },
    ];
    return {
      module: ApiModule,
      imports: [
        CqrsModule.forRoot(),
        AccountMonitoringModule,
        AgentsModule,
        CompaniesModule,
        CompanyMappingsModule,
        ContentRequestsModule,
        ContentsModule,
        CreditsModule,
        DeliveryModule,
        CapsModule,
        LeadsModule,
        ListsModule,
        MonitoredListsModule,
        PersonasModule,
        SignalBucketsModule,
        KeywordsModule,
        SignalRunsModule,
        SignalSetupsModule,
        SignalTemplatesModule,
        SignalsModule,
        TopAccountsModule,
        MonitoredAccountsModule,
        UsageModule,
        ...(ports.doors ?? []),
      ],
      providers: provided,
      exports: provided.map(({ provide }) => provide),
    };
  }
}
