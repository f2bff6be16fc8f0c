import { Module } from '@nestjs/common';
import { GetLeadEndpoint, GetLeadHandler } from './get-lead.query.js';

@Module({ controllers: [GetLeadEndpoint], providers: [GetLeadHandler] })
export class LeadsModule {}
