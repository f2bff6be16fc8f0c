import { Module } from '@nestjs/common';
import { GetLeadEndpoint, GetLeadHandler } from './get-lead.query.js';
import { ListLeadLocationsEndpoint, ListLeadLocationsHandler } from './list-lead-locations.query.js';

@Module({
  controllers: [GetLeadEndpoint, ListLeadLocationsEndpoint],
  providers: [GetLeadHandler, ListLeadLocationsHandler],
})
export class LeadsModule {}
