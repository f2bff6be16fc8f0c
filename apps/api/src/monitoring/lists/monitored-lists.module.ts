import { Module } from '@nestjs/common';
import { ChangeMonitoredList, ChangeMonitoredListHandler } from './change-monitored-list.command.js';
import { GetMonitoredList, GetMonitoredListHandler } from './get-monitored-list.query.js';
import { ListMonitoredLists, ListMonitoredListsHandler } from './list-monitored-lists.query.js';
import {
  SetMemberSignalBucketsHandler,
  SetMemberSignalBuckets,
} from './set-member-signal-buckets.command.js';

@Module({
  controllers: [ListMonitoredLists, GetMonitoredList, ChangeMonitoredList, SetMemberSignalBuckets],
  providers: [
    ListMonitoredListsHandler,
    GetMonitoredListHandler,
    ChangeMonitoredListHandler,
    SetMemberSignalBucketsHandler,
  ],
})
export class MonitoredListsModule {}
