import { Module, type DynamicModule } from '@nestjs/common';
import type { OperatorDirectory } from '#kernel/values/operators.js';
import type { Authentication } from '#http/callers.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { CONSOLE, createDesk } from './desk.js';
import { ActionPage, SendAction } from './pages/action.pages.js';
import { AccessPage } from './pages/access.page.js';
import { HoldsPage } from './pages/holds.page.js';
import { ExportFile, LedgerPage } from './pages/ledger.page.js';
import { MonthsPage } from './pages/months.page.js';
import { WhyPage } from './pages/movement.page.js';
import { OperatorsPage } from './pages/operators.page.js';
import { ReadModelsPage } from './pages/read-models.page.js';
import { RunPage, RunsPage } from './pages/runs.pages.js';
import { DueWorkPage, SchedulesPage } from './pages/schedules.pages.js';
import { OneSignalPage, SignalsPage } from './pages/signals.pages.js';
import { SourcePage, SourcesPage } from './pages/sources.pages.js';
import { SignIn, SignInPage, SignOut } from './pages/sign-in.pages.js';
import { WorkspacesPage } from './pages/workspaces.page.js';

@Module({})
class ConsoleModule {}

/** The pages for operators under `/console`, on the private listener. */
export const consolePages = (parts: {
  readonly host: OperatorHost;
  readonly authenticate: Authentication['authenticate'];
  readonly directory: OperatorDirectory;
}): DynamicModule => ({
  module: ConsoleModule,
  controllers: [
    SignInPage,
    SignIn,
    SignOut,
    WorkspacesPage,
    LedgerPage,
    ExportFile,
    WhyPage,
    HoldsPage,
    MonthsPage,
    ActionPage,
    SendAction,
    ReadModelsPage,
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
  ],
  providers: [{ provide: CONSOLE, useValue: createDesk(parts.host, parts.authenticate, parts.directory) }],
});
