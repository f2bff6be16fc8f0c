import { Module } from '@nestjs/common';
import { endpointsOf } from '../../endpoints-of.js';
import { ChangeMonitoredList } from './change-monitored-list.command.js';
import { GetMonitoredList } from './get-monitored-list.query.js';
import { ListMonitoredLists } from './list-monitored-lists.query.js';
import { SetMemberSignalBuckets } from './set-member-signal-buckets.command.js';

@Module(endpointsOf(ListMonitoredLists, GetMonitoredList, ChangeMonitoredList, SetMemberSignalBuckets))
export class MonitoredListsModule {}
