import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GetLeadEndpoint, GetLeadHandler } from './get-lead.query.js';

@Module({ imports: [CqrsModule], controllers: [GetLeadEndpoint], providers: [GetLeadHandler] })
export class LeadsModule {}
