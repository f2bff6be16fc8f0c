import { Module } from '@nestjs/common';
import { ChangeMonitoredListEndpoint, ChangeMonitoredListHandler } from './change-monitored-list.command.js';
import { GetMonitoredList, GetMonitoredListHandler } from './get-monitored-list.query.js';
import { ListMonitoredListsEndpoint, ListMonitoredListsHandler } from './list-monitored-lists.query.js';
import { ListMonitoredMembersEndpoint, ListMonitoredMembersHandler } from './list-monitored-members.query.js';
import {
  SetMemberMonitoringHandler,
  SetMemberSignalBucketsEndpoint,
} from './set-member-signal-buckets.command.js';

@Module({
  controllers: [
    ListMonitoredListsEndpoint,
    GetMonitoredList,
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
