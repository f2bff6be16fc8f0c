import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeMonitoredListHandler } from './change-monitored-list.command.js';
import { GetMonitoredListHandler } from './get-monitored-list.query.js';
import { ListMonitoredListsHandler } from './list-monitored-lists.query.js';
import { SetMemberSignalBucketsHandler } from './set-member-signal-buckets.command.js';

@Module(
  endpointsOf(
    ListMonitoredListsHandler,
    GetMonitoredListHandler,
    ChangeMonitoredListHandler,
    SetMemberSignalBucketsHandler,
  ),
)
export class MonitoredListsModule {}
