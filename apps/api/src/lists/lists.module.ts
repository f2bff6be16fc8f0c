import { Module } from '@nestjs/common';
import { ChangeList, ChangeListHandler } from './change-list.command.js';
import { CreateList, CreateListHandler } from './create-list.command.js';
import { DeleteList, DeleteListHandler } from './delete-list.command.js';
import { GetList, GetListHandler } from './get-list.query.js';
import { ListLists, ListListsHandler } from './list-lists.query.js';
import { RestoreList, RestoreListHandler } from './restore-list.command.js';
import { AddMembersEndpoint, AddMembersHandler } from './members/add-members.command.js';
import { RemoveMember, RemoveMemberHandler } from './members/remove-member.command.js';
import { SetMemberTracking, SetMemberTrackingHandler } from './members/set-member-tracking.command.js';
import { SetMemberBucket, SetMemberBucketHandler } from './members/set-member-bucket.command.js';
import { ListMembersEndpoint, ListMembersHandler } from './members/list-members.query.js';
import { ListMonitoredMembers, ListMonitoredMembersHandler } from './members/list-monitored-members.query.js';
import {
  ListMembershipLogs,
  ListMembershipLogsHandler,
} from './membership-logs/list-membership-logs.query.js';
import { AddWatchlistEntitiesEndpoint } from './watchlists/add-watchlist-entities.command.js';
import { ChangeWatchlistEndpoint } from './watchlists/change-watchlist.command.js';
import { CreateWatchlistEndpoint } from './watchlists/create-watchlist.command.js';
import { DeleteWatchlist } from './watchlists/delete-watchlist.command.js';
import { GetWatchlistEndpoint } from './watchlists/get-watchlist.query.js';
import { ListWatchlistEntitiesEndpoint } from './watchlists/list-watchlist-entities.query.js';
import { ListWatchlistLogsEndpoint } from './watchlists/list-watchlist-logs.query.js';
import { ListWatchlistsEndpoint } from './watchlists/list-watchlists.query.js';
import { RemoveWatchlistEntity } from './watchlists/remove-watchlist-entity.command.js';
import { RestoreWatchlistEndpoint } from './watchlists/restore-watchlist.command.js';
import { SetWatchlistEntityTrackingEndpoint } from './watchlists/set-watchlist-entity-tracking.command.js';

@Module({
  controllers: [
    CreateList,
    ListLists,
    GetList,
    ChangeList,
    DeleteList,
    RestoreList,
    AddMembersEndpoint,
    RemoveMember,
    SetMemberTracking,
    SetMemberBucket,
    ListMembersEndpoint,
    ListMonitoredMembers,
    ListMembershipLogs,
    ListWatchlistsEndpoint,
    GetWatchlistEndpoint,
    CreateWatchlistEndpoint,
    ChangeWatchlistEndpoint,
    DeleteWatchlist,
    RestoreWatchlistEndpoint,
    ListWatchlistEntitiesEndpoint,
    ListWatchlistLogsEndpoint,
    AddWatchlistEntitiesEndpoint,
    RemoveWatchlistEntity,
    SetWatchlistEntityTrackingEndpoint,
  ],
  providers: [
    CreateListHandler,
    ListListsHandler,
    GetListHandler,
    ChangeListHandler,
    DeleteListHandler,
    RestoreListHandler,
    AddMembersHandler,
    RemoveMemberHandler,
    SetMemberTrackingHandler,
    SetMemberBucketHandler,
    ListMembersHandler,
    ListMonitoredMembersHandler,
    ListMembershipLogsHandler,
  ],
})
export class ListsModule {}
