import { Module } from '@nestjs/common';
import { GetLead, GetLeadHandler } from './get-lead.query.js';

@Module({ controllers: [GetLead], providers: [GetLeadHandler] })
export class LeadsModule {}
