import { Module, type DynamicModule } from '@nestjs/common';
import { CONSOLE, createDesk } from './desk.js';
import { ActionPage, SendAction } from './pages/action.pages.js';
import { AccessPage } from './pages/access.page.js';
import { ChartScript, ChartStyle, LiveScript } from './pages/asset.pages.js';
import { AuditPage } from './pages/audit.page.js';
import { OpenLink } from './pages/link.pages.js';
import { PricesPage } from './pages/prices.page.js';
import { SearchPage } from './pages/search.page.js';
import { HoldsPage } from './pages/holds.page.js';
import { ChargesPage } from './pages/charges.page.js';
import { DeliveriesPage } from './pages/deliveries.page.js';
import { ExportFile } from './pages/export.page.js';
import { LedgerPage } from './pages/ledger.page.js';
import { MonthsPage } from './pages/months.page.js';
import { WhyPage } from './pages/movement.page.js';
import { OperatorsPage } from './pages/operators.page.js';
import { EndStreams } from './end-streams.js';
import { EventLogPage, EventPage, EventStreamPage } from './pages/log.pages.js';
import { MonitoringForecastPage, MonitoringPage } from './pages/monitoring.pages.js';
import { ProgressPage, ProgressStream } from './pages/progress.pages.js';
import { ReadModelPage, ReadModelsPage } from './pages/read-models.page.js';
import { UnknownPage } from './pages/unknown.page.js';
import { BeginVerify, VerifyPage } from './pages/verify.page.js';
import { RunPage } from './pages/run.page.js';
import { RunsPage } from './pages/runs.page.js';
import { DueWorkPage, SchedulesPage } from './pages/schedules.pages.js';
import { OneSignalPage, SignalsPage } from './pages/signals.pages.js';
import { SourcePage, SourcesPage } from './pages/sources.pages.js';
import { SignIn, SignInPage, SignOut } from './pages/sign-in.pages.js';
import { WorkspacesFile, WorkspacesPage } from './pages/workspaces.page.js';

@Module({})
class ConsoleModule {}

/** The pages for operators under `/console`, on the private listener. */
export const consolePages = (parts: Parameters<typeof createDesk>[0]): DynamicModule => ({
  module: ConsoleModule,
  controllers: [
    SignInPage,
    SignIn,
    SignOut,
    WorkspacesPage,
    WorkspacesFile,
    SearchPage,
    AuditPage,
    PricesPage,
    OpenLink,
    ChartScript,
    ChartStyle,
    LedgerPage,
    ExportFile,
    DeliveriesPage,
    ChargesPage,
    WhyPage,
    HoldsPage,
    MonthsPage,
    ActionPage,
    SendAction,
    ReadModelsPage,
    ReadModelPage,
    ProgressPage,
    ProgressStream,
    LiveScript,
    EventLogPage,
    EventStreamPage,
    EventPage,
    VerifyPage,
    BeginVerify,
    MonitoringPage,
    MonitoringForecastPage,
    OperatorsPage,
    SignalsPage,
    OneSignalPage,
    RunsPage,
    RunPage,
    SchedulesPage,
    DueWorkPage,
    SourcesPage,
    SourcePage,
    AccessPage,
    UnknownPage,
  ],
  providers: [EndStreams, { provide: CONSOLE, useValue: createDesk(parts) }],
});
