import { Module } from '@nestjs/common';
import {
  ChangeMonitoredListEndpoint,
  ChangeMonitoredListHandler,
} from './monitoring/change-monitored-list.command.js';
import { GetMonitoredListEndpoint, GetMonitoredListHandler } from './monitoring/get-monitored-list.query.js';
import {
  ListMonitoredListsEndpoint,
  ListMonitoredListsHandler,
} from './monitoring/list-monitored-lists.query.js';
import {
  ListMonitoredMembersEndpoint,
  ListMonitoredMembersHandler,
} from './monitoring/list-monitored-members.query.js';
import {
  SetMemberMonitoringHandler,
  SetMemberSignalBucketsEndpoint,
} from './monitoring/set-member-signal-buckets.command.js';

@Module({
  controllers: [
    ListMonitoredListsEndpoint,
    GetMonitoredListEndpoint,
    ChangeMonitoredListEndpoint,
    ListMonitoredMembersEndpoint,
    SetMemberSignalBucketsEndpoint,
  ],
  providers: [
    ListMonitoredListsHandler,
    GetMonitoredListHandler,
    ChangeMonitoredListHandler,
    ListMonitoredMembersHandler,
    SetMemberMonitoringHandler,
  ],
})
export class MonitoredListsModule {}
