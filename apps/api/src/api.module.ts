import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
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
import { TopAccountsModule } from './accounts/top-accounts/top-accounts.module.js';
import { UsageModule } from './ledger/usage/usage.module.js';
import { PORTS, type ApiPorts } from './ports.js';

/** The modules of the api, one for each resource. */
@Global()
@Module({})
export class ApiModule {
  /** `others`: modules on the same listener that send messages of the api. */
  static with(ports: ApiPorts, others: readonly DynamicModule[] = []): DynamicModule {
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
        ...others,
      ],
      providers: [{ provide: PORTS, useValue: ports }],
      exports: [PORTS],
    };
  }
}
