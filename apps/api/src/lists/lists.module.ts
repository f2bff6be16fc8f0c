import { Module } from '@nestjs/common';
import { endpointsOf } from '../endpoints-of.js';
import { ChangeListHandler } from './change-list.command.js';
import { CreateListHandler } from './create-list.command.js';
import { DeleteListHandler } from './delete-list.command.js';
import { GetListHandler } from './get-list.query.js';
import { ListListsHandler } from './list-lists.query.js';
import { RestoreListHandler } from './restore-list.command.js';
import { AddMembersEndpoint, AddMembersHandler } from './members/add-members.command.js';
import { RemoveMemberHandler } from './members/remove-member.command.js';
import { SetMemberTrackingHandler } from './members/set-member-tracking.command.js';
import { SetMemberBucketHandler } from './members/set-member-bucket.command.js';
import { ListMembersEndpoint, ListMembersHandler } from './members/list-members.query.js';
import { ListMonitoredMembersHandler } from './members/list-monitored-members.query.js';
import { ListMembershipLogsHandler } from './membership-logs/list-membership-logs.query.js';
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

@Module(
  endpointsOf(
    CreateListHandler,
    ListListsHandler,
    GetListHandler,
    ChangeListHandler,
    DeleteListHandler,
    RestoreListHandler,
    AddMembersEndpoint,
    AddMembersHandler,
    RemoveMemberHandler,
    SetMemberTrackingHandler,
    SetMemberBucketHandler,
    ListMembersEndpoint,
    ListMembersHandler,
    ListMonitoredMembersHandler,
    ListMembershipLogsHandler,
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
  ),
)
export class ListsModule {}
