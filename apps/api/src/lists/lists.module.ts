import { Module } from '@nestjs/common';
import { endpointsOf } from '../endpoints-of.js';
import { ChangeList } from './change-list.command.js';
import { CreateList } from './create-list.command.js';
import { DeleteList } from './delete-list.command.js';
import { GetList } from './get-list.query.js';
import { ListLists } from './list-lists.query.js';
import { RestoreList } from './restore-list.command.js';
import { AddMembers } from './members/add-members.command.js';
import { RemoveMember } from './members/remove-member.command.js';
import { SetMemberTracking } from './members/set-member-tracking.command.js';
import { SetMemberBucket } from './members/set-member-bucket.command.js';
import { ListMembers } from './members/list-members.query.js';
import { ListMonitoredMembers } from './members/list-monitored-members.query.js';
import { ListMembershipLogs } from './membership-logs/list-membership-logs.query.js';
import { AddWatchlistEntities } from './watchlists/add-watchlist-entities.command.js';
import { ChangeWatchlist } from './watchlists/change-watchlist.command.js';
import { CreateWatchlist } from './watchlists/create-watchlist.command.js';
import { DeleteWatchlist } from './watchlists/delete-watchlist.command.js';
import { GetWatchlist } from './watchlists/get-watchlist.query.js';
import { ListWatchlistEntities } from './watchlists/list-watchlist-entities.query.js';
import { ListWatchlistLogs } from './watchlists/list-watchlist-logs.query.js';
import { ListWatchlists } from './watchlists/list-watchlists.query.js';
import { RemoveWatchlistEntity } from './watchlists/remove-watchlist-entity.command.js';
import { RestoreWatchlist } from './watchlists/restore-watchlist.command.js';
import { SetWatchlistEntityTracking } from './watchlists/set-watchlist-entity-tracking.command.js';

@Module(
  endpointsOf(
    CreateList,
    ListLists,
    GetList,
    ChangeList,
    DeleteList,
    RestoreList,
    AddMembers,
    RemoveMember,
    SetMemberTracking,
    SetMemberBucket,
    ListMembers,
    ListMonitoredMembers,
    ListMembershipLogs,
    ListWatchlists,
    GetWatchlist,
    CreateWatchlist,
    ChangeWatchlist,
    DeleteWatchlist,
    RestoreWatchlist,
    ListWatchlistEntities,
    ListWatchlistLogs,
    AddWatchlistEntities,
    RemoveWatchlistEntity,
    SetWatchlistEntityTracking,
  ),
)
export class ListsModule {}
